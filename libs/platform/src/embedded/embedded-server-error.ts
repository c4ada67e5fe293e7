/** Why an embedded server does not run, as one sentence an operator can act on. */
export class EmbeddedServerError extends Error {
  override readonly name: string = 'EmbeddedServerError';
}

/** The code of a system error (`EACCES`, `ENOENT`), or undefined when the error is of another kind. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
