const { accessSync, constants } = require('node:fs');
const { delimiter, join } = require('node:path');

/** Whether a program is installed. Specs that need one are left out where it is missing; `npm test` says so. */
exports.isOnPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
