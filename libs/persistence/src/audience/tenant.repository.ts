import { type EnvironmentId, type JsonObject, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { Tenant } from '../entities';
import { type LeftOut, listedColumns, withoutLargeValues } from '../sql/page-bytes';
import { type NumberedPage, type PageResult, toPage } from '../sql/pages';

export type TenantInput = { identifier: string; name?: string | null; data?: JsonObject | null };

/** An absent field keeps its value, null clears it. */
export type TenantChange = Partial<TenantInput>;

export const TENANT_IDENTIFIER = 'tenant_identifier_key';

const COLUMNS = ['identifier', 'name', 'data'] as const satisfies (keyof TenantInput)[];

export class TenantRepository extends Repository {
  async find(environmentId: EnvironmentId, identifier: string): Promise<Tenant | undefined> {
    const [row] = await this.findMany(environmentId, [identifier]);
    return row;
  }

  /** The same, locked until the open transaction ends. */
  lock(environmentId: EnvironmentId, identifier: string): Promise<Tenant | undefined> {
    return this.database.row<Tenant>(`SELECT * FROM tenant WHERE environment_id = $1 AND identifier = $2 FOR UPDATE`, [
      environmentId,
      identifier,
    ]);
  }

  findMany(environmentId: EnvironmentId, identifiers: string[]): Promise<Tenant[]> {
    if (identifiers.length === 0) return Promise.resolve([]);
    return this.database.rows<Tenant>(`SELECT * FROM tenant WHERE environment_id = $1 AND identifier = ANY ($2)`, [
      environmentId,
      identifiers,
    ]);
  }

  async findIdentifiers(environmentId: EnvironmentId, identifiers: string[]): Promise<Set<string>> {
    if (identifiers.length === 0) return new Set();
    return new Set(
      await this.database.column<string>(
        `SELECT identifier FROM tenant WHERE environment_id = $1 AND identifier = ANY ($2)`,
        [environmentId, identifiers],
      ),
    );
  }

  /** Undefined when the identifier is taken: the unique constraint decides between concurrent callers. */
  insert(environmentId: EnvironmentId, input: TenantInput): Promise<Tenant | undefined> {
    return this.database.row<Tenant>(
      `INSERT INTO tenant (id, environment_id, identifier, name, data) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT ON CONSTRAINT ${TENANT_IDENTIFIER} DO NOTHING RETURNING *`,
      [newId(), environmentId, ...COLUMNS.map((column) => columnValue(input[column]))],
    );
  }

  /** Undefined when the tenant does not exist; violates TENANT_IDENTIFIER when the new identifier is taken. */
  update(environmentId: EnvironmentId, identifier: string, change: TenantChange): Promise<Tenant | undefined> {
    const given = COLUMNS.filter((column) => change[column] !== undefined);
    if (given.length === 0) return this.find(environmentId, identifier);
    const parameters: unknown[] = [environmentId, identifier];
    const assignments = given.map((column) => `${column} = $${parameters.push(columnValue(change[column]))}`);
    return this.database.row<Tenant>(
      `UPDATE tenant SET ${assignments.join(', ')}, updated_at = now()
        WHERE environment_id = $1 AND identifier = $2 RETURNING *`,
      parameters,
    );
  }

  delete(environmentId: EnvironmentId, identifier: string): Promise<boolean> {
    return this.database.matches(`DELETE FROM tenant WHERE environment_id = $1 AND identifier = $2`, [
      environmentId,
      identifier,
    ]);
  }

  /** Newest first. */
  async list(environmentId: EnvironmentId, page: NumberedPage): Promise<PageResult<Tenant & LeftOut>> {
    const sql = `SELECT * FROM tenant WHERE environment_id = $1
                  ORDER BY id DESC LIMIT ${page.limit + 1} OFFSET ${page.offset}`;
    const rows = await this.database.rows<Tenant & LeftOut>(
      withoutLargeValues(sql, listedColumns(Tenant, { data: 'NULL' })),
      [environmentId],
    );
    return toPage(rows, page);
  }
}

const columnValue = (value: string | JsonObject | null | undefined): string | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
