import type { TemplateRenderer } from '@clarion/content';
import {
  type EnvironmentId,
  isJsonObject,
  type JsonObject,
  LIMITS,
  type NotificationTriggerDto,
  type WorkflowVariables,
} from '@clarion/contracts';
import type { Workflow } from '@clarion/persistence';

type Contents = { controlValues?: JsonObject | null; variants?: { controlValues?: JsonObject | null }[] };

const SCHEMA_DEPTH = 8;

export async function templateVariables(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  steps: Contents[],
): Promise<Pick<WorkflowVariables, 'payload' | 'subscriber'>> {
  const contents = steps.flatMap(({ controlValues, variants = [] }) => [
    controlValues ?? {},
    ...variants.map((variant) => variant.controlValues ?? {}),
  ]);
  const paths = await renderer.variablesOf(environmentId, { contents });
  const inside = (namespace: string): string[] =>
    bounded(paths.filter(([first, second]) => first === namespace && second).map((path) => path.slice(1).join('.')));
  return { payload: inside('payload'), subscriber: inside('subscriber') };
}

/** The paths of the leaf properties of a payload schema. */
export function schemaVariables(schema: JsonObject | null | undefined): string[] {
  const paths: string[] = [];
  const walk = (node: unknown, path: string, depth: number): void => {
    if (!isJsonObject(node) || paths.length >= LIMITS.triggerVariables) return;
    const properties = isJsonObject(node['properties']) ? Object.entries(node['properties']) : [];
    if (path !== '' && (properties.length === 0 || depth >= SCHEMA_DEPTH)) return void paths.push(path);
    for (const [name, member] of properties) walk(member, path === '' ? name : `${path}.${name}`, depth + 1);
  };
  walk(schema, '', 0);
  return bounded(paths);
}

const bounded = (paths: string[]): string[] => [...new Set(paths)].slice(0, LIMITS.triggerVariables);

export function toTriggers({
  workflowId,
  variables,
}: Pick<Workflow, 'workflowId' | 'variables'>): NotificationTriggerDto[] {
  const { schema = [], payload = [], subscriber = [] } = variables;
  const named = (paths: string[]): { name: string }[] => bounded(paths).map((name) => ({ name }));
  return [
    {
      type: 'event',
      identifier: workflowId,
      variables: named([...schema, ...payload]),
      subscriberVariables: named(subscriber),
    },
  ];
}
