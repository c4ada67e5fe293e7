import { type EnvironmentId, type JsonObject, LIMITS, newId, type TranslatedResource } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Translation } from '../entities';
import { leadingRows, readLeading } from '../sql/page-bytes';
import { RAISE_CONTENT_VERSION } from './environment-content.sql';
import { columnArrays } from '../sql/column-arrays';

/** A workflow or a layout, by the id of its row. */
export type TranslatedRow = { type: TranslatedResource; id: string };

/** The row of a workflow or a layout, and a locale. */
export type TranslatedContent = { id: string; locale: string };

export type TranslationContent = { resource: TranslatedRow; locale: string; content: JsonObject };

/** The same, under the name that callers use. */
export type NamedTranslation = {
  type: TranslatedResource;
  /** The workflowId or the layoutId. */
  identifier: string;
  name: string;
  locale: string;
  content: JsonObject;
  createdAt: Date;
  updatedAt: Date;
};

/** By it they are listed. */
export type TranslationName = Pick<NamedTranslation, 'type' | 'identifier' | 'locale'>;

const COLUMN = { workflow: 'workflow_id', layout: 'layout_id' } as const satisfies Record<TranslatedResource, string>;

/** Translations are written under `lock`, which makes workers read them again. */
export class TranslationRepository extends Repository {
  /** Lets other writers of the contents of the environment wait until the open transaction ends. */
  async lock(environmentId: EnvironmentId): Promise<void> {
    await this.database.execute(RAISE_CONTENT_VERSION, [[environmentId]]);
  }

  /** The translations of several workflows and layouts, by the ids of their rows, in these or in all locales. */
  listMany(environmentId: EnvironmentId, ids: string[], locales?: string[]): Promise<Translation[]> {
    return this.database.rows<Translation>(
      `SELECT * FROM translation
        WHERE environment_id = $1 AND (workflow_id = ANY ($2::uuid[]) OR layout_id = ANY ($2::uuid[]))
          AND ($3::text[] IS NULL OR locale = ANY ($3))
        ORDER BY locale`,
      [environmentId, ids, locales ?? null],
    );
  }

  /** Contents as JSON. One that does not exist is missing in the result. */
  contents(
    environmentId: EnvironmentId,
    wanted: TranslatedContent[],
  ): Promise<(TranslatedContent & { json: string })[]> {
    const ofResource = (type: TranslatedResource): string => `
      SELECT n.id, x.locale, x.content::text AS json
        FROM unnest($2::uuid[], $3::text[]) AS n (id, locale)
        JOIN translation x ON x.${COLUMN[type]} = n.id AND x.locale = n.locale AND x.environment_id = $1`;
    return this.database.rows(`${ofResource('workflow')} UNION ALL ${ofResource('layout')}`, [
      environmentId,
      ...columnArrays(wanted, 'id', 'locale'),
    ]);
  }

  locales(environmentId: EnvironmentId, ids: string[]): Promise<TranslatedContent[]> {
    return this.database.rows(
      `SELECT coalesce(workflow_id, layout_id) AS id, locale FROM translation
        WHERE environment_id = $1 AND (workflow_id = ANY ($2::uuid[]) OR layout_id = ANY ($2::uuid[]))`,
      [environmentId, ids],
    );
  }

  async find(environmentId: EnvironmentId, { id }: TranslatedRow, locale: string): Promise<Translation | undefined> {
    return (await this.listMany(environmentId, [id], [locale]))[0];
  }

  /** A page in one locale, or in all, without deleted workflows. `isCut`: there are more. */
  async list(
    environmentId: EnvironmentId,
    { locale, after }: { locale?: string; after?: TranslationName } = {},
  ): Promise<{ rows: NamedTranslation[]; isCut: boolean }> {
    const columns = 'x.locale, x.content, x.created_at, x.updated_at';
    const all = `
      SELECT 'workflow' AS type, w.workflow_id AS identifier, w.name, ${columns}
         FROM translation x JOIN workflow w ON w.id = x.workflow_id AND w.deleted_at IS NULL
        WHERE x.environment_id = $1 AND ($2::text IS NULL OR x.locale = $2)
       UNION ALL
       SELECT 'layout', l.layout_id, l.name, ${columns} FROM translation x JOIN layout l ON l.id = x.layout_id
        WHERE x.environment_id = $1 AND ($2::text IS NULL OR x.locale = $2)`;
    const rows = await this.database.rows<NamedTranslation>(
      leadingRows(`SELECT * FROM (${all}) named WHERE $3::text IS NULL OR (type, identifier, locale) > ($3, $4, $5)
                    ORDER BY type, identifier, locale LIMIT ${LIMITS.translations}`),
      [environmentId, locale ?? null, after?.type ?? null, after?.identifier ?? null, after?.locale ?? null],
    );
    return readLeading(rows);
  }

