import { TimeoutError, withTimeout, withTimeoutOr } from './with-timeout';

const never = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  it('resolves with the value of a promise that settles in time', async () => {
    await expect(withTimeout(Promise.resolve('value'), 1_000, 'the call')).resolves.toBe('value');
  });

  it('rejects with the error of a promise that fails in time', async () => {
    await expect(withTimeout(Promise.reject(new Error('refused')), 1_000, 'the call')).rejects.toThrow('refused');
  });

  it('rejects with a TimeoutError that names the work when the time is up', async () => {
    const failure = withTimeout(never, 5, 'the call');
    await expect(failure).rejects.toThrow(TimeoutError);
    await expect(failure).rejects.toThrow('the call took longer than 5 ms');
  });

  it('ignores a rejection that comes after the timeout', async () => {
    let fail: (error: Error) => void = () => undefined;
    const promise = new Promise<never>((_, reject) => (fail = reject));
    const unhandled = jest.fn();
    process.once('unhandledRejection', unhandled);
    await expect(withTimeout(promise, 5, 'the call')).rejects.toThrow(TimeoutError);
    fail(new Error('too late'));
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('withTimeoutOr', () => {
  it('resolves with the value of a promise that settles in time', async () => {
    await expect(withTimeoutOr(Promise.resolve('value'), 1_000, 'fallback')).resolves.toBe('value');
  });

  it('resolves with the fallback when the time is up', async () => {
    await expect(withTimeoutOr(never, 5, 'fallback')).resolves.toBe('fallback');
  });

  it('rejects with the error of a promise that fails in time', async () => {
    await expect(withTimeoutOr(Promise.reject(new Error('refused')), 1_000, undefined)).rejects.toThrow('refused');
  });
});
