import { type EnvironmentId, TENANT_LIMITS } from '@clarion/contracts/core';
import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { Ambient } from './ambient';
import { settingsOf } from './data-source';
import { isRetryableConflict, isWriteFault } from './database-errors';
import { KnownOrganizations } from './known-organizations';
import type { ReadReplica } from './read-replica';
import type { SendingRules } from './session-settings';
import { arrayText } from '../sql/array-text';
import { type Scope, scopedQuery } from './tenant-scope';
import { EnvironmentSlots, type SlotLimits } from './environment-slots';

/** Restarts the open transaction: the obstacle is removed, but the transaction itself has failed. */
class StartAgain extends Error {}

type OpenConnection = { client: ClientBase; release(): Promise<void> };

type OpenTransaction = {
  /** Undefined before the first statement. */
  connection?: OpenConnection;
  /** The scope of the last statement; unknown after an error, which may have rolled back the setting. */
  scope: Scope | 'unknown';
  afterCommit: (() => void)[];
  /** The previous statement: a connection runs its statements one after the other. */
  last: Promise<unknown>;
  ended: boolean;
};

/** The transaction and the tenant of the running work, found at any call depth. */
type Surroundings = {
  scope?: Scope;
  /** The environment whose share of the connections the work uses, also with the rights of the service. */
  tenant?: EnvironmentId;
  transaction?: OpenTransaction;
  readsReplica?: boolean;
};

/** Statements of one environment that may wait: those of many requests that come at once, such as after a restart. */
const WAITING_STATEMENTS = 5_000;

/** How long work over the share of its tenant waits. */
const SLOT_MS = 5_000;

const CONFLICT_TRIES = 4;

/** How long a failed write counts. While Postgres cannot write, other writes fail before. */
const WRITE_FAULT_MS = 10_000;

/**
 * The only access to Postgres. A transaction is ambient: all statements inside `transaction(...)`, at any call depth,
 * use its connection, so the idempotency record of a request commits with the work of that request without either
 * knowing the other. It begins with its first statement, so work that waits can come before it (`beforehand`). The
 * tenant is ambient too: statements inside `asTenant(...)` can read and change the rows of that environment only, even
 * without a condition on it.
 */
export class Database {
  private readonly surroundings = new Ambient<Surroundings>();
  private readonly slots: EnvironmentSlots;
  /** How much longer than usual this process waits for the database. */
  readonly waitFactor: number;
  private readonly rules: SendingRules;
  /** The organizations of the environments that this process works for. */
  readonly organizations = new KnownOrganizations((environmentIds) =>
    this.apart(() =>
      this.rows(`SELECT id AS environment_id, organization_id FROM environment WHERE id = ANY ($1)`, [environmentIds]),
    ),
  );
  /** The last write that Postgres could not do, on the clock of `performance.now()`. */
  private writeFault: { at: number; message: string } | undefined;

  constructor(
    readonly dataSource: DataSource,
    readonly replica?: ReadReplica,
  ) {
    const { poolSize, waitFactor, rules } = settingsOf(dataSource);
    this.rules = rules;
    this.waitFactor = waitFactor;
    const share = TENANT_LIMITS.connections(poolSize);
    this.slots = this.slotsOf(() => share, { waiting: WAITING_STATEMENTS });
  }

  /** Slots for work of tenants that other parts of the process share out in the same way as connections. */
  slotsOf(share: SlotLimits['share'], more: Partial<SlotLimits> = {}): EnvironmentSlots {
    const waitMs = this.waitFactor * SLOT_MS;
    return new EnvironmentSlots({ share, organizationOf: this.organizations.of, waitMs, ...more });
  }

  /** Runs the work with the rights of one environment, and with its share of the connections. */
  asTenant<T>(environmentId: EnvironmentId, work: () => T): T {
    const tenant = { scope: environmentId, tenant: environmentId };
    return this.surroundings.run({ ...this.surroundings.getStore(), ...tenant }, work);
  }

  /** Runs the work with the rights of the service, also inside a tenant's: for changes across environments. */
  asSystem<T>(work: () => T): T {
    return this.surroundings.run({ ...this.surroundings.getStore(), scope: undefined }, work);
  }

  /** Runs work of the service that a request only causes: outside its transaction, its tenant and its share. */
  apart<T>(work: () => T): T {
    return this.surroundings.exit(work);
  }

  /** Reads a list on the read replica, which may be older. Never for reads that decide something. */
  onReplica<T>(work: () => T): T {
    return this.surroundings.run({ ...this.surroundings.getStore(), readsReplica: true }, work);
  }

