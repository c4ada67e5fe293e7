import pg from 'pg';
import type { DataSource } from 'typeorm';

/** A statement that this process sends, and the connection that sends it. */
export type SentStatement = {
  client: pg.Client;
  text: string;
  /** Of a prepared statement. */
  name?: string | undefined;
  /** The application name of the connection. */
  application: string;
};

/**
 * Passes each statement of this process to the hook, with the function that sends it. The hook returns what that
 * function returns. Returns the function that ends it.
 */
export function interceptStatements(hook: (statement: SentStatement, send: () => unknown) => unknown): () => void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const send = (): unknown => (query as (...all: unknown[]) => unknown).apply(this, args);
    const [first] = args;
    const { text, name } = typeof first === 'string' ? { text: first } : (first as { text?: string; name?: string });
    const { connectionParameters } = this as unknown as { connectionParameters: { application_name?: string } };
    const application = connectionParameters.application_name ?? '';
    return text === undefined ? send() : hook({ client: this, text, name, application }, send);
  } as typeof query;
  return () => void (pg.Client.prototype.query = query);
}

/** The time of last use is written every ten seconds, during any call. */
const PERIODIC = /SET last_used_at = /;

/** Collects the text of every statement that the pool of this data source sends. */
export function watchStatements(dataSource: DataSource): () => string[] {
  const pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  const statements: string[] = [];
  const end = interceptStatements(({ client, text }, send) => {
    if (ownsClient(pool, client) && !PERIODIC.test(text)) statements.push(text);
    return send();
  });
  return () => {
    end();
    return statements;
  };
}

/** Other pools of the process (such as the queue's) use the same prototype. */
function ownsClient(pool: pg.Pool, client: pg.Client): boolean {
  return ((pool as unknown as { _clients: pg.Client[] })._clients ?? []).includes(client);
}
