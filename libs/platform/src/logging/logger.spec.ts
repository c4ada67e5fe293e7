import { createLogger } from './logger';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ level: 'info', name: 'spec', destination: { write: (line: string) => void lines.push(line) } }));
  return lines.join('');
}

describe('createLogger', () => {
  it.each([
    { apiKey: 'canary' },
    { credentials: { anything: 'canary' } },
    { integration: { credentials: 'canary' } },
    { req: { headers: { authorization: 'canary' } } },
    { a: { b: { password: 'canary' } } },
  ])('redacts the secret in %j', (fields) => {
    const line = logged((logger) => logger.info({ ...fields, kept: 1 }, 'hello'));
    expect(line).not.toContain('canary');
    expect(JSON.parse(line)).toMatchObject({ app: 'spec', msg: 'hello', kept: 1 });
  });

  it('logs the message and code of an error and no other property', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      parameters: ['canary'],
      detail: 'canary',
    });
    const line = logged((logger) => logger.error({ err: error }, 'failed'));
    expect(line).not.toContain('canary');
    expect(JSON.parse(line)).toMatchObject({
      err: { message: 'duplicate key', code: '23505', stack: expect.any(String) },
    });
  });
});
