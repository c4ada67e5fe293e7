/** A jest filter: the specs that depend on the queue, which run once on each queue backend. */
module.exports = async (paths) => ({ filtered: paths.filter((path) => path.endsWith('.backends.spec.ts')) });
