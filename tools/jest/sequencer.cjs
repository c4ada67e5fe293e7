/**
 * The order of the spec files: at random, but the same for the same seed. No spec may rely on what ran before it. Long
 * files come in the first two thirds: at the end, the other workers would wait for them.
 */
const { createHash } = require('node:crypto');
const Sequencer = require('@jest/test-sequencer').default;

/** They start browsers and processes, or send much; so do nearly all of the second tier. */
const LONG =
  /\/apps\/(?:dashboard|e2e)\/test\/|\.full\.spec|\/(?:dear-inputs|partitions|plans|render-processes|ssrf|template-renderer)\.spec/;

module.exports = class Shuffled extends Sequencer {
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  sort(tests) {
    const rank = ({ path, context }) => {
      const name = `${this.seed} ${path.slice(context.config.rootDir.length)} ${context.config.id}`;
      const share = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
      return LONG.test(path) ? share * (2 / 3) : share;
    };
    return tests
      .map((test) => ({ test, rank: rank(test) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ test }) => test);
  }
};
