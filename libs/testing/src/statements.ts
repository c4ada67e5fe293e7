import pg from 'pg';
import type { DataSource } from 'typeorm';

/** The time of last use is written every ten seconds, during any call. */
const PERIODIC = /SET last_used_at = /;

/** Collects the text of every statement that the pool of this data source sends. */
export function watchStatements(dataSource: DataSource): () => string[] {
  const pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    if (text !== undefined && ownsClient(pool, this) && !PERIODIC.test(text)) statements.push(text);
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return () => {
    pg.Client.prototype.query = query;
    return statements;
  };
}

/** Other pools of the process (such as the queue's) use the same prototype. */
function ownsClient(pool: pg.Pool, client: pg.Client): boolean {
  return ((pool as unknown as { _clients: pg.Client[] })._clients ?? []).includes(client);
}
