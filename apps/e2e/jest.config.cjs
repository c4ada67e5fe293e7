const { isOnPath } = require('../../tools/on-path.cjs');

/** A whole Clarion is started for each file, on a machine that may be busy. */
module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'e2e',
  testTimeout: 60_000,
  testPathIgnorePatterns: ['/node_modules/', ...(isOnPath('pgbouncer') ? [] : ['\\.pgbouncer\\.spec\\.ts$'])],
};
