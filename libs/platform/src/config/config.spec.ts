import { type ConfigError, loadConfig } from './config';

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

describe('loadConfig', () => {
  it('has a default for everything', () => {
    expect(loadConfig([], {})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      CLARION_DATA_DIR: '.clarion',
      CLARION_DIALECT: 'spec',
    });
  });

  it('reads what is given and treats a blank as absent', () => {
    const config = loadConfig([], {
      PORT: '8080',
      DATABASE_URL: 'postgres://localhost/x',
      CLARION_ENCRYPTION_KEY: KEY,
      CLARION_RETENTION_DAYS: '30',
      CLARION_RATE_LIMIT: 'false',
      REDIS_URL: '',
    });
    expect(config).toMatchObject({ PORT: 8080, CLARION_RETENTION_DAYS: 30, CLARION_RATE_LIMIT: false });
    expect(config.REDIS_URL).toBeUndefined();
  });

  it('names every fault at once', () => {
    const faults = (environment: Record<string, string>, required: 'DATABASE_URL'[] = []): string[] => {
      try {
        loadConfig(required, environment);
      } catch (error) {
        return (error as ConfigError).faults;
      }
      return [];
    };
    expect(
      faults({
        PORT: '99999',
        REDIS_URL: 'http://x',
        CLARION_QUEUE: 'kafka',
        CLARION_API_KEY: 'short',
        CLARION_ENCRYPTION_KEY: 'k1:short',
        CLARION_DIALECT: 'klingon',
        CLARION_RETENTION_DAYS: 'many',
        LOG_LEVEL: 'loud',
      }).map((fault) => fault.split(' ')[0]),
    ).toEqual([
      'PORT',
      'REDIS_URL',
      'CLARION_QUEUE',
      'CLARION_API_KEY',
      'CLARION_DIALECT',
      'CLARION_RETENTION_DAYS',
      'LOG_LEVEL',
      'CLARION_ENCRYPTION_KEY',
    ]);
    expect(faults({ DATABASE_URL: 'postgres://x/y' })[0]).toMatch(
      /^CLARION_ENCRYPTION_KEY is required with DATABASE_URL/,
    );
    expect(faults({}, ['DATABASE_URL'])).toEqual(['DATABASE_URL is required']);
  });
});
