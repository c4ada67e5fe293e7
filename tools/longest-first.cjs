/**
 * The order of the specs. jest starts with the specs that took longest last time. In a fresh clone it has no times and
 * could run a long spec last, while the other processors are idle. Specs that start whole processes take longest.
 */
const Sequencer = require('@jest/test-sequencer').default;

const FOLDERS = [
  'apps/e2e/',
  'apps/dashboard/test/',
  'tools/',
  'apps/standalone/',
  'libs/providers/test/',
  'apps/gateway/test/',
];

const rank = ({ path }) => {
  const at = FOLDERS.findIndex((folder) => path.includes(`/${folder}`));
  return at === -1 ? FOLDERS.length : at;
};

module.exports = class LongestFirst extends Sequencer {
  async sort(tests) {
    const byTime = await super.sort(tests);
    const isTimed = byTime.every(({ duration }) => duration !== undefined);
    return isTimed ? byTime : [...byTime].sort((one, other) => rank(one) - rank(other));
  }
};
