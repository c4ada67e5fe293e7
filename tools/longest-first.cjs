/**
 * The order of the specs. jest begins with those that took longest last time; in a fresh clone it does not know and would
 * leave a long one for the end, when the other processor has nothing to do any more. Whole processes take longest.
 */
const Sequencer = require('@jest/test-sequencer').default;

const FOLDERS = ['apps/e2e/', 'tools/', 'apps/standalone/', 'libs/providers/test/', 'apps/gateway/test/'];

const rank = ({ path }) => {
  const at = FOLDERS.findIndex((folder) => path.includes(`/${folder}`));
  return at === -1 ? FOLDERS.length : at;
};

module.exports = class LongestFirst extends Sequencer {
  async sort(tests) {
    return [...(await super.sort(tests))].sort((one, other) => rank(one) - rank(other));
  }
};
