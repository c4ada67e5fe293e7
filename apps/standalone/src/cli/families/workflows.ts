import { join, resolve } from 'node:path';
import { DomainError, type FieldErrors, type Json, type PromotedType } from '@clarion/contracts/core';
import type { Plan, Promotion, ResourceKind, Source } from '@clarion/gateway/command-line';
import type { Environment } from '@clarion/persistence';
import { command, CommandError, type ExitCode, UsageError } from '../command';
import { type FileFault, readResources, removeFile, resourceFiles, writeResource } from '../definition-files';
import type { Output } from '../output';
import { ENVIRONMENT, onlyEnvironment, ORGANIZATION } from '../selection';
import type { Tools } from '../tools';

const PLACE = { dir: { value: '<folder>' }, ...ENVIRONMENT, ...ORGANIZATION } as const;
const SHOWN_CHARACTERS = 100;

type Options = { dir?: string; environment?: string; organization?: string };
type Opened = { promotion: Promotion; environment: Environment; dir: string };

export const WORKFLOWS = [
  command({
    name: 'workflows pull',
    options: PLACE,
    about: 'write the workflows, layouts and translations of an environment into files',
    run: async ({ open, output, options }) =>
      withPromotion(open, options, async ({ promotion, environment, dir }) => {
        const types = promotion.kinds.map(({ type }) => type);
        const known = resourceFiles(dir, types);
        const written: string[] = [];
        for (const kind of promotion.kinds) written.push(...(await pullKind(kind, environment, dir)));
        const removed = known.filter((path) => !written.includes(path));
        for (const path of removed) removeFile(dir, path);
        output.show([
          ...written.map((file) => ({ file, change: 'written' })),
          ...removed.map((file) => ({ file, change: 'removed' })),
        ]);
      }),
  }),
  command({
    name: 'workflows plan',
    options: { ...PLACE, prune: {}, 'detailed-exitcode': {} },
    about: 'show field by field what apply would change; --detailed-exitcode: 0 nothing, 2 changes, 1 an error',
    run: async ({ open, output, options, isJson }) =>
      withPromotion(open, options, async (opened): Promise<ExitCode> => {
        const { plan } = await planOf(opened, options.prune);
        show(output, isJson, opened.environment, plan);
        return options['detailed-exitcode'] && plan.changes.length > 0 ? 2 : 0;
      }),
  }),
  command({
    name: 'workflows apply',
    options: { ...PLACE, prune: {} },
    about: 'make the environment what the files say, in one transaction; --prune deletes what has no file',
    run: async ({ open, output, options, isJson }) =>
      withPromotion(open, options, async (opened) => {
        const { promotion, environment } = opened;
        const { plan, source, pathOf } = await planOf(opened, options.prune);
        const place = {
          actor: 'cli',
          organizationId: environment.organizationId,
          environmentId: environment.id,
        } as const;
        const publishId =
          plan.changes.length === 0
            ? undefined
            : await promotion.apply(place, source, plan.changes, { origin: 'files' }).catch((error: unknown) => {
                throw describedFault(error, pathOf);
              });
        show(output, isJson, environment, plan, publishId);
      }),
  }),
];

async function withPromotion<T>(open: () => Promise<Tools>, options: Options, work: (opened: Opened) => Promise<T>) {
  if (options.dir === undefined) throw new UsageError('--dir is missing: the folder of the files');
  const tools = await open();
  const environment = await onlyEnvironment(tools, options);
  const gateway = await import('@clarion/gateway/command-line');
  const { promotion, close } = gateway.promotionOf(tools.database);
  try {
    return await work({ promotion, environment, dir: resolve(options.dir) });
  } finally {
    await close();
  }
}

async function pullKind(kind: ResourceKind, environment: Environment, dir: string): Promise<string[]> {
  const written: string[] = [];
  const folders = new Map<string, string>();
  for await (const resource of kind.all(environment.id)) {
    const folder = resource.id.toLowerCase();
    const other = folders.get(folder);
    // Some file systems do not tell such names apart, and the second would overwrite the first.
    if (other) throw new CommandError(`The ids ${other} and ${resource.id} of ${kind.type}s differ only by their case`);
    folders.set(folder, resource.id);
    written.push(...writeResource(dir, kind.type, resource));
  }
  return written;
}

