import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from './child-environment';
import { Config, type ConfigError, loadConfig } from './config';
import { SECRET_VARIABLES } from './secret-files';
import { SHARE_SETTINGS, shareFaults } from './tenant-settings';

const KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

describe('loadConfig', () => {
  it('has a default for every optional variable', () => {
    expect(loadConfig([], {})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      CLARION_DATA_DIR: '.clarion',
      CLARION_DIALECT: 'spec',
    });
  });

  it('reads given values and treats an empty one as absent', () => {
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

  it('reads the observe port, the metrics settings and the drain times', () => {
    expect(loadConfig([], {})).toMatchObject({
      CLARION_DRAIN_DELAY_MS: 0,
      CLARION_DRAIN_MS: 20_000,
      CLARION_METRICS_ENVIRONMENTS: false,
    });
    expect(loadConfig([], {}).CLARION_OBSERVE_PORT).toBeUndefined();
    const given = { CLARION_OBSERVE_PORT: '9464', CLARION_DRAIN_DELAY_MS: '5000', CLARION_METRICS_ENVIRONMENTS: '1' };
    expect(loadConfig([], given)).toMatchObject({
      CLARION_OBSERVE_PORT: 9464,
      CLARION_DRAIN_DELAY_MS: 5_000,
      CLARION_METRICS_ENVIRONMENTS: true,
    });
  });

  it('reads the egress allow-list and the provider URLs', () => {
    expect(
      loadConfig([], {
        CLARION_EGRESS_ALLOW: ' 10.0.0.0/8, mattermost ,,::1',
        CLARION_PROVIDER_URLS: '{"twilio":"http://127.0.0.1:9001","novu-email":"smtp://localhost:2525/"}',
      }),
    ).toMatchObject({
      CLARION_EGRESS_ALLOW: ['10.0.0.0/8', 'mattermost', '::1'],
      CLARION_PROVIDER_URLS: { twilio: 'http://127.0.0.1:9001', 'platform-email': 'smtp://localhost:2525/' },
    });
    expect(loadConfig([], {})).toMatchObject({ CLARION_EGRESS_ALLOW: [], CLARION_PROVIDER_URLS: {} });
  });

  it('accepts a valid public URL and explains an invalid one', () => {
    const load = (CLARION_PUBLIC_URL: string): string | undefined =>
      loadConfig([], { CLARION_PUBLIC_URL }).CLARION_PUBLIC_URL;
    expect(load('https://clarion.example.com/')).toBe('https://clarion.example.com');
    expect(load('http://10.0.0.1:8080/notify/')).toBe('http://10.0.0.1:8080/notify');
    expect(load('')).toBeUndefined();
    for (const url of ['clarion.example.com', 'ftp://x', 'https://u:p@x', 'https://x/?a=1', 'https://x/#a', '//x']) {
      expect(() => load(url)).toThrow(/CLARION_PUBLIC_URL must be an http\(s\) URL/);
    }
  });

  it('names each invalid entry of the allow-list and the provider URLs', () => {
    const load = (CLARION_PROVIDER_URLS: string): unknown =>
      loadConfig([], { CLARION_PROVIDER_URLS, CLARION_EGRESS_ALLOW: 'fine.example,10.0.0.0/99,http://x' });
    const urls = {
      twilio: 'ftp://x',
      plivo: 'smtp://x/path',
      sns: 7,
      nexmo: 'http://user@x',
      'carrier-pigeon': 'http://x',
      resend: 'http://fine/with/a/path',
    };
    expect(() => load(JSON.stringify(urls))).toThrow(
      expect.objectContaining({
        faults: [
          expect.stringMatching(/^CLARION_EGRESS_ALLOW (?!.*fine).*10\.0\.0\.0\/99.*http:\/\/x/) as string,
          expect.stringMatching(
            /^CLARION_PROVIDER_URLS (?!.*resend).*twilio.*plivo.*sns.*nexmo.*carrier-pigeon is no/,
          ) as string,
        ],
      }),
    );
    for (const text of ['{', '[]', '"x"', 'null']) {
      expect(() => load(text)).toThrow(/CLARION_PROVIDER_URLS must be a JSON object/);
    }
  });

  it('reports all faults at once', () => {
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

  describe('the shares of tenants', () => {
    const faultsOf = (environment: Record<string, string>): string[] => {
      try {
        loadConfig([], environment);
        return [];
      } catch (error) {
        return (error as ConfigError).faults;
      }
    };

    it('has, for each setting of an environment, one of its organization and a total, and defaults that fit', () => {
      const names = Object.keys(loadConfig([], {}));
      const organizations = SHARE_SETTINGS.map(({ organization }) => organization);
      expect(names.filter((name) => /_PER_ENVIRONMENT$/.test(name)).sort()).toEqual(
        SHARE_SETTINGS.flatMap(({ environment }) => environment ?? []).sort(),
      );
      expect(names.filter((name) => /_(PER_)?ORGANIZATION$/.test(name)).sort()).toEqual(organizations.sort());
      expect(SHARE_SETTINGS.every(({ totals }) => totals.length > 0)).toBe(true);
      expect(shareFaults(new Config())).toEqual([]);
    });

    it('lowers shares that are not given to fit into a lower total', () => {
      const sockets = (environment: Record<string, string>): number[] => {
        const config = loadConfig([], environment);
        return [
          config.CLARION_SOCKETS_PER_ENVIRONMENT,
          config.CLARION_SOCKETS_PER_ORGANIZATION,
          config.CLARION_SOCKETS,
        ];
      };
      expect(sockets({})).toEqual([3_000, 4_000, 5_000]);
      expect(sockets({ CLARION_SOCKETS: '100' })).toEqual([80, 80, 100]);
      expect(sockets({ CLARION_SOCKETS: '2' })).toEqual([1, 1, 2]);
      expect(sockets({ CLARION_HTTP_CONNECTIONS: '2' })).toEqual([1, 1, 5_000]);
      expect(sockets({ CLARION_SOCKETS: '50000' })).toEqual([3_000, 4_000, 50_000]);
      expect(sockets({ CLARION_SOCKETS_PER_ENVIRONMENT: '4500' })).toEqual([4_500, 4_500, 5_000]);
      expect(loadConfig([], { CLARION_RATE_LIMIT_GATEWAY: '2' }).CLARION_RATE_LIMIT_ORGANIZATION).toBe(1);
    });

    it('names every share that leaves nothing to other tenants, together with all other faults', () => {
      const given = {
        PORT: '70000',
        CLARION_SOCKETS: '300',
        CLARION_SOCKETS_PER_ENVIRONMENT: '300',
        CLARION_SOCKETS_PER_ORGANIZATION: '400',
        CLARION_HTTP_CONNECTIONS: '400',
        CLARION_RATE_LIMIT_ORGANIZATION: '7',
        CLARION_RATE_LIMIT_GATEWAY: '7',
      };
      expect(faultsOf(given)).toEqual([
        'PORT must be a whole number from 0 to 65535',
        'CLARION_SOCKETS_PER_ENVIRONMENT (300) must be less than CLARION_SOCKETS (300): no tenant may use all of it',
        'CLARION_SOCKETS_PER_ORGANIZATION (400) must be less than CLARION_SOCKETS (300): no tenant may use all of it',
        'CLARION_SOCKETS_PER_ORGANIZATION (400) must be less than CLARION_HTTP_CONNECTIONS (400): ' +
          'no tenant may use all of it',
        'CLARION_RATE_LIMIT_ORGANIZATION (7) must be less than CLARION_RATE_LIMIT_GATEWAY (7): ' +
          'no tenant may use all of it',
      ]);
      const unordered = { CLARION_SOCKETS_PER_ENVIRONMENT: '20', CLARION_SOCKETS_PER_ORGANIZATION: '10' };
      expect(faultsOf(unordered)).toEqual([
        'CLARION_SOCKETS_PER_ENVIRONMENT (20) must not be more than CLARION_SOCKETS_PER_ORGANIZATION (10)',
      ]);
      expect(faultsOf({ CLARION_SOCKETS: 'many' })).toEqual([
        'CLARION_SOCKETS must be a whole number from 2 to 1000000',
      ]);
    });
  });

  it('accepts only store URLs that the driver understands', () => {
    const load = (environment: Record<string, string>) => (): unknown =>
      loadConfig([], { CLARION_ENCRYPTION_KEY: KEY, ...environment });
    for (const url of [
      'postgres://u:p%23ss@db:5432/clarion?sslmode=require',
      'postgresql:///clarion?host=/run/postgres',
      'postgres://u:p@db-1:5432,db-2:5433/clarion?target_session_attrs=read-write&sslrootcert=/etc/ca.pem',
      'postgres://db/clarion?wait_factor=12',
    ])
      expect(load({ DATABASE_URL: url })()).toMatchObject({ DATABASE_URL: url });
    for (const url of [
      'redis://redis',
      'rediss://:secret@redis:6380/2',
      'redis://[::1]:6379/',
      'redis+sentinel://a,b/main',
    ])
      expect(load({ REDIS_URL: url })()).toMatchObject({ REDIS_URL: url });
    for (const url of ['db:5432/clarion', 'mysql://db/clarion', 'postgres://u:p#ss@db/clarion', 'postgres://db:port/x'])
      expect(load({ DATABASE_URL: url })).toThrow(/DATABASE_URL must be a URL such as postgres:/);
    for (const [query, fault] of [
      [
        'sslmod=verify-full',
        /DATABASE_URL has the parameter "sslmod", which would have no effect; the parameters are /,
      ],
      ['sslmode=verify_full', /DATABASE_URL has sslmode=verify_full: use one of disable, .*verify-full/],
      ['target_session_attrs=writable', /DATABASE_URL has target_session_attrs=writable: use one of any, read-write/],
      ['wait_factor=0', /DATABASE_URL has wait_factor=0: use a whole number from 1 to 99/],
      ['connect_timeout=3', /"connect_timeout", which would have no effect/],
    ] as const)
      expect(load({ DATABASE_URL: `postgres://db/clarion?${query}` })).toThrow(fault);
    expect(load({ CLARION_DATABASE_DIRECT_URL: 'postgres://db/clarion' })).toThrow(/no effect without DATABASE_URL/);
    for (const url of ['redis:6379', 'redis://', 'http://redis', 'redis://u:a/b@redis'])
      expect(load({ REDIS_URL: url })).toThrow(/REDIS_URL must be a URL such as redis:/);
    expect(load({ REDIS_URL: 'redis://a,b?tls=true' })).toThrow(
      /REDIS_URL has .*write rediss:\/\/.*; it names several/,
    );
  });

  it('rejects a Redis queue without REDIS_URL instead of using another queue backend', () => {
    const environment = { DATABASE_URL: 'postgres://x/y', CLARION_ENCRYPTION_KEY: KEY, CLARION_QUEUE: 'redis' };
    expect(() => loadConfig(['DATABASE_URL'], environment)).toThrow('REDIS_URL is required with CLARION_QUEUE=redis');
    expect(loadConfig(['DATABASE_URL'], { ...environment, REDIS_URL: 'redis://x' })).toMatchObject(environment);
    // `npm start` may start an embedded Redis.
    expect(loadConfig([], environment)).toMatchObject(environment);
  });

  it('accepts valid tracing settings and explains invalid ones', () => {
    expect(loadConfig([], {})).toMatchObject({ OTEL_TRACES_SAMPLER_ARG: 1 });
    expect(loadConfig([], {}).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined();
    expect(
      loadConfig([], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', OTEL_TRACES_SAMPLER_ARG: '0.25' }),
    ).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER_ARG: 0.25 });
    const load = (OTEL_TRACES_SAMPLER_ARG: string) => () =>
      loadConfig([], {
        OTEL_TRACES_SAMPLER_ARG,
        OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
        OTEL_SERVICE_NAME: 'two words',
      });
    for (const ratio of ['1.1', '-0.1', 'half', 'NaN']) {
      expect(load(ratio)).toThrow(
        expect.objectContaining({
          faults: [
            expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT must be an http\(s\) URL/) as string,
            expect.stringMatching(/^OTEL_SERVICE_NAME must match/) as string,
            'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
          ],
        }),
      );
    }
  });
});

describe('secrets in files', () => {
  const VALUES: Record<(typeof SECRET_VARIABLES)[number], string> = {
    DATABASE_URL: 'postgres://u:p@db/clarion',
    CLARION_DATABASE_DIRECT_URL: 'postgres://u:p@primary/clarion',
    CLARION_DATABASE_READ_URL: 'postgres://u:p@standby/clarion',
    REDIS_URL: 'rediss://:p@redis:6380',
    CLARION_API_KEY: 'a key of sixteen characters',
    CLARION_OPERATOR_KEY: 'the-key-of-the-operator-in-32-characters',
    CLARION_ENCRYPTION_KEY: KEY,
    CLARION_METRICS_TOKEN: 'a token of sixteen characters',
    CLARION_IMPORT_KEY: 'a key of another system',
  };
  let folder: string;
  const file = (name: string, contents: string): string => {
    const path = join(folder, name);
    writeFileSync(path, contents);
    return path;
  };
  const faultsOf = (environment: Record<string, string>, required: 'DATABASE_URL'[] = []): string[] => {
    try {
      loadConfig(required, environment);
      return [];
    } catch (error) {
      return (error as ConfigError).faults;
    }
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clarion-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reads every secret from the file of its _FILE variable, without the line break at its end', () => {
    const environment = Object.fromEntries(
      SECRET_VARIABLES.map((name, at) => [`${name}_FILE`, file(name, VALUES[name] + ['', '\n', '\r\n'][at % 3]!)]),
    );
    expect(loadConfig(['DATABASE_URL'], environment)).toMatchObject(VALUES);
    expect(loadConfig([], { CLARION_API_KEY_FILE: '' }).CLARION_API_KEY).toBeUndefined();
  });

  it('refuses a key of the operator that is short, has blanks or is the key of an environment, and does not show it', () => {
    const rule = 'CLARION_OPERATOR_KEY must have at least 32 characters of ASCII, without blanks';
    for (const key of ['x'.repeat(31), `${'x'.repeat(32)} `, 'ü'.repeat(32)]) {
      expect(faultsOf({ CLARION_OPERATOR_KEY: key })).toEqual([rule]);
    }
    const key = 'x'.repeat(32);
    expect(faultsOf({ CLARION_OPERATOR_KEY: key, CLARION_API_KEY: key })).toEqual([
      'CLARION_OPERATOR_KEY must differ from CLARION_API_KEY, which belongs to an environment',
    ]);
    expect(loadConfig([], { CLARION_OPERATOR_KEY: key }).CLARION_OPERATOR_KEY).toBe(key);
  });

  it('names the path of a file that is missing or empty, and a secret that is given twice', () => {
    const missing = join(folder, 'missing');
    const empty = file('empty', '\n');
    const key = file('key', VALUES.CLARION_ENCRYPTION_KEY);
    expect(
      faultsOf(
        {
          DATABASE_URL_FILE: missing,
          REDIS_URL_FILE: empty,
          CLARION_QUEUE: 'redis',
          CLARION_ENCRYPTION_KEY_FILE: key,
          CLARION_ENCRYPTION_KEY: KEY,
        },
        ['DATABASE_URL'],
      ),
    ).toEqual([
      expect.stringContaining(`DATABASE_URL_FILE names ${missing}, which cannot be read: ENOENT`),
      `REDIS_URL_FILE names ${empty}, which is empty`,
      'CLARION_ENCRYPTION_KEY and CLARION_ENCRYPTION_KEY_FILE are both set: remove one of them',
    ]);
    expect(faultsOf({ DATABASE_URL_FILE: file('bad', 'mysql://x'), CLARION_ENCRYPTION_KEY: KEY })).toEqual([
      expect.stringMatching(/^DATABASE_URL must be a URL/),
    ]);
  });

  it('gives a process that we start each secret once', () => {
    const before = process.env['DATABASE_URL_FILE'];
    process.env['DATABASE_URL_FILE'] = file('url', VALUES.DATABASE_URL);
    process.env['CLARION_API_KEY_FILE'] = file('api-key', VALUES.CLARION_API_KEY);
    try {
      const environment = childEnvironment({ DATABASE_URL: 'postgres://embedded/x', CLARION_ENCRYPTION_KEY: KEY });
      expect(loadConfig([], environment)).toMatchObject({
        DATABASE_URL: 'postgres://embedded/x',
        CLARION_API_KEY: VALUES.CLARION_API_KEY,
      });
    } finally {
      delete process.env['CLARION_API_KEY_FILE'];
      if (before === undefined) delete process.env['DATABASE_URL_FILE'];
    }
  });
});
