/**
 * A jest filter that keeps the specs of the part that CLARION_TEST_PART names. The name of a file says its tier:
 * `*.full.spec.ts` runs in `npm run test:full` only, `*.backends.spec.ts` there on the Postgres queue backend too.
 */
const PARTS = {
  first: (path) => !/\.full\.spec\.ts$/.test(path),
  backends: (path) => /\.backends(?:\.full)?\.spec\.ts$/.test(path),
};

module.exports = async (paths) => ({ filtered: paths.filter(PARTS[process.env.CLARION_TEST_PART]) });
