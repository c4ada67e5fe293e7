import type { LimitsDto } from '@clarion/contracts';
import type { LimitRow } from '@clarion/persistence';
import { command, UsageError } from '../command';
import type { Row } from '../output';
import { checkReason, chosenEnvironment, ENVIRONMENT, oneOf, ORGANIZATION, type Wanted, whole } from '../selection';
import type { Tools } from '../tools';

const limitRow = ({ environmentId, environment, sources: _, ...limits }: LimitsDto): Row => ({
  environment,
  ...limits,
  id: environmentId,
});

async function serviceOf({ database }: Tools) {
  const { limitsOf } = await import('@clarion/gateway/command-line');
  return limitsOf(database);
}

async function change(tools: Tools, wanted: Wanted, changes: Partial<LimitRow>, reason?: string): Promise<LimitsDto> {
  const { id, organizationId } = await chosenEnvironment(tools, wanted);
  return (await serviceOf(tools)).change('cli', { environmentId: id, organizationId }, changes, reason);
}

const MOST = 1_000_000_000;
const COUNTS = ['environment', 'organization'] as const;

export const LIMITS = [
  command({
    name: 'limits list',
    canWatch: true,
    about: 'limits of all environments and the messages of today',
    async run({ open, output }) {
      const tools = await open();
      output.show((await (await serviceOf(tools)).list(undefined)).map(limitRow));
    },
  }),
  command({
    name: 'limits set',
    options: {
      ...ENVIRONMENT,
      ...ORGANIZATION,
      'events-per-second': { value: '<n>' },
      'messages-per-day': { value: '<n>' },
      'render-ms-per-second': { value: '<n>' },
      counts: { value: COUNTS.join('|') },
      reason: { value: '<text>' },
    },
    about:
      'events above a limit are refused with 429; gateways apply it within seconds. --counts organization limits all ' +
      'environments of its organization together, also new ones',
    async run({ open, output, options }) {
      const changes = {
        eventsPerSecond: whole('events-per-second', options['events-per-second'], MOST),
        messagesPerDay: whole('messages-per-day', options['messages-per-day'], MOST),
        renderMsPerSecond: whole('render-ms-per-second', options['render-ms-per-second'], 1_000),
      };
      const counts = oneOf('counts', options.counts, COUNTS);
      if (options.environment === undefined) throw new UsageError('--environment is missing: <name or id>');
      if (Object.values(changes).every((value) => value === undefined)) {
        throw new UsageError(
          'Give at least one limit: --events-per-second, --messages-per-day, --render-ms-per-second',
        );
      }
      checkReason(options.reason);
      const tools = await open();
      output.show([limitRow(await change(tools, options, { ...changes, counts }, options.reason))]);
    },
  }),
  command({
    name: 'limits clear',
    options: { ...ENVIRONMENT, ...ORGANIZATION },
    about: 'remove all limits of an environment',
    async run({ open, output, options }) {
      if (options.environment === undefined) throw new UsageError('--environment is missing: <name or id>');
      const tools = await open();
      const none = { eventsPerSecond: null, messagesPerDay: null, renderMsPerSecond: null };
      output.show([limitRow(await change(tools, options, none))]);
    },
  }),
];
