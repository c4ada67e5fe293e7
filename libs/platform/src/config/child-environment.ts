/**
 * Our own environment with some variables replaced, for a process that we start. A replaced secret must not come from
 * its file as well.
 */
export function childEnvironment(replaced: Record<string, string>): Record<string, string | undefined> {
  const files = Object.fromEntries(Object.keys(replaced).map((name) => [`${name}_FILE`, undefined]));
  return { ...process.env, ...files, ...replaced };
}
