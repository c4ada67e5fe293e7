import type { EnvironmentId } from '@clarion/contracts/core';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg';
import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { isRetryableConflict } from './database-errors';
import { type Scope, scopedQuery } from './tenant-scope';
import { TransactionSlots } from './transaction-slots';

/** Asks the open transaction to start again: the obstacle was removed, but the transaction itself is spoilt. */
class StartAgain extends Error {}

type OpenConnection = { client: ClientBase; runner: QueryRunner; giveBackSlot?: () => void };

type Transaction = {
  /** From the first statement on. */
  connection?: OpenConnection;
  /** For whom the last statement was; unknown after an error, which may have undone the word on it. */
  scope: Scope | 'unknown';
  afterCommit: (() => void)[];
  /** The statement before: one connection runs one after another, however many are asked for at once. */
  last: Promise<unknown>;
  ended: boolean;
};

/** What surrounds a piece of work, however deep it is called. */
type Surroundings = { scope?: Scope; transaction?: Transaction };

const CONFLICT_TRIES = 4;

/** Of the pool, for the transactions of one environment. */
const SHARE_OF_ONE_ENVIRONMENT = 0.5;
const WAITING_TRANSACTIONS = 500;
const WAIT_FOR_SLOT_MS = 5_000;

/**
 * The one door to Postgres.
 *
 * A transaction is ambient: whatever runs inside `transaction(...)`, however deep, uses its connection, so the idempotency
 * record of a request commits with the work of that request without either knowing the other. It begins with its first
 * statement, so what has to wait for others can come before (`beforehand`).
 *
 * So is the tenant: what runs inside `asTenant(...)` can see and change the rows of that environment only, whatever its
 * statements say.
 */
export class Database {
  private readonly surroundings = new AsyncLocalStorage<Surroundings>();
  private readonly slots: TransactionSlots;

  constructor(readonly dataSource: DataSource) {
    const { max: poolSize } = dataSource.options.extra as { max: number };
    this.slots = new TransactionSlots({
      open: Math.max(1, Math.floor(poolSize * SHARE_OF_ONE_ENVIRONMENT)),
      waiting: WAITING_TRANSACTIONS,
      waitMs: WAIT_FOR_SLOT_MS,
    });
  }

  /** On behalf of one environment. */
  asTenant<T>(environmentId: EnvironmentId, work: () => T): T {
    return this.surroundings.run({ ...this.surroundings.getStore(), scope: environmentId }, work);
  }

  /** On our own behalf, also inside the work of a tenant: for what concerns several environments. */
  asSystem<T>(work: () => T): T {
    return this.surroundings.run({ ...this.surroundings.getStore(), scope: undefined }, work);
  }

