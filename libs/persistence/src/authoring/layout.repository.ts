import {
  type EnvironmentId,
  type LayoutControlValues,
  LIMITS,
  newId,
  type OrderDirection,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { Layout } from '../entities';
import { leadingPages, leadingRows, type LeftOut, listedColumns, withoutLargeValues } from '../sql/page-bytes';
import { likeSubstring } from '../sql/substrings';

/** By the caller's layoutId or by its id (also from a slug). A layoutId wins over an id of the same text. */
export type LayoutName = { layoutId: string; id?: string };

export type LayoutContent = { name: string; controlValues: LayoutControlValues };

export type NewLayout = LayoutContent & { layoutId: string };

export type LayoutEdit = LayoutContent & { id: string };

export type LayoutPage = {
  limit: number;
  offset: number;
  orderBy: 'created_at' | 'updated_at' | 'name';
  orderDirection: OrderDirection;
};

export type LayoutUser = { name: string; workflowId: string };

export class LayoutRepository extends Repository {
  /** Locks the layouts for writers, because only one is the default. Must run inside a transaction. */
  async lock(environmentId: EnvironmentId): Promise<void> {
    await this.database.query(`SELECT 1 FROM environment WHERE id = $1 FOR NO KEY UPDATE`, [environmentId]);
  }

  find(environmentId: EnvironmentId, { layoutId, id }: LayoutName): Promise<Layout | undefined> {
    return this.database.row<Layout>(
      `SELECT * FROM layout WHERE environment_id = $1 AND (layout_id = $2 OR id = $3::uuid)
        ORDER BY (layout_id = $2) DESC LIMIT 1`,
      [environmentId, layoutId, id ?? null],
    );
  }

  /** Finds layouts by the name that steps and overrides use. Each can be as large as a body, so they come in pages. */
  async findMany(environmentId: EnvironmentId, layoutIds: string[]): Promise<Layout[]> {
    const read = (left: string[]): Promise<Layout[]> =>
      this.database.rows<Layout>(
        leadingRows(`SELECT * FROM layout WHERE environment_id = $1 AND layout_id = ANY ($2)`),
        [environmentId, left],
      );
    const found: Layout[] = [];
    for await (const page of leadingPages(layoutIds, read, ({ layoutId }) => layoutId)) found.push(...page);
    return found;
  }

  /** Those of the names that a layout has. */
  async existing(environmentId: EnvironmentId, layoutIds: string[]): Promise<Set<string>> {
    const rows = await this.database.rows<Pick<Layout, 'layoutId'>>(
      `SELECT layout_id FROM layout WHERE environment_id = $1 AND layout_id = ANY ($2)`,
      [environmentId, layoutIds],
    );
    return new Set(rows.map(({ layoutId }) => layoutId));
  }

  findDefault(environmentId: EnvironmentId): Promise<Layout | undefined> {
    return this.database.row<Layout>(`SELECT * FROM layout WHERE environment_id = $1 AND is_default`, [environmentId]);
  }

  /** Undefined when the layoutId is taken. The first layout is the default. Must run under `lock`. */
  async insert(environmentId: EnvironmentId, layoutId: string, content: LayoutContent): Promise<Layout | undefined> {
    return (await this.insertMany(environmentId, [{ layoutId, ...content }]))[0];
  }

  /** As `insert`. Leaves out those whose layoutId is taken. */
  async insertMany(environmentId: EnvironmentId, layouts: NewLayout[]): Promise<Layout[]> {
    if (layouts.length === 0) return [];
    return this.database.rows<Layout>(
      `INSERT INTO layout (id, environment_id, layout_id, name, control_values, is_default)
       SELECT i.id, $1::uuid, i."layoutId", i.name, i."controlValues",
              i.n = 1 AND NOT EXISTS (SELECT 1 FROM layout WHERE environment_id = $1::uuid AND is_default)
         FROM jsonb_to_recordset($2::jsonb)
                AS i (n int, id uuid, "layoutId" text, name text, "controlValues" jsonb)
       ON CONFLICT ON CONSTRAINT layout_identifier_key DO NOTHING RETURNING *`,
      [environmentId, JSON.stringify(layouts.map((layout, index) => ({ ...layout, n: index + 1, id: newId() })))],
    );
  }

  async update(environmentId: EnvironmentId, id: string, content: LayoutContent): Promise<Layout | undefined> {
    return (await this.updateMany(environmentId, [{ id, ...content }]))[0];
  }

  async updateMany(environmentId: EnvironmentId, layouts: LayoutEdit[]): Promise<Layout[]> {
    if (layouts.length === 0) return [];
    return this.database.rows<Layout>(
      `UPDATE layout t SET name = i.name, control_values = i."controlValues", updated_at = now()
         FROM jsonb_to_recordset($2::jsonb) AS i (id uuid, name text, "controlValues" jsonb)
        WHERE t.environment_id = $1 AND t.id = i.id RETURNING t.*`,
      [environmentId, JSON.stringify(layouts)],
    );
  }

  /** Must run under `lock`. */
  async makeDefault(environmentId: EnvironmentId, id: string): Promise<void> {
    // A separate statement, and first: the unique index would see two defaults in the middle of a single statement.
    await this.database.query(
      `UPDATE layout SET is_default = false, updated_at = now() WHERE environment_id = $1 AND is_default AND id <> $2`,
      [environmentId, id],
    );
    await this.database.query(
      `UPDATE layout SET is_default = true, updated_at = now() WHERE environment_id = $1 AND id = $2`,
      [environmentId, id],
    );
  }

  /** False when one of them is the default and layouts that stay exist: one of those must become it first. */
  async deleteMany(environmentId: EnvironmentId, ids: string[]): Promise<boolean> {
    const deleted = await this.database.execute(
      `DELETE FROM layout WHERE environment_id = $1 AND id = ANY ($2::uuid[])
          AND NOT (is_default AND EXISTS (SELECT 1 FROM layout other WHERE other.environment_id = $1
            AND other.id <> ALL ($2::uuid[])))`,
      [environmentId, ids],
    );
    return deleted === ids.length;
  }

  /** Case-insensitive `query` in the name or the layoutId. */
  async list(
    environmentId: EnvironmentId,
    query: string | undefined,
    page: LayoutPage,
  ): Promise<{ rows: (Layout & LeftOut)[]; totalCount: number }> {
    const parameters: unknown[] = [environmentId];
    const where = ['environment_id = $1'];
    if (query !== undefined) {
      const text = `$${parameters.push(likeSubstring(query))}`;
      where.push(`(name ILIKE ${text} OR layout_id ILIKE ${text})`);
    }
    const { orderDirection: direction } = page;
    const [rows, [counted]] = await Promise.all([
      this.database.rows<Layout & LeftOut>(
        withoutLargeValues(
          `SELECT * FROM layout WHERE ${where.join(' AND ')}
            ORDER BY ${page.orderBy} ${direction}, id ${direction} LIMIT ${page.limit} OFFSET ${page.offset}`,
          listedColumns(Layout, { control_values: `'{}'` }),
        ),
        parameters,
      ),
      this.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM layout WHERE ${where.join(' AND ')}`,
        parameters,
      ),
    ]);
    return { rows, totalCount: counted!.count };
  }

  /** Workflows whose email steps, or variants of them, name a layout; with `orNone` also those that name none. */
  listUsers(environmentId: EnvironmentId, layoutIds: string[], { orNone = false } = {}): Promise<LayoutUser[]> {
    const uses = (controls: string): string =>
      `(${controls} ->> 'layoutId' = ANY ($2::text[]) OR ($3 AND NOT ${controls} ? 'layoutId'))`;
    return this.database.rows<LayoutUser>(
      `SELECT t.name, t.workflow_id
         FROM workflow t JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
        WHERE t.environment_id = $1 AND t.deleted_at IS NULL
          AND EXISTS (SELECT 1 FROM jsonb_array_elements(v.steps) s
                       WHERE s ->> 'type' = 'email'
                         AND (${uses(`(s -> 'controlValues')`)}
                              OR EXISTS (SELECT 1 FROM jsonb_array_elements(s -> 'variants') variant
                                          WHERE ${uses(`(variant -> 'controlValues')`)})))
        ORDER BY t.name, t.id LIMIT ${LIMITS.layoutUsers}`,
      [environmentId, layoutIds, orNone],
    );
  }
}
