import {
  DomainError,
  type EnvironmentId,
  HOLD_TARGETS,
  type HoldTarget,
  INSTALLATION_HELD,
} from '@clarion/contracts/core';
import type { ActedEnvironment, holdsOf } from '@clarion/gateway/command-line';
import { command, CommandError, UsageError } from '../command';
import { Interrupt } from '../interrupt';
import type { Output, Row } from '../output';
import {
  checkReason,
  ENVIRONMENT,
  everyEnvironment,
  onlyEnvironment,
  ORGANIZATION,
  type Wanted,
  wantedEnvironments,
} from '../selection';
import type { Tools } from '../tools';

const TARGET = HOLD_TARGETS.join('|');
const READ_EVERY_MS = 500;

type Holds = ReturnType<typeof holdsOf>;

export const HOLDS = [
  command({
    name: 'hold',
    arguments: [TARGET, 'id'],
    options: { ...ENVIRONMENT, ...ORGANIZATION, reason: { value: '<text>' } },
    about: 'let its messages wait; triggers are still accepted',
    async run({ open, output, options, arguments: [wanted, id] }) {
      const target = readTarget(wanted!);
      refuseOther(target, id!, options);
      const { reason } = options;
      checkReason(reason);
      const tools = await open();
      const holds = await serviceOf(tools);
      const place = (await onlyPlace(
        await placesOf(tools, target, id!, options),
        `there is a ${target} ${id}`,
        (each) => holds.findTarget(each, target, each.id),
      ))!;
      const { hold, created } = await holds.hold('cli', place, { target, id: place.id, reason });
      if (!created) output.note(`The ${target} ${hold.name} is held already; its hold is unchanged.`);
      const { _id, name, setBy, createdAt, waitingSteps } = hold;
      output.show([
        {
          hold: _id,
          environment: place.environmentName,
          target,
          id: hold.id,
          name,
          reason: hold.reason,
          setBy,
          since: createdAt,
          waitingSteps,
        },
      ]);
    },
  }),
  command({
    name: 'hold installation',
    options: { reason: { value: '<text>' } },
    about: 'hold every environment, such as before the first start after a restore',
    async run({ open, output, options: { reason } }) {
      checkReason(INSTALLATION_HELD + (reason ?? ''));
      const tools = await open();
      const holds = await serviceOf(tools);
      const holdAll = () =>
        inEveryEnvironment(tools, output, 'held', async (place) => {
          const target = { target: 'environment' as const, id: place.environmentId };
          const { hold } = await holds.hold('cli', place, {
            ...target,
            reason: INSTALLATION_HELD + (reason || 'no reason given'),
          });
          return hold.reason.startsWith(INSTALLATION_HELD);
        });
      await holdAll();
      // A creation that began before the first hold did not see it, so its environment is held when it is there.
      await waitForCreations(tools);
      const results = await holdAll();
      const kept = results.filter((isOurs) => !isOurs).length;
      if (kept > 0) output.note(`${kept} were held by the operator before; "resume installation" leaves them held.`);
      output.note('Environments that are created from now on are held, too.');
      output.show([{ environments: results.length, held: results.length }]);
    },
  }),
  command({
    name: 'resume installation',
    about: 'release every environment that "hold installation" holds; other holds stay',
    async run({ open, output }) {
      const tools = await open();
      const holds = await serviceOf(tools);
      const results = await inEveryEnvironment(tools, output, 'resumed', async (place) => {
        const hold = await holds.holdOf(place, 'environment', place.environmentId);
        if (!hold?.byOperator || !hold.reason.startsWith(INSTALLATION_HELD)) return false;
        return (await holds.resumeTarget('cli', place, 'environment', place.environmentId)).resumed;
      });
      output.show([{ environments: results.length, resumed: results.filter(Boolean).length }]);
    },
  }),
  command({
    name: 'resume',
    arguments: [TARGET, 'id'],
    options: { ...ENVIRONMENT, ...ORGANIZATION, wait: {} },
    about: 'release the messages that wait; with --wait it shows how many are released until all are',
    async run({ open, output, options, arguments: [wanted, id] }) {
      const target = readTarget(wanted!);
      refuseOther(target, id!, options);
      const tools = await open();
      const holds = await serviceOf(tools);
      const place = await onlyPlace(
        await placesOf(tools, target, id!, options),
        `the ${target} ${id} is held`,
        (each) => holds.holdOf(each, target, each.id),
      );
      const { resumed, remaining } = place
        ? await holds.resumeTarget('cli', place, target, place.id)
        : { resumed: false };
      if (!place || !resumed) throw new CommandError(`The ${target} ${id} is not held`);
      if (remaining) output.note(`The hold of the key ${remaining.heldBy} stays: ${remaining.reason}`);
      if (options.wait) await watchRelease(tools, output, place.environmentId);
      output.show([{ environment: place.environmentName, target, id: place.id, resumed: 'yes' }]);
    },
  }),
  command({
    name: 'holds list',
    options: { ...ENVIRONMENT, ...ORGANIZATION },
    about: 'what is held, by whom and why, and how many steps wait',
    canWatch: true,
    async run({ open, output, options }) {
      const tools = await open();
      const { HoldRepository } = await import('@clarion/persistence');
      const repository = new HoldRepository(tools.database);
      const rows: Row[] = [];
      for (const { id, name } of await wantedEnvironments(tools, options)) {
        for (const hold of await repository.list(id)) {
          rows.push({
            environment: name,
            target: hold.target,
            targetId: hold.targetId,
            name: hold.targetName,
            waiting: hold.waiting,
            state: hold.resumedAt ? 'resuming' : 'held',
            setBy: hold.byOperator ? 'operator' : hold.heldBy,
            since: hold.createdAt.toISOString(),
            reason: hold.reason,
            id: hold.id,
          });
        }
      }
      output.show(rows, 'Nothing is held.');
    },
  }),
];

