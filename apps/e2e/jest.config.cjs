const { isOnPath } = require('../../tools/on-path.cjs');

module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'e2e',
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(isOnPath('pgbouncer') ? [] : ['\\.pgbouncer(?:\\.full)?\\.spec\\.ts$']),
  ],
};
