import {
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  HOLD_TARGETS,
  type HoldTarget,
  LIMITS,
} from '@clarion/contracts/core';
import type { HeldEnvironment, holdsOf } from '@clarion/gateway/command-line';
import type { Environment } from '@clarion/persistence';
import { command, CommandError, UsageError } from '../command';
import { Interrupt } from '../interrupt';
import type { Output, Row } from '../output';
import { check, ENVIRONMENT, onlyEnvironment, ORGANIZATION, wantedEnvironments } from '../selection';
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
      const { reason } = options;
      check('reason', reason, ({ length }) =>
        length > LIMITS.holdReason ? `must have at most ${LIMITS.holdReason} characters` : undefined,
      );
      const tools = await open();
      const places = await placesOf(tools, target, options);
      const { hold, environment } = await inOneOf(tools, places, async (holds, place) => ({
        ...(await holds.hold('cli', place, { target, id: id!, reason })),
        environment: place.environmentName,
      }));
      const { _id, name, heldBy, createdAt, waitingSteps } = hold;
      output.show([
        {
          hold: _id,
          environment,
          target,
          id: hold.id,
          name,
          reason: hold.reason,
          heldBy,
          since: createdAt,
          waitingSteps,
        },
      ]);
    },
  }),
  command({
    name: 'resume',
    arguments: [TARGET, 'id'],
    options: { ...ENVIRONMENT, ...ORGANIZATION, wait: {} },
    about: 'release the messages that wait; with --wait it shows how many are released until all are',
    async run({ open, output, options, arguments: [wanted, id] }) {
      const target = readTarget(wanted!);
      const tools = await open();
      const places = await placesOf(tools, target, options);
      const resumed = await inOneOf(tools, places, async (holds, place) =>
        (await holds.resumeTarget('cli', place, target, id!)) ? place : undefined,
      );
      if (!resumed) throw new CommandError(`The ${target} ${id} is not held`);
      if (options.wait) await watchRelease(tools, output, resumed.environmentId);
      output.show([{ environment: resumed.environmentName, target, id, resumed: 'yes' }]);
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
            name: hold.targetName,
            waiting: hold.waiting,
            state: hold.resumedAt ? 'resuming' : 'held',
            heldBy: hold.heldBy,
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

/** Where the target is looked for. A channel exists in every environment, so it needs one. */
const placesOf = async (
  tools: Tools,
  target: HoldTarget,
  options: { environment?: string; organization?: string },
): Promise<Environment[]> =>
  target === 'channel' ? [await onlyEnvironment(tools, options)] : wantedEnvironments(tools, options);

/** The result in the first environment that has the target. */
async function inOneOf<T>(
  { database }: Tools,
  places: Environment[],
  run: (holds: Holds, place: HeldEnvironment) => Promise<T>,
): Promise<T> {
  const gateway = await import('@clarion/gateway/command-line');
  const holds = gateway.holdsOf(database);
  let fault: unknown;
  for (const { id, name, organizationId } of places) {
    try {
      return await run(holds, { environmentId: id, environmentName: name, organizationId });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      fault = error;
    }
  }
  const { message, extra } = fault as DomainError;
  const fields = Object.values((extra['errors'] ?? {}) as FieldErrors).flatMap(({ messages }) => messages);
  throw new CommandError(fields.length > 0 ? fields.join('; ') : message);
}
