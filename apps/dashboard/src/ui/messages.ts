import { ApiError } from '../api/error';

/** An error in words, with what a person can do about it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return 'The gateway does not answer. Check that it runs; nothing that you typed is lost.';
  const fields = Object.entries(error.fields)
    .filter(([, text]) => text && !error.message.includes(text))
    .map(([name, text]) => `${name}: ${text}`);
  const wait = error.retryAfterSeconds ? ` Try again in ${error.retryAfterSeconds} s.` : '';
  return [error.message, ...fields].join('. ').replace(/\.?$/, '.') + wait;
}
