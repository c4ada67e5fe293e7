import { DomainError, type FieldErrors, HOLD_TARGETS, type HoldTarget, LIMITS } from '@clarion/contracts/core';
import type { HeldEnvironment, holdsOf } from '@clarion/gateway/command-line';
import type { Environment } from '@clarion/persistence';
import { command, CommandError, UsageError } from '../command';
import { check, chosenEnvironment, ENVIRONMENT, everyEnvironment } from '../selection';
import type { Tools } from '../tools';

const TARGET = HOLD_TARGETS.join('|');

type Holds = ReturnType<typeof holdsOf>;

export const HOLDS = [
  command({
    name: 'hold',
    arguments: [TARGET, 'id'],
    options: { ...ENVIRONMENT, reason: { value: '<text>' } },
    about: 'let its messages wait; triggers are still accepted',
    async run({ open, output, options, arguments: [wanted, id] }) {
      const target = readTarget(wanted!);
      const { reason } = options;
      check('reason', reason, ({ length }) =>
        length > LIMITS.holdReason ? `must have at most ${LIMITS.holdReason} characters` : undefined,
      );
      const tools = await open();
      const places = await placesOf(tools, target, options);
      const { hold } = await inOneOf(tools, places, (holds, place) =>
        holds.hold('cli', place, { target, id: id!, reason }),
      );
      const { _id, name, heldBy, createdAt, waitingSteps } = hold;
      output.show([
        { hold: _id, target, id: hold.id, name, reason: hold.reason, heldBy, since: createdAt, waitingSteps },
      ]);
    },
  }),
  command({
    name: 'resume',
    arguments: [TARGET, 'id'],
    options: ENVIRONMENT,
    about: 'release the messages that wait',
    async run({ open, output, options, arguments: [wanted, id] }) {
      const target = readTarget(wanted!);
      const tools = await open();
      const places = await placesOf(tools, target, options);
      const isResumed = await inOneOf(tools, places, (holds, place) => holds.resumeTarget('cli', place, target, id!));
      if (!isResumed) throw new CommandError(`The ${target} ${id} is not held`);
      output.show([{ target, id, resumed: 'yes' }]);
    },
  }),
];

function readTarget(wanted: string): HoldTarget {
  const target = HOLD_TARGETS.find((known) => known === wanted);
  if (!target) throw new UsageError(`The target must be one of: ${HOLD_TARGETS.join(', ')}`);
  return target;
}

/** Where the target is looked for. A channel exists in every environment, so it needs one. */
const placesOf = async (tools: Tools, target: HoldTarget, options: { environment?: string }): Promise<Environment[]> =>
  options.environment !== undefined || target === 'channel'
    ? [await chosenEnvironment(tools, options)]
    : everyEnvironment(tools);

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
