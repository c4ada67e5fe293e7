const { isOnPath } = require('../on-path.cjs');

module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'deploy',
  testPathIgnorePatterns: ['/node_modules/', ...(isOnPath('go') ? [] : ['\\.go\\.full\\.spec\\.ts$'])],
};
