import type { EnvironmentId } from '@clarion/contracts/core';
import type { SendingRules } from './session-settings';
import { Query, type ClientBase, type Connection, type QueryConfig, type QueryResult } from 'pg';

/** May read and change the rows of one environment only, by row-level security (`row-level-security.ts`). */
export const TENANT_ROLE = 'clarion_tenant';

/** The environment that a statement runs for; undefined means the service, with the role of the login. */
export type Scope = EnvironmentId | undefined;

/** The methods of the query that the driver calls; the published types leave them out. */
type Wire = Connection & {
  parsedStatements: Record<string, string | undefined>;
  parse(statement: { name?: string; text: string }): void;
  bind(values: { statement?: string; values: string[] }): void;
  execute(portal: { portal: string }): void;
};

type DriverQuery = {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
};
const driver = Query.prototype as unknown as DriverQuery;

/**
 * A statement with its scope. Both are sent together and belong to one transaction, so the scope costs no round trip
 * and ends with the statement (or with the open transaction): the connection keeps none of it, and a pooler may give
 * the next statement another connection.
 */
class ScopedQuery extends Query implements DriverQuery {
  /** While Postgres answers the scope statement, the driver must not take that answer for the query's. */
  declare private isScoping: boolean | undefined;
  declare private own: { name?: string; text: string };

  constructor(
    statement: QueryConfig,
    private readonly settings: [role: string, environmentId: string],
    private readonly scope: SendingRules['scope'],
    callback: (error: Error | undefined, result: QueryResult) => void,
  ) {
    super(statement, undefined, callback as never);
  }

  get name(): string | undefined {
    return this.isScoping ? this.scope.name : this.own.name;
  }

  set name(name: string | undefined) {
    this.own = { ...this.own, name };
  }

  get text(): string {
    return this.isScoping ? this.scope.text : this.own.text;
  }

  set text(text: string) {
    this.own = { ...this.own, text };
  }

  requiresPreparation(): boolean {
    return true;
  }

  prepare(connection: Wire): void {
    const { name } = this.scope;
    if (name === undefined || connection.parsedStatements[name] === undefined) connection.parse(this.scope);
    connection.bind({ statement: name, values: this.settings });
    connection.execute({ portal: '' });
    driver.prepare.call(this, connection);
    this.isScoping = true;
  }

  handleDataRow(message: unknown): void {
    if (!this.isScoping) driver.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.isScoping) this.isScoping = false;
    else driver.handleCommandComplete.call(this, message, connection);
  }
}

/** Sends the setting of the scope and the statement. */
export function scopedQuery(
  client: ClientBase,
  scope: Scope,
  statement: QueryConfig,
  setting: SendingRules['scope'],
): Promise<QueryResult> {
  const settings: [string, string] = scope === undefined ? ['none', ''] : [TENANT_ROLE, scope];
  return new Promise((resolve, reject) => {
    client.query(
      new ScopedQuery(statement, settings, setting, (error, result) =>
        error ? reject(error) : resolve(result),
      ) as never,
    );
  });
}
