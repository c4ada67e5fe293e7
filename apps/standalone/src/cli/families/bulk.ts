import { createInterface } from 'node:readline/promises';
import type { ActivityFilterDto, BulkActionDto, CreateBulkActionDto } from '@clarion/contracts';
import { BULK_ACTION_KINDS, type BulkActionKind, type EnvironmentId, pick } from '@clarion/contracts/core';
import type { Environment } from '@clarion/persistence';
import { ACTIVITY_FILTERS, readActivityFilter } from '../activity-options';
import { type Command, command, CommandError, type ExitCode, UsageError } from '../command';
import { Interrupt } from '../interrupt';
import type { Output, Row } from '../output';
import { ENVIRONMENT, everyEnvironment, ORGANIZATION, wantedEnvironments } from '../selection';
import type { Tools } from '../tools';

const PER_SECOND = 100;
const READ_EVERY_MS = 500;
const LISTED = 20;

const ABOUT: Record<BulkActionKind, string> = {
  replay:
    'run the failed steps that match again: shows the exact number, asks, and shows the progress; --since and ' +
    '--until are about when the notification was made; --through sends through that integration only',
  cancel:
    'cancel the open steps of the notifications that match: shows the exact number, asks, and shows the progress; ' +
    '--since and --until are about when the notification was made',
};

/** A bulk action and the environment that it belongs to. */
type Planned = { environment: Environment; action: BulkActionDto };

const isEnded = ({ state }: BulkActionDto): boolean => state === 'done' || state === 'stopped';

export const BULK = [
  ...BULK_ACTION_KINDS.map((kind): Command =>
    command({
      name: kind,
      options: {
        ...ACTIVITY_FILTERS,
        ...ENVIRONMENT,
        ...ORGANIZATION,
        ...(kind === 'replay' && { through: { value: '<integration>' } }),
        rate: { value: '<items a second>' },
        yes: {},
      },
      about: ABOUT[kind],
      async run({ open, output, options, isJson }) {
        const filter = readFilter(kind, options);
        const perSecond = readRate(options.rate);
        const tools = await open();
        const environments = await wantedEnvironments(tools, options);
        const integrationIdentifier = typeof options.through === 'string' ? options.through : undefined;
        if (integrationIdentifier !== undefined) await checkThrough(tools, environments, integrationIdentifier);
        const planned = await plan(tools, environments, {
          action: kind,
          filter,
          perSecond,
        });
        const count = planned.reduce((sum, { action }) => sum + action.count, 0);
        if (count === 0) return void output.show([], 'Nothing matches.');
        if (!isJson) output.table(planned.map(planRow));
        if (!options.yes && !(await isConfirmed(kind, count))) {
          await stopAll(tools, planned);
          throw new CommandError(`Nothing was changed. With --yes the ${kind} of these ${count} begins.`);
        }
        const bulkActions = await services(tools);
        const started = await Promise.all(
          planned.map(async ({ environment, action }) => ({
            environment,
            action: await bulkActions.run('cli', refOf(environment), action._id, {
              count: action.count,
              integrationIdentifier,
            }),
          })),
        );
        return watch(tools, output, started);
      },
    }),
  ),
  command({
    name: 'bulk list',
    options: { ...ENVIRONMENT, ...ORGANIZATION },
    about: 'the newest replays and cancellations of each environment',
    async run({ open, output, options }) {
      const tools = await open();
      const { BulkActionRepository } = await import('@clarion/persistence');
      const repository = new BulkActionRepository(tools.database);
      const rows: Row[] = [];
      for (const { id, name } of await wantedEnvironments(tools, options)) {
        const page = { limit: LISTED, orderBy: '_id', orderDirection: 'DESC', includeCursor: false } as const;
        for (const { createdAt, ...row } of (await repository.list(id, page)).rows) {
          const { done, unchanged, failed, count, state, action, through, lastError } = row;
          const created = createdAt.toISOString();
          rows.push({
            id: row.id,
            environment: name,
            action,
            state,
            count,
            done,
            unchanged,
            failed,
            through: through?.integrationIdentifier ?? null,
            lastError,
            created,
          });
        }
      }
      output.show(rows);
    },
  }),
  command({
    name: 'bulk watch',
    arguments: ['id'],
    about: 'the progress of a replay or a cancellation',
    run: async ({ open, output, arguments: [id] }) => {
      const tools = await open();
      return watch(tools, output, [await find(tools, id!)]);
    },
  }),
  command({
    name: 'bulk stop',
    arguments: ['id'],
    about: 'stop a replay or a cancellation after the batch that is running',
    async run({ open, output, arguments: [id] }) {
      const tools = await open();
      const { environment } = await find(tools, id!);
      output.show([
        endRow({ environment, action: await (await services(tools)).stop('cli', refOf(environment), id!) }),
      ]);
    },
  }),
];

const services = async ({ database }: Tools) => (await import('@clarion/gateway/command-line')).bulkActionsOf(database);

const refOf = ({ id, organizationId }: Environment): { environmentId: EnvironmentId; organizationId: string } => ({
  environmentId: id,
  organizationId,
});

