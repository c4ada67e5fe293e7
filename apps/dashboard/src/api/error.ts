type ErrorBody = {
  message?: string | string[];
  /** By field, or of bulk operations one for each element. */
  errors?: Record<string, { messages?: string[] }> | { message?: string }[];
};

export class ApiError extends Error {
  private constructor(
    message: string,
    readonly status: number,
    /** The messages for each field of the request. */
    readonly fields: Record<string, string>,
    readonly retryAfterSeconds: number | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  static of(response: Response, body: unknown): ApiError {
    const { message, errors = {} } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
    const elements = Array.isArray(errors) ? errors.flatMap(({ message: text }) => text ?? []) : [];
    const fields = Object.fromEntries(
      Object.entries(Array.isArray(errors) ? {} : errors).map(([name, { messages = [] }]) => [
        name,
        messages.join('. '),
      ]),
    );
    const text = [message ?? [], ...elements].flat().join('. ') || `The gateway answered ${response.status}`;
    const seconds = Number(response.headers.get('retry-after'));
    return new ApiError(
      text,
      response.status,
      fields,
      Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
      response.headers.get('x-request-id') ?? undefined,
    );
  }
}

/** Another person was faster. The message says what they did. */
export class Overtaken extends Error {}

export const isStatus = (error: unknown, ...statuses: number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);
