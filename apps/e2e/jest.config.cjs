/** A whole Clarion is started for each file, on a machine that may be busy. */
module.exports = { preset: '../../jest.preset.cjs', displayName: 'e2e', testTimeout: 60_000 };
