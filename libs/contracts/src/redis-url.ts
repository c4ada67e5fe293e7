/** How Redis runs: one server, a primary that sentinels choose, or a cluster. */
export type RedisForm = 'standalone' | 'sentinel' | 'cluster';

export type RedisHost = { host: string; port: number };

type Login = { username?: string; password?: string };

/** What a valid `REDIS_URL` says. */
export type RedisAddress = {
  form: RedisForm;
  tls: boolean;
  /** The server, the sentinels, or some nodes of the cluster. */
  hosts: RedisHost[];
  /** The login of the servers; the sentinels have their own. */
  login: Login;
  db: number;
  /** Processes wait longer for answers by this factor. */
  waitFactor: number;
  /** With `sentinel`: the name of the monitored primary, and the login of the sentinels. */
  master?: string;
  sentinelLogin?: Login;
};

const EXAMPLES: Record<RedisForm, string> = {
  standalone: 'redis://user:password@host:6379/0',
  sentinel: 'redis+sentinel://user:password@host:26379,host:26379/master',
  cluster: 'redis+cluster://user:password@host:6379,host:6379',
};

const URL_PARTS = new RegExp(
  String.raw`^(?<scheme>rediss?)(?:\+(?<form>sentinel|cluster))?://` +
    String.raw`(?:(?<login>[^@/?#]*)@)?(?<hosts>[^@/?#]+)` +
    String.raw`(?:/(?<path>[^@/?#]*))?(?:\?(?<query>[^@#]*))?$`,
);

const PARAMETERS: Record<RedisForm, readonly string[]> = {
  standalone: ['wait_factor'],
  sentinel: ['wait_factor', 'db', 'sentinelUsername', 'sentinelPassword'],
  cluster: ['wait_factor'],
};

const WAIT_FACTOR = /^[1-9]\d?$/;

/** The scheme of a form, e.g. `rediss+cluster://`. */
export const redisScheme = (form: RedisForm, tls: boolean): string =>
  `redis${tls ? 's' : ''}${form === 'standalone' ? '' : `+${form}`}://`;

/** Reads a `REDIS_URL`. A fault is the end of a sentence that begins with the variable; it contains no secret. */
export function readRedisUrl(url: string): { address: RedisAddress } | { faults: string[] } {
  const parts = URL_PARTS.exec(url)?.groups;
  if (!parts) {
    const examples = Object.values(EXAMPLES).join(', ');
    return {
      faults: [
        `must be a URL such as ${examples} (with TLS: rediss:// instead of redis://), ` +
          'with special characters of the password percent-encoded',
      ],
    };
  }
  const faults: string[] = [];
  const form = (parts['form'] ?? 'standalone') as RedisForm;
  const tls = parts['scheme'] === 'rediss';
  const query = readQuery(parts['query'] ?? '', form, faults);
  const [username, password] = splitAt(parts['login'] ?? '', ':').map((part) => decode(part, 'the login', faults));
  const path = decode(parts['path'] ?? '', 'the path', faults);
  const address: RedisAddress = {
    form,
    tls,
    hosts: readHosts(parts['hosts']!, form, tls, faults),
    login: loginOf(username, password),
    db: readDatabase(form === 'sentinel' ? (query.get('db') ?? '') : path, form, tls, faults),
    waitFactor: Number(query.get('wait_factor') ?? 1),
  };
  if (!WAIT_FACTOR.test(query.get('wait_factor') ?? '1')) {
    faults.push('has a wait_factor that is not a whole number from 1 to 99');
  }
  // A client would not log in at all.
  if (username && !password) faults.push('has a login without a password: write user:password@ or :password@');
  if (form === 'sentinel') {
    address.sentinelLogin = loginOf(query.get('sentinelUsername'), query.get('sentinelPassword'));
    if (path) address.master = path;
    else faults.push(`has no name of the monitored primary: write it after the sentinels, ${EXAMPLES.sentinel}`);
  }
  return faults.length > 0 ? { faults } : { address };
}

