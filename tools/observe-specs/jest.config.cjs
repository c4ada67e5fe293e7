const { accessSync, constants } = require('node:fs');
const { delimiter, join } = require('node:path');

/** Where there is no Prometheus, what needs one is left out; `npm test` has said so then. */
const isOnPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
const hasPrometheus = ['prometheus', 'promtool'].every(isOnPath);

module.exports = {
  preset: '../../jest.preset.cjs',
  displayName: 'observe',
  testPathIgnorePatterns: ['/node_modules/', ...(hasPrometheus ? [] : ['\\.prometheus\\.spec\\.ts$'])],
};
