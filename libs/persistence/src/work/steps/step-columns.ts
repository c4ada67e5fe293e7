import type { StepOutcome } from './step-rows';

/** Few outcomes have these; they travel as one JSON. A new column of `step` is an entry here. */
const RARE = {
  schedule_extensions_count: { field: 'scheduleExtensionsCount', isKept: true, type: 'int' },
  output: { field: 'output', isKept: false, type: 'jsonb' },
  digest: { field: 'digest', isKept: true, type: 'jsonb' },
  error: { field: 'error', isKept: false, type: 'jsonb' },
} as const satisfies Record<string, { field: keyof StepOutcome; isKept: boolean; type: 'int' | 'jsonb' }>;

const RARE_FIELDS = Object.values(RARE).map(({ field }) => field);

/** The rare values of an outcome; undefined when it has none. */
export function rareValuesOf(outcome: StepOutcome): object | undefined {
  const given = RARE_FIELDS.filter((field) => outcome[field] !== undefined);
  return given.length > 0 ? Object.fromEntries(given.map((field) => [field, outcome[field]])) : undefined;
}

function rareValue({ field, isKept, type }: (typeof RARE)[keyof typeof RARE]): string {
  const read = type === 'jsonb' ? '->' : '->>';
  const own = `rest ${read} '${field}'`;
  const value = isKept ? `coalesce(${own}, progress ${read} '${field}')` : own;
  return type === 'jsonb' ? value : `${value}::${type}`;
}

/** The columns of `step` from a row of `held`. Without a new provider and integration the earlier ones stay. */
const ROW: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['id', 'environment_id', 'queued_at', 'state', 'type', 'step_key'].map((column) => [column, column]),
  ),
  provider_id: `coalesce(provider_id, progress ->> 'providerId', 'platform')`,
  integration_id: `coalesce(integration_id, (progress ->> 'integrationId')::uuid)`,
  details: 'details::json',
  ...Object.fromEntries(Object.entries(RARE).map(([column, rare]) => [column, rareValue(rare)])),
};

export const INSERT_STEPS = `steps AS (
  INSERT INTO step (${Object.keys(ROW).join(', ')})
  SELECT ${Object.values(ROW).join(', ')}
    FROM held
)`;