/** Creations lock their organization until they end. */
const waitForCreations = ({ database, environments }: Tools): Promise<void> =>
  database.transaction(async () => {
    await environments.lockOrganizations();
    for (const { id } of await environments.listOrganizations()) await environments.countLocked(id);
  });

async function inEveryEnvironment(
  tools: Tools,
  output: Output,
  done: string,
  act: (place: ActedEnvironment) => Promise<boolean>,
): Promise<boolean[]> {
  const environments = await everyEnvironment(tools);
  const progress = output.progress(done);
  const results: boolean[] = [];
  for (const { id, name, organizationId } of environments) {
    results.push(await act({ environmentId: id, environmentName: name, organizationId }));
    progress.update(results.length, environments.length);
  }
  progress.end();
  return results;
}

/** Shows how many steps of the resumed holds were released. The engines release them; Ctrl-C ends only the view. */
async function watchRelease({ database }: Tools, output: Output, environmentId: EnvironmentId): Promise<void> {
  const { HoldRepository } = await import('@clarion/persistence');
  const repository = new HoldRepository(database);
  const interrupt = new Interrupt();
  const progress = output.progress('released');
  let most = 0;
  while (!interrupt.isRequested) {
    const resumed = (await repository.list(environmentId)).filter(({ resumedAt }) => resumedAt !== null);
    const waiting = resumed.reduce((sum, hold) => sum + hold.waiting, 0);
    most = Math.max(most, waiting);
    progress.update(most - waiting, most);
    if (resumed.length === 0) break;
    await interrupt.wait(READ_EVERY_MS);
  }
  progress.end();
  interrupt.close();
}

function readTarget(wanted: string): HoldTarget {
  const target = HOLD_TARGETS.find((known) => known === wanted);
  if (!target) throw new UsageError(`The target must be one of: ${HOLD_TARGETS.join(', ')}`);
  return target;
}

const serviceOf = async ({ database }: Tools): Promise<Holds> =>
  (await import('@clarion/gateway/command-line')).holdsOf(database);

/** An environment in which the target is looked for, and the id of the target there. */
type Place = ActedEnvironment & { id: string };

/** A channel exists in every environment, so it needs one. An environment may be given by its name. */
async function placesOf(tools: Tools, target: HoldTarget, id: string, wanted: Wanted): Promise<Place[]> {
  const environments =
    target === 'environment'
      ? [await onlyEnvironment(tools, { ...wanted, environment: id })]
      : target === 'channel'
        ? [await onlyEnvironment(tools, wanted)]
        : await wantedEnvironments(tools, wanted);
  return environments.map(({ organizationId, ...environment }) => ({
    environmentId: environment.id,
    environmentName: environment.name,
    organizationId,
    id: target === 'environment' ? environment.id : id,
  }));
}

/** An environment is named by its argument. An option that names it too could name another one. */
function refuseOther(target: HoldTarget, id: string, { environment }: Wanted): void {
  if (target !== 'environment' || environment === undefined || environment === id) return;
  throw new UsageError(
    `The argument names the environment "${id}" and --environment names "${environment}"; leave --environment out`,
  );
}

/** The place that has what is looked for. Several would be a guess about which one is meant. */
async function onlyPlace(
  places: Place[],
  what: string,
  find: (place: Place) => Promise<unknown>,
): Promise<Place | undefined> {
  const found: Place[] = [];
  let fault: DomainError | undefined;
  let isKnown = false;
  for (const place of places) {
    try {
      if (await find(place)) found.push(place);
      isKnown = true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      fault = error;
    }
  }
  if (found.length > 1) {
    const choices = found.map(({ environmentName, environmentId }) => `${environmentName} (${environmentId})`);
    throw new UsageError(`--environment is missing; ${what} in: ${choices.join(', ')}`);
  }
  if (fault && !isKnown) throw fault;
  return found[0];
}
