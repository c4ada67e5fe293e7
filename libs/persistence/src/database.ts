import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase, Pool } from 'pg';
import { type DataSource, type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { isRetryableConflict } from './database-errors';

/** Asks the open transaction to start again: the obstacle was removed, but the transaction itself is spoilt. */
class StartAgain extends Error {}

/** `last` is the statement before: one connection runs one after another, however many are asked for at once. */
type Ambient = { manager: EntityManager; afterCommit: (() => void)[]; last: Promise<unknown> };

const CONFLICT_TRIES = 4;

/**
 * The one door to Postgres. A transaction is ambient: whatever runs inside `transaction(...)`, however deep, uses its
 * connection, so the idempotency record of a request commits with the work of that request without either knowing the other.
 */
export class Database {
  private readonly ambient = new AsyncLocalStorage<Ambient>();

  constructor(readonly dataSource: DataSource) {}

  get manager(): EntityManager {
    return this.ambient.getStore()?.manager ?? this.dataSource.manager;
  }

  /** One statement; rows as Postgres names them. */
  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.run(sql, parameters)).records as Row[];
  }

  /** One statement; rows with camelCase names, in the shape of an entity. */
  async rows<Entity>(sql: string, parameters: unknown[] = []): Promise<Entity[]> {
    return (await this.query<Record<string, unknown>>(sql, parameters)).map(camelCase) as Entity[];
  }

  /** One statement that Postgres parses and plans once per connection: for the hot paths. */
  async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.onRunner(async (runner) => {
          const client = (await runner.connect()) as ClientBase;
          try {
            return (await client.query({ name, text, values })).rows as Row[];
          } catch (error) {
            throw new QueryFailedError(text, [], error as Error);
          }
        });
      } catch (error) {
        // A statement on its own that lost a deadlock has done nothing: it may simply run again.
        if (this.ambient.getStore() || attempt >= CONFLICT_TRIES || !isRetryableConflict(error)) throw error;
      }
    }
  }

  /** One statement of which only the number of rows it touched matters. */
  async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters)).affected ?? 0;
  }

  /**
   * Runs the work in a transaction, or joins the one that is open. Deadlocks and serialization failures are tried again
   * from the start, so the work must not have effects outside the database; those belong in `afterCommit`.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.ambient.getStore()) return work();
    for (let attempt = 1; ; attempt += 1) {
      const afterCommit: (() => void)[] = [];
      try {
        const result = await this.dataSource.transaction((manager) =>
          this.ambient.run({ manager, afterCommit, last: Promise.resolve() }, work),
        );
        for (const task of afterCommit) task();
        return result;
      } catch (error) {
        if (attempt >= CONFLICT_TRIES || !(error instanceof StartAgain || isRetryableConflict(error))) throw error;
      }
    }
  }

  /**
   * Work whose failure the caller handles. Inside a transaction it runs in a savepoint, because a failed statement would
   * otherwise spoil everything that follows.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const ambient = this.ambient.getStore();
    return ambient ? ambient.manager.transaction(() => work()) : work();
  }

  /** Tries work again after its obstacle was removed; inside a transaction the whole transaction starts again. */
  again<T>(work: () => Promise<T>): Promise<T> {
    if (this.ambient.getStore()) throw new StartAgain();
    return work();
  }

  async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** How the connections are used, and how many wait for one. */
  poolUse(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (this.dataSource.driver as unknown as { master: Pool }).master;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Runs once the open transaction has committed; at once when there is none. */
  afterCommit(task: () => void): void {
    const ambient = this.ambient.getStore();
    if (ambient) ambient.afterCommit.push(task);
    else task();
  }

  /** Leaves the ambient transaction: what runs inside commits on its own. */
  outsideTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.ambient.exit(work);
  }

  private run(sql: string, parameters: unknown[]) {
    return this.onRunner((runner) => runner.query(sql, parameters, true));
  }

  private async onRunner<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
    const ambient = this.ambient.getStore();
    if (ambient) {
      const turn = ambient.last.then(() => work(ambient.manager.queryRunner!));
      ambient.last = turn.catch(() => undefined);
      return turn;
    }
    const runner = this.dataSource.createQueryRunner();
    try {
      return await work(runner);
    } finally {
      await runner.release();
    }
  }
}

const camelNames = new Map<string, string>();

function camelCase(row: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(row)) {
    let camel = camelNames.get(name);
    if (camel === undefined) {
      camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      camelNames.set(name, camel);
    }
    result[camel] = row[name];
  }
  return result;
}