export function parseRedisUrl(url: string): RedisAddress {
  const read = readRedisUrl(url);
  if ('address' in read) return read.address;
  throw new Error(`the URL of Redis ${read.faults.join('; ')}`);
}

export const redisHostNames = (hosts: readonly RedisHost[]): string => hosts.map(redisHostName).join(',');

export const redisHostName = ({ host, port }: RedisHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

function readHosts(text: string, form: RedisForm, tls: boolean, faults: string[]): RedisHost[] {
  const hosts = text.split(',').flatMap((entry) => {
    const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d{1,5}))?$/.exec(entry)?.groups;
    const port = Number(match?.['port'] ?? (form === 'sentinel' ? 26379 : 6379));
    if (match && port > 0 && port < 65_536) return [{ host: (match['v6'] ?? match['name'])!, port }];
    faults.push('has a host that is not a name or an address with an optional port, such as redis:6379 or [::1]:6379');
    return [];
  });
  if (form === 'standalone' && hosts.length > 1) {
    faults.push(
      `names several servers: write ${redisScheme('sentinel', tls)} for sentinels or ` +
        `${redisScheme('cluster', tls)} for nodes of a cluster`,
    );
  }
  return hosts;
}

function readDatabase(text: string, form: RedisForm, tls: boolean, faults: string[]): number {
  if (!/^\d{0,5}$/.test(text)) {
    faults.push(
      form === 'cluster'
        ? `must not have a path after the nodes: ${redisScheme(form, tls)}host:6379,host:6379`
        : 'has a database that is not a number',
    );
    return 0;
  }
  if (form === 'cluster' && Number(text) > 0) {
    faults.push('names a database, but a Redis Cluster has only database 0: use CLARION_QUEUE_PREFIX to share it');
  }
  return Number(text);
}

function readQuery(text: string, form: RedisForm, faults: string[]): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [rawName, rawValue] = splitAt(pair, '=');
    const name = decode(rawName, 'the query', faults);
    if (!PARAMETERS[form].includes(name)) faults.push(`has the parameter "${name}", which ${adviceOn(name, form)}`);
    else if (query.has(name)) faults.push(`has the parameter "${name}" twice`);
    else query.set(name, decode(rawValue ?? '', 'the query', faults));
  }
  return query;
}

/** What to write instead of a parameter that other clients know. It would have no effect here. */
function adviceOn(name: string, form: RedisForm): string {
  const known = name.toLowerCase().replaceAll(/[-_]/g, '');
  const advice = [
    [/^(usetls|tls|usessl|ssl|secure)$/, `is not supported: write ${redisScheme(form, true)} for TLS`],
    [
      /(ca|cacerts?|cafile|certreqs|rejectunauthorized|verify|insecure|servername|checkhostname)$/,
      'is not supported: certificates are always verified; name the file of a private authority in NODE_EXTRA_CA_CERTS',
    ],
    [/^(db|database)$/, 'is not supported here: write the database as the path, redis://host:6379/1'],
    [/^(user|username|pass|password|auth)$/, 'is not supported: write user:password@ before the host'],
    [/^(master|mastername|mastergroupname|name|servicename)$/, 'is not supported: write the name as the path'],
    [/^(family|ipv6)$/, 'is not supported: addresses of both families are used'],
    [/^(keyprefix|prefix)$/, 'is not supported: set CLARION_QUEUE_PREFIX'],
  ].find(([pattern]) => (pattern as RegExp).test(known))?.[1] as string | undefined;
  return advice ?? `is not supported: the parameters are ${PARAMETERS[form].join(', ')}`;
}

const loginOf = (username?: string, password?: string): Login => ({
  ...(username && { username }),
  ...(password && { password }),
});

function decode(text: string, where: string, faults: string[]): string {
  try {
    return decodeURIComponent(text);
  } catch {
    faults.push(`has a character in ${where} that is not percent-encoded correctly (write % as %25)`);
    return '';
  }
}

function splitAt(text: string, separator: string): [string, ...string[]] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
