/** The promise, or an error when it takes too long; a rejection that comes later is nobody's any more. */
export async function within<T>(milliseconds: number, promise: Promise<T>, what: string): Promise<T> {
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the queue did not answer in time (${what})`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
