/** A jest filter: the specs that depend on the queue, which run once on each engine. */
module.exports = async (paths) => ({ filtered: paths.filter((path) => path.endsWith('.engine.spec.ts')) });
