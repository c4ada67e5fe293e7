/** The order of the spec files: at random, but the same for the same seed. No spec may rely on what ran before it. */
const { createHash } = require('node:crypto');
const Sequencer = require('@jest/test-sequencer').default;

module.exports = class Shuffled extends Sequencer {
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  sort(tests) {
    const rank = ({ path, context }) =>
      createHash('sha256').update(`${this.seed} ${path.slice(context.config.rootDir.length)} ${context.config.id}`);
    return tests
      .map((test) => ({ test, rank: rank(test).digest('hex') }))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .map(({ test }) => test);
  }
};
