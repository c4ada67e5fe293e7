import { Database } from '../src';

export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
};
export type Explained = { sql: string; nodes: Plan[] };

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
/** Runs each statement twice: first with EXPLAIN ANALYZE, whose effects are rolled back. */
export class ExplainingDatabase extends Database {
  readonly explained: Explained[] = [];

  override async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    await this.explain(sql, parameters);
    return super.query<Row>(sql, parameters);
  }

  override async prepared<Row>(name: string, sql: string, parameters: unknown[]): Promise<Row[]> {
    await this.explain(sql, parameters);
    return super.prepared<Row>(name, sql, parameters);
  }

  override async execute(sql: string, parameters: unknown[] = []): Promise<number> {
    await this.explain(sql, parameters);
    return super.execute(sql, parameters);
  }

  private async explain(sql: string, parameters: unknown[]): Promise<void> {
    if (!/^[\s(]*(WITH|SELECT|UPDATE|DELETE|INSERT)/.test(sql)) return;
    const done = new Error('explained');
    const work = this.attempt(async () => {
      const [row] = await super.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, FORMAT JSON) ${sql}`,
        parameters,
      );
      this.explained.push({ sql, nodes: nodesOf(row!['QUERY PLAN'][0].Plan) });
      throw done;
    });
    await work.catch((error: unknown) => {
      if (error !== done) throw error;
    });
  }
}

/** The rows that the node looks at, each time that it runs, and in all. */
export const rowsOfLoop = (node: Plan): number =>
  node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
export const rowsOf = (node: Plan): number => rowsOfLoop(node) * node['Actual Loops'];