async function planOf({ promotion, environment, dir }: Opened, prune: boolean) {
  const gateway = await import('@clarion/gateway/command-line');
  const { files, faults } = readResources(
    dir,
    promotion.kinds.map(({ type }) => type),
  );
  const paths = new Map<string, string>();
  const lists = promotion.kinds.map((kind) => ({
    kind,
    resources: files.flatMap(({ type, path, content }) => {
      if (type !== kind.type) return [];
      const read = kind.read(content);
      if ('errors' in read) {
        faults.push(...faultsOf(path, read.errors));
        return [];
      }
      const other = paths.get(`${type} ${read.id}`);
      if (other) faults.push({ file: path, message: `has the same id as ${other}: ${read.id}` });
      paths.set(`${type} ${read.id}`, path);
      return [read];
    }),
  }));
  if (faults.length > 0) throw new CommandError(faults.map(faultText).join('\n'));
  if (files.length === 0) throw new CommandError(`There are no files in ${join(dir, 'workflows')} or beside it`);
  const source: Source = gateway.resourcesOf('the files', lists);
  const target = promotion.environment(environment.id, environment.name);
  const plan = await promotion.plan(source, target, { deletes: prune });
  promotion.refuseMissing(plan, environment.name);
  return { plan, source, pathOf: (type: PromotedType, id: string) => paths.get(`${type} ${id}`) };
}

const faultsOf = (file: string, errors: FieldErrors): FileFault[] =>
  Object.entries(errors).flatMap(([field, { messages }]) => messages.map((message) => ({ file, field, message })));

const faultText = ({ file, field, message }: FileFault): string =>
  field === undefined || message.startsWith(field) ? `${file}: ${message}` : `${file}: ${field}: ${message}`;

function describedFault(error: unknown, pathOf: (type: PromotedType, id: string) => string | undefined): unknown {
  if (!(error instanceof DomainError)) return error;
  const { errors, resourceType, resourceId } = error.extra as {
    errors?: FieldErrors;
    resourceType?: PromotedType;
    resourceId?: string;
  };
  const file = resourceType && resourceId ? pathOf(resourceType, resourceId) : undefined;
  if (!file || !errors) return new CommandError(error.message);
  return new CommandError(faultsOf(file, errors).map(faultText).join('\n'));
}

const ACTIONS = { created: 'add', updated: 'change', deleted: 'delete' } as const;

function show(output: Output, isJson: boolean, environment: Environment, plan: Plan, publishId?: string): void {
  const changes = plan.changes.map((change) => ({
    resourceType: change.kind.type,
    resourceId: change.id,
    action: ACTIONS[change.action],
    fields: change.before && change.after ? change.fields : [],
  }));
  if (isJson) {
    return output.json({ environment: environment.name, changes, ...(publishId !== undefined && { publishId }) });
  }
  for (const { resourceType, resourceId, action, fields } of changes) {
    output.line(`${action} ${resourceType} ${resourceId}`);
    for (const { path, previous, new: next } of fields) {
      output.line(`    ${path}: ${shown(previous, next)} -> ${shown(next, previous)}`);
    }
  }
  const count = (action: string): number => changes.filter((change) => change.action === action).length;
  const counts = `${count('add')} to add, ${count('change')} to change, ${count('delete')} to delete`;
  if (changes.length === 0) output.line(`${environment.name} is what the files say: nothing to do.`);
  else if (publishId === undefined) output.line(`${counts} in ${environment.name}`);
  else output.line(`${counts} in ${environment.name}: done, publish ${publishId}`);
}

/** A short value as JSON; of a text with several lines, the first line that differs from the other side. */
function shown(value: Json | undefined, other: Json | undefined): string {
  if (value === undefined) return '(none)';
  if (typeof value !== 'string' || !value.includes('\n')) return shortened(JSON.stringify(value));
  const lines = value.split('\n');
  const others = typeof other === 'string' ? other.split('\n') : [];
  const at = lines.findIndex((line, index) => line !== others[index]);
  const line = at < 0 ? lines.length - 1 : at;
  return `line ${line + 1} of ${lines.length} ${shortened(JSON.stringify(lines[line]))}`;
}

const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
