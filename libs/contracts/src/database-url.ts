/** Which server a connection needs: one that accepts writes, a standby, or either. */
type DatabaseTarget = 'any' | 'read-write' | 'standby';

/** The servers of a `postgres://` URL, each as a URL with one host, and the factor for longer waits. */
export type DatabaseServers = { urls: [string, ...string[]]; target: DatabaseTarget; waitFactor: number };

const EXAMPLE = 'postgres://user:password@host:5432/database';
const FORM = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/** The parameters that have an effect; the driver would ignore others without a word. */
const PARAMETERS = [
  ...['host', 'port', 'user', 'password', 'application_name'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
];
/** The parameters that this process reads itself. */
const OWN_PARAMETERS = ['target_session_attrs', 'wait_factor'];
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const TARGETS: Record<string, DatabaseTarget> = {
  any: 'any',
  'read-write': 'read-write',
  primary: 'read-write',
  standby: 'standby',
};

/** The end of a sentence about a URL that cannot be used; undefined for one that can. */
export function databaseUrlFault(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? FORM.exec(value) : null;
  if (!parts || !urlsOf(parts).every((url) => URL.canParse(url))) {
    return `must be a URL such as ${EXAMPLE}, with special characters of the password percent-encoded`;
  }
  for (const [name, setting] of new URLSearchParams(parts[5])) {
    if (name === 'target_session_attrs') {
      if (!Object.hasOwn(TARGETS, setting)) return `has target_session_attrs=${setting}: use one of ${listed(TARGETS)}`;
    } else if (OWN_PARAMETERS.includes(name)) {
      if (!/^[1-9]\d?$/.test(setting)) return `has ${name}=${setting}: use a whole number from 1 to 99`;
    } else if (!PARAMETERS.includes(name)) {
      const known = [...PARAMETERS, ...OWN_PARAMETERS].join(', ');
      return `has the parameter "${name}", which would have no effect; the parameters are ${known}`;
    } else if (name === 'sslmode' && !SSL_MODES.includes(setting)) {
      return `has sslmode=${setting}: use one of ${SSL_MODES.join(', ')}`;
    }
  }
  return undefined;
}

/** Of several hosts, the one that accepts writes is wanted, unless the URL says otherwise. Throws for a faulty URL. */
export function parseDatabaseUrl(value: string): DatabaseServers {
  const fault = databaseUrlFault(value);
  if (fault) throw new Error(`The URL of the database ${fault}`);
  const parts = FORM.exec(value)!;
  const urls = urlsOf(parts);
  const parameters = new URLSearchParams(parts[5]);
  const target = parameters.get('target_session_attrs') ?? '';
  return {
    urls,
    target: TARGETS[target] ?? (urls.length > 1 ? 'read-write' : 'any'),
    waitFactor: Number(parameters.get('wait_factor') ?? 1),
  };
}

function urlsOf([, scheme, login = '', hosts, path = '', query]: RegExpExecArray): [string, ...string[]] {
  const parameters = new URLSearchParams(query);
  for (const name of OWN_PARAMETERS) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return hosts!.split(',').map((host) => `${scheme}${login}${host}${path}${rest}`) as [string, ...string[]];
}

const listed = (values: Record<string, unknown>): string => Object.keys(values).join(', ');
