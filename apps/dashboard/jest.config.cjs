const { isOnPath } = require('../../tools/on-path.cjs');

/** The specs of the pages run in the Chromium of the system. */
module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'dashboard',
  testPathIgnorePatterns: ['/node_modules/', ...(isOnPath('chromium') ? [] : ['/test/'])],
};
