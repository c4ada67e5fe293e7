/**
 * Expected refusals. A service throws a `DomainError`; one filter at the HTTP edge maps its code to the status. Any
 * other error becomes a 500 with an error id.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>;

export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Fields of the response beside the common ones: `errors`, the existing resource of a 409, ... */
    readonly extra: Record<string, unknown> = {},
    /** Response headers of the refusal, such as Retry-After. */
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

/** A refusal of a call that may succeed in so many seconds. */
export const retryLater = (code: ErrorCode, message: string, seconds: number): DomainError =>
  new DomainError(code, message, {}, { 'Retry-After': String(seconds) });

/** A 422 that names one field. */
export function invalidField(field: string, message: string, value?: unknown): DomainError {
  return new DomainError('unprocessable', 'Validation Error', fieldErrors(field, message, value));
}

export function fieldErrors(field: string, message: string, value?: unknown): { errors: FieldErrors } {
  return { errors: { [field]: value === undefined ? { messages: [message] } : { messages: [message], value } } };
}
