/** A jest filter that keeps the specs that run on both queue backends. */
module.exports = async (paths) => ({ filtered: paths.filter((path) => path.endsWith('.backends.spec.ts')) });
