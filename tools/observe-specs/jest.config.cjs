const { isOnPath } = require('../on-path.cjs');

const hasPrometheus = ['prometheus', 'promtool'].every(isOnPath);

module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'observe',
  testPathIgnorePatterns: ['/node_modules/', ...(hasPrometheus ? [] : ['\\.prometheus(?:\\.full)?\\.spec\\.ts$'])],
};
