import { type EnvironmentId, LIMITS, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { EnvironmentVariable } from '../entities';
import { likeSubstring } from '../sql/substrings';
import { RAISE_CONTENT_VERSION } from './environment-content.sql';
import { columnArrays } from '../sql/column-arrays';

/** A workflow or a layout whose templates name a variable. */
export type VariableUser = { name: string; identifier: string };

export type NewVariable = Pick<
  EnvironmentVariable,
  'id' | 'environmentId' | 'key' | 'isSecret' | 'value' | 'sealedValue'
>;

/** The variables of an environment with its default locale, as templates need them. */
export type LoadedVariables = {
  /** Of the environment. */
  name: string;
  type: string;
  defaultLocale: string;
  variables: Pick<EnvironmentVariable, 'id' | 'environmentId' | 'key' | 'isSecret' | 'value' | 'sealedValue'>[];
};

/** Variables are written under `lock`, which makes workers read them again. */
export class EnvironmentVariableRepository extends Repository {
  /** Lets other writers of the contents of these environments wait until the open transaction ends. */
  async lock(environmentIds: EnvironmentId[]): Promise<void> {
    await this.database.execute(RAISE_CONTENT_VERSION, [environmentIds]);
  }

  /** Sorted by key. `search` is a part of the key in any case. */
  list(environmentIds: EnvironmentId[], search?: string): Promise<EnvironmentVariable[]> {
    return this.database.rows<EnvironmentVariable>(
      `SELECT * FROM environment_variable
        WHERE environment_id = ANY ($1::uuid[]) AND ($2::text IS NULL OR key ILIKE $2)
        ORDER BY key, environment_id`,
      [environmentIds, search === undefined ? null : likeSubstring(search)],
    );
  }

  find(environmentIds: EnvironmentId[], key: string): Promise<EnvironmentVariable[]> {
    return this.database.rows<EnvironmentVariable>(
      `SELECT * FROM environment_variable WHERE environment_id = ANY ($1::uuid[]) AND key = $2 ORDER BY environment_id`,
      [environmentIds, key],
    );
  }

  /** What templates of the environment can read, in one statement. */
  async load(environmentId: EnvironmentId): Promise<LoadedVariables> {
    const [row] = await this.database.rows<
      Omit<LoadedVariables, 'variables'> & { variables: LoadedVariables['variables'] | null }
    >(
      `SELECT e.name, e.type, e.default_locale,
              (SELECT json_agg(json_build_object('id', v.id, 'environmentId', v.environment_id, 'key', v.key,
                 'isSecret', v.is_secret, 'value', v.value, 'sealedValue', v.sealed_value))
                 FROM environment_variable v WHERE v.environment_id = e.id) AS variables
         FROM environment e WHERE e.id = $1`,
      [environmentId],
    );
    return { ...row!, variables: row!.variables ?? [] };
  }

  /** The number of variables of each environment and the characters of their values. */
  sizes(
    environmentIds: EnvironmentId[],
  ): Promise<{ environmentId: EnvironmentId; count: number; characters: number }[]> {
    return this.database.rows(
      `SELECT environment_id, count(*)::int AS count,
              coalesce(sum(length(coalesce(value, sealed_value, ''))), 0)::int AS characters
         FROM environment_variable WHERE environment_id = ANY ($1::uuid[]) GROUP BY environment_id`,
      [environmentIds],
    );
  }

  /** Inserts rows, or changes those with the same id. */
  save(rows: NewVariable[]): Promise<EnvironmentVariable[]> {
    return this.database.rows<EnvironmentVariable>(
      `INSERT INTO environment_variable (id, environment_id, key, is_secret, value, sealed_value)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::text[], $6::text[])
       ON CONFLICT (id) DO UPDATE SET key = excluded.key, is_secret = excluded.is_secret, value = excluded.value,
         sealed_value = excluded.sealed_value, updated_at = now()
       RETURNING *`,
      columnArrays(rows, 'id', 'environmentId', 'key', 'isSecret', 'value', 'sealedValue'),
    );
  }

  delete(environmentIds: EnvironmentId[], key: string): Promise<number> {
    return this.database.execute(
      `DELETE FROM environment_variable WHERE environment_id = ANY ($1::uuid[]) AND key = $2`,
      [environmentIds, key],
    );
  }

  /** The search is for the name as templates and rules write it, `env.KEY` or `env["KEY"]`. */
  async listUsers(
    environmentId: EnvironmentId,
    key: string,
  ): Promise<{ workflows: VariableUser[]; layouts: VariableUser[] }> {
    const name = `(^|[^[:alnum:]_.])env(\\.${key}($|[^[:alnum:]_])|\\[[^]]{0,4}${key}[^[:alnum:]_])`;
    const inTranslations = (column: string): string =>
      `EXISTS (SELECT 1 FROM translation x
                WHERE x.environment_id = $1 AND x.${column} = t.id AND x.content::text ~ $2)`;
    const [workflows, layouts] = await Promise.all([
      this.database.rows<VariableUser>(
        `SELECT t.name, t.workflow_id AS identifier
           FROM workflow t JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
          WHERE t.environment_id = $1 AND t.deleted_at IS NULL
            AND (v.steps::text ~ $2 OR ${inTranslations('workflow_id')})
          ORDER BY t.name, t.id LIMIT ${LIMITS.variableUsers}`,
        [environmentId, name],
      ),
      this.database.rows<VariableUser>(
        `SELECT t.name, t.layout_id AS identifier FROM layout t
          WHERE t.environment_id = $1 AND (t.control_values::text ~ $2 OR ${inTranslations('layout_id')})
          ORDER BY t.name, t.id LIMIT ${LIMITS.variableUsers}`,
        [environmentId, name],
      ),
    ]);
    return { workflows, layouts };
  }
}

/** A row without a value. */
export const newVariable = (environmentId: EnvironmentId, key: string, isSecret: boolean): NewVariable => ({
  id: newId(),
  environmentId,
  key,
  isSecret,
  value: null,
  sealedValue: null,
});