/** A replay is about failed steps, a cancellation about open ones, if the filter does not say otherwise. */
function readFilter(kind: BulkActionKind, options: Parameters<typeof readActivityFilter>[0]): ActivityFilterDto {
  const filter = readActivityFilter(options);
  if (Object.values(filter).every((value) => value === undefined)) {
    const names = Object.keys(ACTIVITY_FILTERS).map((name) => `--${name}`);
    throw new UsageError(`Say what to ${kind}, with at least one of: ${names.join(', ')}`);
  }
  return { ...filter, status: filter.status ?? [kind === 'replay' ? 'failed' : 'in_flight'] };
}

function readRate(text: string | undefined): number {
  const rate = text === undefined ? PER_SECOND : Number(text);
  if (Number.isInteger(rate) && rate >= 1 && rate <= 10_000) return rate;
  throw new UsageError('--rate must be a whole number from 1 to 10000');
}

/** Before anything is planned. */
async function checkThrough({ database }: Tools, [environment, ...others]: Environment[], name: string): Promise<void> {
  if (others.length > 0)
    throw new UsageError('--through names an integration of one environment: name it with --environment');
  const { IntegrationRepository } = await import('@clarion/persistence');
  const found = environment && (await new IntegrationRepository(database).findByIdentifier(environment.id, name));
  if (!found?.active) throw new UsageError(`--through must be the identifier of an active integration, not "${name}"`);
}

async function plan(tools: Tools, environments: Environment[], wanted: CreateBulkActionDto): Promise<Planned[]> {
  const { toActivityFilter } = await import('@clarion/gateway/command-line');
  const { ActivityRepository } = await import('@clarion/persistence');
  const activity = new ActivityRepository(tools.database);
  const bulkActions = await services(tools);
  const planned: Planned[] = [];
  for (const environment of environments) {
    const found = await activity.ids(environment.id, toActivityFilter(wanted.filter!), 1);
    // A search that had to end is refused with the reason.
    if (found?.ids.length !== 0)
      planned.push({ environment, action: await bulkActions.create('cli', refOf(environment), wanted) });
  }
  const empty = planned.filter(({ action }) => action.count === 0);
  await stopAll(tools, empty);
  return planned.filter((each) => !empty.includes(each));
}

async function stopAll(tools: Tools, planned: Planned[]): Promise<void> {
  const bulkActions = await services(tools);
  for (const { environment, action } of planned) await bulkActions.stop('cli', refOf(environment), action._id);
}

const planRow = ({ environment, action }: Planned): Row => ({
  environment: environment.name,
  action: action.action,
  [action.action === 'replay' ? 'steps' : 'notifications to cancel']: action.count,
  notifications: action.notifications,
  'may be duplicates': action.mayBeDuplicates,
  'per second': action.perSecond,
  more: action.hasMore ? 'yes, run it again' : 'no',
  id: action._id,
});

/** Asks on a terminal. Without one there is no person who could answer. */
async function isConfirmed(kind: BulkActionKind, count: number): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${kind} these ${count}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Shows the progress until all have ended. Ctrl-C ends only the watching: the engines go on. */
async function watch(tools: Tools, output: Output, started: Planned[]): Promise<ExitCode> {
  const bulkActions = await services(tools);
  const { isDatabaseUnavailable, StuckRepository } = await import('@clarion/persistence');
  const roles = await new StuckRepository(tools.database).connectedRoles();
  if (!roles.some(({ role }) => role === 'engine' || role === 'roles'))
    output.note('No engine runs; the work begins when one does.');
  const interrupt = new Interrupt();
  const progress = output.progress(started[0]!.action.action);
  let current = started;
  for (;;) {
    const workedOff = current.reduce(
      (sum, { action: { done, unchanged, failed } }) => sum + done + unchanged + failed,
      0,
    );
    progress.update(
      workedOff,
      current.reduce((sum, { action }) => sum + action.count, 0),
    );
    if (interrupt.isRequested || current.every(({ action }) => isEnded(action))) break;
    await interrupt.wait(READ_EVERY_MS);
    current = await Promise.all(
      current.map(async ({ environment, action }) => ({
        environment,
        action: await bulkActions.retrieve(refOf(environment), action._id),
      })),
    ).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return current;
      throw error;
    });
  }
  progress.end();
  interrupt.close();
  output.show(current.map(endRow));
  for (const { action } of current.filter((each) => !isEnded(each.action))) {
    const command = 'npm run clarion -- bulk';
    output.note(`The engines go on. Watch: ${command} watch ${action._id}. Stop: ${command} stop ${action._id}.`);
  }
  return current.some(({ action }) => action.failed > 0) ? 1 : 0;
}

const endRow = ({ environment, action }: Planned): Row => ({
  environment: environment.name,
  ...pick(action, 'action', 'state', 'count', 'done', 'unchanged'),
  why: action.unchangedReasons?.map(({ reason, count }) => `${count} ${reason}`).join(', ') || null,
  failed: action.failed,
  'last error': action.lastError ?? null,
  id: action._id,
});

async function find(tools: Tools, id: string): Promise<Planned> {
  const { isId } = await import('@clarion/contracts/core');
  if (!isId(id)) throw new CommandError(`${id} is not the id of a bulk action`);
  const bulkActions = await services(tools);
  const { BulkActionRepository } = await import('@clarion/persistence');
  const repository = new BulkActionRepository(tools.database);
  for (const environment of await everyEnvironment(tools)) {
    if (await repository.find(environment.id, id)) {
      return { environment, action: await bulkActions.retrieve(refOf(environment), id) };
    }
  }
  throw new CommandError(`There is no bulk action with the id ${id}`);
}
