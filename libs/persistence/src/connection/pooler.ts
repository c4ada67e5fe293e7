import { randomBytes } from 'node:crypto';
import { Client, type ClientBase } from 'pg';
import { ServersOfUrl } from './servers-of-url';

/** A program before Postgres that assigns a server connection to each transaction, such as PgBouncer. */
export type Pooler = {
  /** It knows prepared statements by their names and prepares them where they are missing (PgBouncer 1.21 or later). */
  tracksStatements: boolean;
};

const CONNECT_MS = 5_000;

/** The pooler that this URL leads to; undefined when it leads to Postgres itself. */
export async function findPooler(url: string): Promise<Pooler | undefined> {
  const servers = new ServersOfUrl(url);
  const client = new Client({ connectionString: servers.firstUrl, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  if (servers.isChoice) Object.assign(client, await servers.find());
  await client.connect();
  try {
    return (await isPooled(client)) ? { tracksStatements: await tracksStatements(client) } : undefined;
  } finally {
    await client.end();
  }
}

/** Why the queue on Postgres cannot use this URL; undefined when it can. */
export async function directUrlFault(url: string): Promise<string | undefined> {
  const needs = 'CLARION_QUEUE=postgres needs direct connections to one server';
  const remedy = 'set CLARION_DATABASE_DIRECT_URL to the URL of Postgres itself, with one host, or use Redis';
  if (new ServersOfUrl(url).isChoice) return `${needs}, and the URL of the database names several: ${remedy}`;
  return (await findPooler(url)) ? `${needs}, and the URL leads to a connection pooler: ${remedy}` : undefined;
}

/** Postgres tells a client the number of its server process. A pooler tells another number, to cancel statements by. */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
  return rows[0]!.pid !== (client as unknown as { processID: number }).processID;
}

/**
 * A pooler that tracks statements gives them its own names on the server. With another one, the server knows the
 * statement by our name, and the next transaction may reach a server connection that does not know it.
 */
async function tracksStatements(client: ClientBase): Promise<boolean> {
  const name = `clarion_${randomBytes(8).toString('hex')}`;
  await client.query(`START TRANSACTION`);
  await client.query({ name, text: `SELECT 1` });
  const { rowCount } = await client.query({
    text: `SELECT 1 FROM pg_prepared_statements WHERE name = $1`,
    values: [name],
  });
  if (rowCount === 0) {
    await client.query(`COMMIT`);
    return true;
  }
  await client.query(`DEALLOCATE ${name}; COMMIT`);
  return false;
}
