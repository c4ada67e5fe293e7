import { parseRedisUrl, readRedisUrl } from './redis-url';

const faultsOf = (url: string): string[] => {
  const read = readRedisUrl(url);
  return 'faults' in read ? read.faults : [];
};

describe('REDIS_URL', () => {
  it('names one server, with a login, a database and TLS', () => {
    const plain = {
      form: 'standalone',
      tls: false,
      hosts: [{ host: 'redis', port: 6379 }],
      login: {},
      db: 0,
      waitFactor: 1,
    };
    expect(parseRedisUrl('redis://redis')).toEqual(plain);
    expect(parseRedisUrl('redis://redis/')).toEqual(plain);
    expect(parseRedisUrl('rediss://us%3Aer:p%40ss:word@redis:6380/2')).toEqual({
      form: 'standalone',
      tls: true,
      hosts: [{ host: 'redis', port: 6380 }],
      login: { username: 'us:er', password: 'p@ss:word' },
      db: 2,
      waitFactor: 1,
    });
    expect(parseRedisUrl('redis://:secret@[::1]:6379').hosts).toEqual([{ host: '::1', port: 6379 }]);
  });

  it('names sentinels, the primary that they monitor and their own login', () => {
    expect(
      parseRedisUrl(
        'rediss+sentinel://:secret@a,b:26380,[::1]:1/main?db=3&wait_factor=20&sentinelUsername=eye&sentinelPassword=w%26t',
      ),
    ).toEqual({
      form: 'sentinel',
      tls: true,
      hosts: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 26380 },
        { host: '::1', port: 1 },
      ],
      login: { password: 'secret' },
      db: 3,
      waitFactor: 20,
      master: 'main',
      sentinelLogin: { username: 'eye', password: 'w&t' },
    });
  });

  it('names nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://clarion:secret@a:7000,b')).toEqual({
      form: 'cluster',
      tls: false,
      hosts: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 6379 },
      ],
      login: { username: 'clarion', password: 'secret' },
      db: 0,
      waitFactor: 1,
    });
  });

  it.each([
    ['redis://redis?tls=true', 'write rediss:// for TLS'],
    ['redis+sentinel://a/main?ssl=1', 'write rediss+sentinel:// for TLS'],
    ['rediss://redis?ssl_cert_reqs=none', 'NODE_EXTRA_CA_CERTS'],
    ['redis://redis?db=1', 'write the database as the path, redis://host:6379/1'],
    ['redis://redis?password=x', 'write user:password@ before the host'],
    ['redis+sentinel://a/main?master=x', 'write the name as the path'],
    ['redis://redis?family=6', 'addresses of both families are used'],
    ['redis+cluster://a?keyPrefix=x', 'set CLARION_QUEUE_PREFIX'],
    ['redis+sentinel://a/main?role=slave', 'the parameters are wait_factor, db, sentinelUsername, sentinelPassword'],
    ['redis://redis?x=1', 'the parameters are wait_factor'],
  ])('rejects the parameter of %s and says what to write instead', (url, advice) => {
    expect(faultsOf(url)).toEqual([expect.stringContaining(advice)]);
  });

  it.each([
    ['redis://a,b', 'names several servers: write redis+sentinel:// for sentinels or redis+cluster:// for nodes'],
    ['redis+sentinel://a,b', 'has no name of the monitored primary'],
    ['redis+sentinel://a/main?db=x', 'has a database that is not a number'],
    ['redis+cluster://a/1', 'a Redis Cluster has only database 0'],
    ['redis+cluster://a/main', 'must not have a path'],
    ['redis://redis/first', 'has a database that is not a number'],
    ['redis://redis:port', 'has a host that is not a name'],
    ['redis://redis:65536', 'has a host that is not a name'],
    ['redis://redis?wait_factor=0', 'has a wait_factor that is not a whole number from 1 to 99'],
    ['redis://user@redis', 'has a login without a password'],
    ['redis://:100%@redis', 'is not percent-encoded correctly'],
  ])('rejects %s', (url, fault) => {
    expect(faultsOf(url)).toEqual([expect.stringContaining(fault)]);
  });

  it('reports all faults at once', () => {
    expect(faultsOf('redis://user@a,b/x?tls=1&family=4')).toHaveLength(5);
  });

  it('shows no part of the password in a fault', () => {
    for (const url of [
      'redis://:hunter2?x@redis',
      'redis://:hunter2/x@redis',
      'redis://:hunter2#x@redis',
      'redis://:hunter2@redis@redis',
      'redis://:hunter2%@redis:x?tls=1',
      'redis+sentinel://a/main?sentinelPassword=hunter2%&sentinelPassword=hunter2',
    ]) {
      expect(faultsOf(url).length).toBeGreaterThan(0);
      expect(faultsOf(url).join()).not.toMatch(/hunter/);
    }
  });
});