  /** All of them in one locale, which are limited in bytes. */
  async listLocale(environmentId: EnvironmentId, locale: string): Promise<NamedTranslation[]> {
    const all: NamedTranslation[] = [];
    for (;;) {
      const { rows, isCut } = await this.list(environmentId, { locale, after: all.at(-1) });
      all.push(...rows);
      if (!isCut) return all;
    }
  }

  resolve(
    environmentId: EnvironmentId,
    names: { type: TranslatedResource; identifier: string }[],
  ): Promise<{ type: TranslatedResource; identifier: string; id: string }[]> {
    const named = (wanted: TranslatedResource): string[] =>
      names.filter(({ type }) => type === wanted).map(({ identifier }) => identifier);
    return this.database.rows(
      `SELECT 'workflow' AS type, workflow_id AS identifier, id FROM workflow
        WHERE environment_id = $1 AND workflow_id = ANY ($2::text[]) AND deleted_at IS NULL
       UNION ALL
       SELECT 'layout', layout_id, id FROM layout WHERE environment_id = $1 AND layout_id = ANY ($3::text[])`,
      [environmentId, named('workflow'), named('layout')],
    );
  }

  /** Creates or replaces translations; an unchanged one keeps its time. */
  async saveMany(environmentId: EnvironmentId, translations: TranslationContent[]): Promise<void> {
    for (const type of ['workflow', 'layout'] as const) {
      const own = translations.filter(({ resource }) => resource.type === type);
      if (own.length === 0) continue;
      await this.database.execute(
        `INSERT INTO translation (id, environment_id, ${COLUMN[type]}, locale, content)
         SELECT i.id, $1, i."resourceId", i.locale, i.content
           FROM json_to_recordset($2::json) AS i (id uuid, "resourceId" uuid, locale text, content json)
         ON CONFLICT (${COLUMN[type]}, locale) DO UPDATE SET content = excluded.content, updated_at = now()
          WHERE translation.content::text <> excluded.content::text`,
        [
          environmentId,
          JSON.stringify(
            own.map(({ resource, locale, content }) => ({ id: newId(), resourceId: resource.id, locale, content })),
          ),
        ],
      );
    }
  }

  /** Deletes one locale of a workflow or a layout, or all of them. */
  delete(environmentId: EnvironmentId, { type, id }: TranslatedRow, locale?: string): Promise<number> {
    return this.database.execute(
      `DELETE FROM translation
        WHERE environment_id = $1 AND ${COLUMN[type]} = $2 AND ($3::text IS NULL OR locale = $3)`,
      [environmentId, id, locale ?? null],
    );
  }

  /** Deletes translations by the ids of their rows. */
  async deleteMany(environmentId: EnvironmentId, ids: string[]): Promise<void> {
    await this.database.execute(`DELETE FROM translation WHERE environment_id = $1 AND id = ANY ($2::uuid[])`, [
      environmentId,
      ids,
    ]);
  }

  sizes(environmentId: EnvironmentId): Promise<{ locale: string; count: number; bytes: number }[]> {
    return this.database.rows(
      `SELECT locale, count(*)::int AS count, coalesce(sum(octet_length(content::text)), 0)::int AS bytes
         FROM translation WHERE environment_id = $1 GROUP BY locale`,
      [environmentId],
    );
  }

  defaultLocale(environmentId: EnvironmentId): Promise<string> {
    return this.database.value<string>(`SELECT default_locale FROM environment WHERE id = $1`, [environmentId]);
  }
}

export const translatedRowId = ({ workflowId, layoutId }: Translation): string => (workflowId ?? layoutId)!;
