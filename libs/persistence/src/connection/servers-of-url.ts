import { type DatabaseServers, parseDatabaseUrl } from '@clarion/contracts/core';
import { Client } from 'pg';

/** Shorter than a caller waits for a connection. */
const LOOK_MS = 1_500;

export type ServerAddress = { host: string; port: number };

type Candidate = { address: ServerAddress; isStandby: boolean; isReadOnly: boolean; timeline: string };

/**
 * The servers that a URL names, and the one that connections go to. With several hosts, all are asked and the one that
 * accepts writes is taken. It is asked again after a connection was lost or a statement was refused because the server
 * accepts no writes: so processes find a promoted standby by themselves. Of two that accept writes, the one that was
 * promoted last is taken: an old primary that comes back must not get writes.
 */
export class ServersOfUrl {
  private readonly servers: DatabaseServers;
  private chosen?: Promise<ServerAddress>;

  constructor(url: string) {
    this.servers = parseDatabaseUrl(url);
  }

  /** For the driver: the login, the database and the settings are the same for all hosts. */
  get firstUrl(): string {
    return this.servers.urls[0];
  }

  get waitFactor(): number {
    return this.servers.waitFactor;
  }

  /** False when there is one server and it is taken as it is. */
  get isChoice(): boolean {
    return this.servers.urls.length > 1 || this.servers.target !== 'any';
  }

  find(): Promise<ServerAddress> {
    if (this.chosen) return this.chosen;
    const chosen = this.choose();
    this.chosen = chosen;
    chosen.catch(() => this.forget());
    return chosen;
  }

  forget(): void {
    this.chosen = undefined;
  }

  private async choose(): Promise<ServerAddress> {
    const { urls, target } = this.servers;
    const answers = await Promise.allSettled(urls.map(look));
    const candidates = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const suitable = candidates
      .filter(({ isStandby, isReadOnly }) => {
        if (target === 'any') return true;
        return target === 'standby' ? isStandby : !isStandby && !isReadOnly;
      })
      // The sort is stable: servers of the same timeline stay in the order of the URL.
      .sort((one, other) => (one.timeline < other.timeline ? 1 : one.timeline > other.timeline ? -1 : 0));
    if (suitable[0]) return suitable[0].address;
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (candidates.length === 0 && failure) throw failure.reason;
    const wanted = target === 'standby' ? 'is a standby' : 'accepts writes';
    // The code means "cannot connect now": callers wait and try again.
    throw Object.assign(new Error(`no server of the database URL ${wanted} at the moment`), { code: '57P03' });
  }
}

async function look(url: string): Promise<Candidate> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Omit<Candidate, 'address'>>(
      `SELECT pg_is_in_recovery() AS "isStandby",
              current_setting('default_transaction_read_only')::bool AS "isReadOnly",
              CASE WHEN pg_is_in_recovery() THEN ''
                   ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`,
    );
    return { address: { host: client.host, port: client.port }, ...rows[0]! };
  } finally {
    await client.end();
  }
}