  /** Runs one statement; rows have the column names of Postgres. */
  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.send({ text: sql, values: parameters })).rows as Row[];
  }

  /** Runs one statement; rows have camelCase names, in the shape of an entity. */
  async rows<Entity>(sql: string, parameters: unknown[] = []): Promise<Entity[]> {
    return (await this.query<Record<string, unknown>>(sql, parameters)).map(camelCase) as Entity[];
  }

  /** The same; the first row, if there is one. */
  async row<Entity>(sql: string, parameters: unknown[] = []): Promise<Entity | undefined> {
    return (await this.rows<Entity>(sql, parameters))[0];
  }

  /** The same; for statements that always return a row, such as a count or an INSERT. */
  async one<Entity>(sql: string, parameters: unknown[] = []): Promise<Entity> {
    return (await this.rows<Entity>(sql, parameters))[0]!;
  }

  /** Runs one statement that always returns a row of one column, and returns its value. */
  async value<Value>(sql: string, parameters: unknown[] = []): Promise<Value> {
    return (await this.column<Value>(sql, parameters))[0]!;
  }

  /** Runs one statement whose rows have one column, and returns the values. */
  async column<Value>(sql: string, parameters: unknown[] = []): Promise<Value[]> {
    const rows = await this.query<Record<string, Value>>(sql, parameters);
    return rows.map((row) => Object.values(row)[0]!);
  }

  /** Runs one statement that Postgres parses and plans once per connection: for the hot paths. */
  async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.send({ name, text, values })).rows as Row[];
      } catch (error) {
        // Outside a transaction, a statement that lost a deadlock has changed nothing: it can run again.
        if (this.transactionNow || attempt >= CONFLICT_TRIES || !isRetryableConflict(error)) throw error;
      }
    }
  }

  /** Runs one statement and returns the number of rows it changed. */
  async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.send({ text: sql, values: parameters })).rowCount ?? 0;
  }

  /** Runs one statement and returns whether it found or changed a row. */
  async matches(sql: string, parameters?: unknown[]): Promise<boolean> {
    return (await this.execute(sql, parameters)) > 0;
  }

  /** Joins an open transaction. A deadlock repeats the work, so other effects belong in `afterCommit`. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.transactionNow) return work();
    for (let attempt = 1; ; attempt += 1) {
      const transaction: OpenTransaction = { scope: undefined, afterCommit: [], last: Promise.resolve(), ended: false };
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

  /** Runs work whose failure the caller handles, inside a transaction in a savepoint. */
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

  /** Runs work again after its obstacle was removed; inside a transaction the whole transaction restarts. */
  again<T>(work: () => Promise<T>): Promise<T> {
    if (this.transactionNow) throw new StartAgain();
    return work();
  }

  async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** Throws while Postgres accepts no writes, as far as that shows without a write, or when one has just failed. */
  async checkWrites(): Promise<void> {
    const [state] = await this.query<{ isStandby: boolean; isReadOnly: boolean }>(
      `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::bool AS "isReadOnly"`,
    );
    if (state!.isStandby) throw new Error('Postgres accepts no writes: it is a standby');
    if (state!.isReadOnly) throw new Error('Postgres accepts no writes: it is read-only');
    const { writeFault } = this;
    if (writeFault && performance.now() - writeFault.at < WRITE_FAULT_MS) {
      throw new Error(`Postgres could not write: ${writeFault.message}`);
    }
  }

  /** Connections in use, and callers that wait for one. */
  poolUse(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (this.dataSource.driver as unknown as { master: Pool }).master;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Whether the running work belongs to a transaction, also one that has not begun yet. */
  get isInTransaction(): boolean {
    return this.transactionNow !== undefined;
  }

  /** Runs the function after the open transaction has committed; at once when there is none. */
  afterCommit(task: () => void): void {
    const transaction = this.transactionNow;
    if (transaction) transaction.afterCommit.push(task);
    else task();
  }

  /** Runs the work outside the open transaction; its statements commit separately. */
  outsideTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.surroundings.run({ ...this.surroundings.getStore(), transaction: undefined }, work);
  }

  /** Runs what waits for a provider or a render process outside and before the transaction of the request. */
  beforehand<T>(work: () => Promise<T>): Promise<T> {
    this.refuseWait('what comes beforehand');
    return this.outsideTransaction(work);
  }

  /** Called where a wait begins: an open transaction would hold a connection that other requests need. */
  refuseWait(what: string): void {
    if (this.transactionNow?.connection) throw new Error(`${what} must not wait inside an open transaction`);
  }

  private get transactionNow(): OpenTransaction | undefined {
    return this.surroundings.getStore()?.transaction;
  }

  private send(statement: QueryConfig): Promise<QueryResult> {
    const surroundings = this.surroundings.getStore() ?? {};
    const { transaction, readsReplica } = surroundings;
    if (!transaction)
      return readsReplica ? this.sendToReplica(surroundings, statement) : this.sendAlone(surroundings, statement);
    const turn = transaction.last.then(() => this.sendWithin(transaction, surroundings, statement));
    transaction.last = turn.catch(() => undefined);
    return turn;
  }

  /** The primary answers a read that the replica cannot answer. */
  private async sendToReplica(surroundings: Surroundings, statement: QueryConfig): Promise<QueryResult> {
    const source = this.replica?.current;
    try {
      if (source) return await this.sendAlone(surroundings, statement, source);
    } catch (error) {
      if (!this.replica!.refuses(error)) throw error;
    }
    return this.sendAlone(surroundings, statement);
  }

  private async sendAlone(
    { scope, tenant }: Surroundings,
    statement: QueryConfig,
    source = this.dataSource,
  ): Promise<QueryResult> {
    const { rules } = settingsOf(source);
    const { client, release } = await this.connect(tenant, source);
    try {
      const change = scope === undefined && !rules.scopesAll ? undefined : { scope };
      const sending = sendOn(client, rules, statement, change);
      return await (source === this.dataSource ? this.noteFault(sending) : sending);
    } finally {
      await release();
    }
  }

  private async sendWithin(
    transaction: OpenTransaction,
    { scope, tenant }: Surroundings,
    statement: QueryConfig,
  ): Promise<QueryResult> {
    if (transaction.ended) throw new Error(`the transaction of this statement has ended: ${statement.text}`);
    transaction.connection ??= await this.begin(tenant);
    const { client } = transaction.connection;
    if (transaction.scope === scope || isControl(statement))
      return this.noteFault(sendOn(client, this.rules, statement));
    transaction.scope = scope;
    return this.noteFault(sendOn(client, this.rules, statement, { scope }));
  }

  /** Notes that Postgres could not write, for `checkWrites`. */
  private async noteFault(sending: Promise<QueryResult>): Promise<QueryResult> {
    try {
      return await sending;
    } catch (error) {
      if (isWriteFault(error)) this.writeFault = { at: performance.now(), message: (error as Error).message };
      throw error;
    }
  }

  private async begin(tenant: EnvironmentId | undefined): Promise<OpenConnection> {
    const connection = await this.connect(tenant);
    try {
      await connection.client.query(this.rules.begin);
      return connection;
    } catch (error) {
      await connection.release();
      throw error;
    }
  }

  /** A connection of the pool, when the tenant has one left of its share. */
  private async connect(tenant: EnvironmentId | undefined, source = this.dataSource): Promise<OpenConnection> {
    const giveBack = tenant && (await this.slots.take(tenant));
    const runner = source.createQueryRunner();
    const release = async (): Promise<void> => {
      await runner.release();
      giveBack?.();
    };
    try {
      return { client: (await runner.connect()) as ClientBase, release };
    } catch (error) {
      // There is no free connection for those that wait either. What a replica cannot answer, the primary does.
      if (tenant && source === this.dataSource) this.slots.refuseWaiting(tenant, error);
      await release();
      throw error;
    }
  }

  /** Resolves after all statements that were sent without waiting for them. */
  private async end(transaction: OpenTransaction, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await transaction.last;
    transaction.ended = true;
    const { connection } = transaction;
    if (!connection) return;
    transaction.connection = undefined;
    try {
      const { command } = await connection.client.query(how);
      if (command !== how) throw new Error('a statement failed without `attempt`, so its transaction cannot commit');
    } finally {
      await connection.release();
    }
  }
}

/** Errors leave out the parameter values: some are secrets, and errors are logged. */
async function sendOn(
  client: ClientBase,
  { namesStatements, scope: setting }: SendingRules,
  wanted: QueryConfig,
  change?: { scope: Scope },
): Promise<QueryResult> {
  const { name, text, values } = wanted;
  const statement = { text, values: values?.map(parameterOf), ...(namesStatements && { name }) };
  try {
    return await (change ? scopedQuery(client, change.scope, statement, setting) : client.query(statement));
  } catch (error) {
    throw new QueryFailedError(statement.text, [], error as Error);
  }
}

const parameterOf = (value: unknown): unknown => (Array.isArray(value) ? (arrayText(value) ?? value) : value);

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
