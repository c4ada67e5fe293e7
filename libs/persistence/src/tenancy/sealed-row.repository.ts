import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';

/** A row with encrypted values: its primary key, and the columns that hold them. */
export type SealedRow = { key: string[]; environmentId: EnvironmentId; columns: JsonObject };

export type SealedPage = {
  /** The rows of the page with a value under another key than the newest. */
  rows: SealedRow[];
  seen: number;
  /** The start of the next page; undefined after the last one. */
  next?: string[];
};

type Holder = {
  key: Record<string, 'uuid' | 'text'>;
  columns: Record<string, 'text' | 'text[]' | 'jsonb'>;
  /** The JSON path of the encrypted values in these columns. It may match more than them, never less. */
  secrets: string;
  /** Code that rewrites a column from its stored value locks this row meanwhile. */
  writersHold?: string;
};

const ID = { id: 'uuid' } as const;

const HOLDERS = {
  integration: {
    key: ID,
    columns: { credentials: 'jsonb', configurations: 'jsonb' },
    secrets: '$.*.*',
    writersHold: 'JOIN environment w ON w.id = t.environment_id',
  },
  api_key: { key: ID, columns: { encrypted_key: 'text' }, secrets: '$.*' },
  inbox_secret: { key: { environment_id: 'uuid', id: 'uuid' }, columns: { secret: 'text' }, secrets: '$.*' },
  subscriber_channel: { key: ID, columns: { credentials: 'text' }, secrets: '$.*' },
  channel_connection: { key: ID, columns: { auth: 'text' }, secrets: '$.*' },
  channel_endpoint: { key: ID, columns: { endpoint: 'text' }, secrets: '$.*' },
  environment_variable: { key: ID, columns: { sealed_value: 'text' }, secrets: '$.*' },
  idempotency_record: {
    key: { environment_id: 'uuid', key: 'text', method: 'text', path: 'text' },
    columns: { body: 'text' },
    secrets: '$.*',
  },
  trigger: { key: ID, columns: { recipients: 'jsonb', actor: 'jsonb' }, secrets: '$.*[*].channels[*].credentials' },
  webhook_endpoint: { key: ID, columns: { secret: 'text', previous_secret: 'text' }, secrets: '$.*' },
  mirror: { key: { environment_id: 'uuid' }, columns: { key: 'text' }, secrets: '$.*' },
  mirror_copy: { key: ID, columns: { body: 'text' }, secrets: '$.*' },
  message: {
    key: ID,
    columns: { direct_webhook_url: 'text', device_tokens: 'text[]' },
    secrets: '$.*[*]',
  },
} satisfies Record<string, Holder>;

export type SealedTable = keyof typeof HOLDERS;

export const SEALED_TABLES = Object.keys(HOLDERS) as SealedTable[];

const SMALLEST = { uuid: '00000000-0000-0000-0000-000000000000', text: '' };

/** Rows with encrypted values of all environments: for the operator who changes the encryption key. */
export class SealedRowRepository extends Repository {
  /** The next rows in the order of their keys. `newestPrefix` is the prefix of values under the newest key. */
  async page(
    table: SealedTable,
    after: string[] | undefined,
    newestPrefix: string,
    limit: number,
  ): Promise<SealedPage> {
    const { key, columns, secrets }: Holder = HOLDERS[table];
    const names = Object.keys(key).join(', ');
    const start = Object.values(key).map((type, index) => `$${index + 3}::${type}`);
    const rows = await this.database.rows<Omit<SealedRow, 'columns'> & { columns: JsonObject | null }>(
      `SELECT ARRAY[${textsOf(key)}] AS key, environment_id,
              CASE WHEN jsonb_path_exists(${document(columns)}, '${secrets} ? (!(@ starts with $newest))',
                                          jsonb_build_object('newest', $1::text))
                   THEN ${document(columns)} END AS columns
         FROM ${table} t WHERE (${names}) > (${start.join(', ')}) ORDER BY ${names} LIMIT $2`,
      [newestPrefix, limit, ...(after ?? Object.values(key).map((type) => SMALLEST[type]))],
    );
    return {
      rows: rows.filter((row): row is SealedRow => row.columns !== null),
      seen: rows.length,
      next: rows.length < limit ? undefined : rows.at(-1)!.key,
    };
  }

  /** A row that changed since keeps its new value, and a locked row is skipped: no caller waits. */
  replace(table: SealedTable, changes: { row: SealedRow; columns: JsonObject }[]): Promise<number> {
    const { key, columns, writersHold }: Holder = HOLDERS[table];
    const names = Object.keys(key);
    const changed = Object.keys(columns).join(', ');
    const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    const isSame = Object.entries(key).map(([name, type], index) => `t.${name} = i.key[${index + 1}]::${type}`);
    return this.database.execute(
      `WITH free AS MATERIALIZED (
         SELECT ${names.map((name) => `t.${name}`).join(', ')}, i.after
           FROM jsonb_to_recordset($1) AS i (key text[], before jsonb, after jsonb)
           JOIN ${table} t ON ${isSame.join(' AND ')} ${writersHold ?? ''}
          WHERE ${document(columns)} = i.before
            FOR NO KEY UPDATE OF t${writersHold ? ', w' : ''} SKIP LOCKED
       )
       UPDATE ${table} t
          SET (${changed}) = (SELECT ${changed} FROM jsonb_to_record(free.after) AS a (${typed.join(', ')}))
         FROM free WHERE ${names.map((name) => `t.${name} = free.${name}`).join(' AND ')}`,
      [JSON.stringify(changes.map(({ row, columns: after }) => ({ key: row.key, before: row.columns, after })))],
    );
  }
}

const textsOf = (key: Holder['key']): string =>
  Object.keys(key)
    .map((name) => `${name}::text`)
    .join(', ');

const document = (columns: Holder['columns']): string =>
  `jsonb_build_object(${Object.keys(columns)
    .map((name) => `'${name}', t.${name}`)
    .join(', ')})`;
