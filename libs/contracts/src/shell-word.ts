/**
 * A name as one word of a shell command that a person copies. Names come from callers: without quotes, a name such as
 * `$(...)` would run in the shell of the operator.
 */
export const shellWord = (text: string): string =>
  /^[\w.@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
