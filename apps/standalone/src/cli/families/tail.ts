import type { TailLineDto } from '@clarion/contracts';
import { ACTIVITY_FILTERS, readActivityFilter } from '../activity-options';
import { command } from '../command';
import { Interrupt } from '../interrupt';
import { ENVIRONMENT, ORGANIZATION, wantedEnvironments } from '../selection';

const READ_EVERY_MS = 1_000;
/** The list of environments is read again after this many reads. */
const ENVIRONMENTS_READS = 10;

export const TAIL = [
  command({
    name: 'tail',
    options: { ...ACTIVITY_FILTERS, ...ENVIRONMENT, ...ORGANIZATION },
    about:
      'live activity, one line for each notification that is new or changed; --json writes a line of JSON for each',
    async run({ open, output, options, isJson }) {
      const given = readActivityFilter(options);
      const tools = await open();
      const { ActivityRepository, isDatabaseUnavailable, UsageRepository } = await import('@clarion/persistence');
      const { ActivityTail, toActivityFilter } = await import('@clarion/gateway/command-line');
      const parts = { activity: new ActivityRepository(tools.database), usage: new UsageRepository(tools.database) };
      const tail = new ActivityTail(parts, toActivityFilter(given));
      const interrupt = new Interrupt();
      let environments = await wantedEnvironments(tools, options);
      let isAway = false;
      for (let reads = 1; !interrupt.isRequested; reads += 1) {
        try {
          if (reads % ENVIRONMENTS_READS === 0) environments = await wantedEnvironments(tools, options);
          const lines = await tail.read(environments);
          if (reads === 1) output.note(`Following ${environments.map(({ name }) => name).join(', ')}. Ctrl-C ends.`);
          if (isAway) output.note('The database answers again.');
          isAway = false;
          for (const line of lines) output.write(`${isJson ? JSON.stringify(line) : describe(line)}\n`);
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
