import type { TailLineDto } from '@clarion/contracts';
import { LIMITS } from '@clarion/contracts/core';
import { ACTIVITY_FILTERS, readActivityFilter } from '../activity-options';
import { command } from '../command';
import { Interrupt } from '../interrupt';
import { ENVIRONMENT, ORGANIZATION, wantedEnvironments } from '../selection';

const READ_EVERY_MS = 1_000;
/** The list of environments is read again after this many reads. */
const ENVIRONMENTS_READS = 10;

const SELECTION =
  `More than ${LIMITS.tailedEnvironments} environments have activity. Only those with the most are shown; ` +
  '--environment names one.';

export const TAIL = [
  command({
    name: 'tail',
    options: { ...ACTIVITY_FILTERS, ...ENVIRONMENT, ...ORGANIZATION },
    about:
      'live activity, one line for each notification that is new or changed; --since begins with those made since ' +
      'then, and a past --until ends there (without --since it shows the hour before); --json writes a line of JSON ' +
      'for each',
    async run({ open, output, options, isJson }) {
      const given = readActivityFilter(options);
      const tools = await open();
      const { ActivityRepository, isDatabaseUnavailable, UsageRepository } = await import('@clarion/persistence');
      const { ActivityTail, toActivityFilter } = await import('@clarion/gateway/command-line');
      const parts = { activity: new ActivityRepository(tools.database), usage: new UsageRepository(tools.database) };
      const tail = new ActivityTail(parts, toActivityFilter(given));
      const interrupt = new Interrupt();
      const write = (line: TailLineDto): void => {
        if (isJson) output.write(`${JSON.stringify(line)}\n`);
        else output.line(describe(line));
      };
      let environments = await wantedEnvironments(tools, options);
      let isAway = false;
      for (let reads = 1; !interrupt.isRequested; reads += 1) {
        try {
          if (reads % ENVIRONMENTS_READS === 0) environments = await wantedEnvironments(tools, options);
          await tail.read(environments, write);
          if (isAway) output.note('The database answers again.');
          isAway = false;
          if (tail.isBounded) output.note('There are more than one read can show; some are left out.');
          if (reads === 1 && tail.isSelection) output.note(SELECTION);
          if (tail.isPast) break;
          if (reads === 1) output.note(`Following ${environments.map(({ name }) => name).join(', ')}. Ctrl-C ends.`);
        } catch (error) {
          if (!isDatabaseUnavailable(error)) throw error;
          if (!isAway) output.note('The database does not answer; trying again.');
          isAway = true;
        }
        await interrupt.wait(READ_EVERY_MS);
      }
      interrupt.close();
    },
  }),
];

function describe({ at, environment, change, notification }: TailLineDto): string {
  const { _id, outcome, workflow, subscriber, steps } = notification;
  const states = steps.map(
    ({ type, outcome: ended, providerId, reason }) =>
      `${type} ${ended}${providerId === null ? '' : ` (${providerId})`}${reason === null ? '' : `: ${reason}`}`,
  );
  return [
    at.slice(11, 19),
    environment,
    outcome.padEnd(9),
    `${workflow?.workflowId ?? 'removed workflow'} to ${subscriber?.subscriberId ?? 'deleted subscriber'}`,
    states.join('; '),
    `${change === 'new' ? '' : 'changed '}${_id}`,
  ].join('  ');
}
