/** A name as one word of a shell command. Without quotes, a name such as `$(...)` would run in the operator's shell. */
export const shellWord = (text: string): string =>
  /^[\w.@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
