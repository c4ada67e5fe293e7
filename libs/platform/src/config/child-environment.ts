/** Our environment with some variables replaced. A replaced secret must not come from its file. */
export function childEnvironment(replaced: Record<string, string>): Record<string, string | undefined> {
  const files = Object.fromEntries(Object.keys(replaced).map((name) => [`${name}_FILE`, undefined]));
  return { ...process.env, ...files, ...replaced };
}
