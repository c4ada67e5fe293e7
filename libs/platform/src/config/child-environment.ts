/** Our own environment with some variables replaced, for a process that we start. */
export function childEnvironment(replaced: Record<string, string>): Record<string, string | undefined> {
  return { ...process.env, ...replaced };
}