  /** One statement; rows as Postgres names them. */
  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.send({ text: sql, values: parameters })).rows as Row[];
  }

  /** One statement; rows with camelCase names, in the shape of an entity. */
  async rows<Entity>(sql: string, parameters: unknown[] = []): Promise<Entity[]> {
    return (await this.query<Record<string, unknown>>(sql, parameters)).map(camelCase) as Entity[];
  }

  /** One statement that Postgres parses and plans once per connection: for the hot paths. */
  async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.send({ name, text, values })).rows as Row[];
      } catch (error) {
        // A statement on its own that lost a deadlock has done nothing: it may simply run again.
        if (this.transactionNow || attempt >= CONFLICT_TRIES || !isRetryableConflict(error)) throw error;
      }
    }
  }

  /** One statement of which only the number of rows it touched matters. */
  async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.send({ text: sql, values: parameters })).rowCount ?? 0;
  }

  /**
   * Runs the work in a transaction, or joins the one that is there. Deadlocks and serialization failures are tried again
   * from the start, so the work must not have effects outside the database; those belong in `afterCommit`.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.transactionNow) return work();
    for (let attempt = 1; ; attempt += 1) {
      const transaction: Transaction = { scope: undefined, afterCommit: [], last: Promise.resolve(), ended: false };
      try {
        const result = await this.surroundings.run({ ...this.surroundings.getStore(), transaction }, work);
        await this.end(transaction, 'COMMIT');
        for (const task of transaction.afterCommit) task();
        return result;
      } catch (error) {
        await this.end(transaction, 'ROLLBACK').catch(() => undefined);
        if (attempt >= CONFLICT_TRIES || !(error instanceof StartAgain || isRetryableConflict(error))) throw error;
      }
    }
  }

  /**
   * Work whose failure the caller handles. Inside a transaction it runs in a savepoint, because a failed statement would
   * otherwise spoil everything that follows.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const transaction = this.transactionNow;
    if (!transaction) return work();
    await this.send({ text: 'SAVEPOINT attempt' });
    try {
      const result = await work();
      await this.send({ text: 'RELEASE SAVEPOINT attempt' });
      return result;
    } catch (error) {
      await this.send({ text: 'ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt' });
      transaction.scope = 'unknown';
      throw error;
    }
  }

  /** Tries work again after its obstacle was removed; inside a transaction the whole transaction starts again. */
  again<T>(work: () => Promise<T>): Promise<T> {
    if (this.transactionNow) throw new StartAgain();
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
    const transaction = this.transactionNow;
    if (transaction) transaction.afterCommit.push(task);
    else task();
  }

  /** Leaves the ambient transaction: what runs inside commits on its own. */
  outsideTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.surroundings.run({ ...this.surroundings.getStore(), transaction: undefined }, work);
  }

  /**
   * The part of a request that waits for others (a provider, a template thread), with the reads that it takes: outside the
   * transaction that the request may run in, and before its first statement.
   */
  beforehand<T>(work: () => Promise<T>): Promise<T> {
    this.refuseWait('what comes beforehand');
    return this.outsideTransaction(work);
  }

  /** Where a wait for others begins: a transaction that is open meanwhile holds a connection that everybody needs. */
  refuseWait(what: string): void {
    if (this.transactionNow?.connection) throw new Error(`${what} must not wait inside an open transaction`);
  }

  private get transactionNow(): Transaction | undefined {
    return this.surroundings.getStore()?.transaction;
  }

  private send(statement: QueryConfig): Promise<QueryResult> {
    const { transaction, scope } = this.surroundings.getStore() ?? {};
    if (!transaction) return this.sendAlone(scope, statement);
    const turn = transaction.last.then(() => this.sendWithin(transaction, scope, statement));
    transaction.last = turn.catch(() => undefined);
    return turn;
  }

  private async sendAlone(scope: Scope, statement: QueryConfig): Promise<QueryResult> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      return await sendOn(client, statement, scope === undefined ? undefined : { scope });
    } finally {
      await runner.release();
    }
  }

  private async sendWithin(transaction: Transaction, scope: Scope, statement: QueryConfig): Promise<QueryResult> {
    if (transaction.ended) throw new Error(`the transaction of this statement has ended: ${statement.text}`);
    transaction.connection ??= await this.begin(scope);
    const { client } = transaction.connection;
    if (transaction.scope === scope || isControl(statement)) return sendOn(client, statement);
    transaction.scope = scope;
    return sendOn(client, statement, { scope });
  }

  private async begin(scope: Scope): Promise<OpenConnection> {
    const giveBackSlot = scope === undefined ? undefined : await this.slots.take(scope);
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      await client.query('START TRANSACTION');
      return { client, runner, giveBackSlot };
    } catch (error) {
      await runner.release();
      giveBackSlot?.();
      throw error;
    }
  }

  /** After the statements that nobody waited for. */
  private async end(transaction: Transaction, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await transaction.last;
    transaction.ended = true;
    const { connection } = transaction;
    if (!connection) return;
    transaction.connection = undefined;
    try {
      const { command } = await connection.client.query(how);
      if (command !== how) throw new Error('a statement failed without `attempt`, so its transaction cannot commit');
    } finally {
      await connection.runner.release();
      connection.giveBackSlot?.();
    }
  }
}

/** Errors come without the values: some are secrets, and errors are logged. */
async function sendOn(client: ClientBase, statement: QueryConfig, change?: { scope: Scope }): Promise<QueryResult> {
  try {
    return await (change ? scopedQuery(client, change.scope, statement) : client.query(statement));
  } catch (error) {
    throw new QueryFailedError(statement.text, [], error as Error);
  }
}

/** Statements about the transaction itself run as anybody, also when it has failed. */
const isControl = ({ text }: QueryConfig): boolean => /^(SAVEPOINT|RELEASE|ROLLBACK) /.test(text);

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
