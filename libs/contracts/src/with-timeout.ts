/** `withTimeout` rejects with this error when the promise does not settle in time. */
export class TimeoutError extends Error {
  constructor(what: string, milliseconds: number) {
    super(`${what} took longer than ${milliseconds} ms`);
    this.name = 'TimeoutError';
  }
}

/** Rejects with a `TimeoutError` that names `what`. The work is not cancelled; a later rejection is ignored. */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  return raceTimer(promise, milliseconds, () => {
    throw new TimeoutError(what, milliseconds);
  });
}

/** As `withTimeout`, but resolves with the fallback when the time is up. */
export async function withTimeoutOr<T, F>(promise: Promise<T>, milliseconds: number, fallback: F): Promise<T | F> {
  return raceTimer(promise, milliseconds, () => fallback);
}

async function raceTimer<T, F>(promise: Promise<T>, milliseconds: number, onTimeout: () => F): Promise<T | F> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([promise, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
