import { type ConnectedRoleDto, shellWord, STEP_TYPE_FACTS, type StepType } from '@clarion/contracts';
import type { StuckRow } from '@clarion/persistence';

/** Undefined for a caller that may not see which processes run. */
type Roles = ConnectedRoleDto[] | undefined;

/** What the row waits for, and what to do about it: sentences for the person on call. */
export function adviseOn(row: StuckRow, roles: Roles): { waitsFor: string; advice: string } {
  const [waitsFor, advice] = ADVICE[row.reason](row, roles);
  return { waitsFor, advice };
}

type Advice = (row: StuckRow, roles: Roles) => [waitsFor: string, advice: string];

const missingIntegration: Advice = ({ type, environment }) => [
  `an active integration of the channel ${type}`,
  `activate or create an integration of the channel ${type} in "${environment}"`,
];

const heldBy: Advice = ({ hold, environment }) =>
  hold?.isResumed
    ? [`the release of the hold of the ${hold.target} ${hold.name}`, 'wait: the engines release 1,000 steps a second']
    : [
        `the hold of the ${hold?.target} ${hold?.name}, by ${hold?.heldBy}: ${hold?.reason}`,
        (hold?.byOperator ? 'only the operator can resume it: ' : '') +
          `npm run clarion -- resume ${hold?.target} ${hold?.targetId} --environment ${shellWord(environment)}`,
      ];

/** A worker has given it back, and tries it again. */
const givenBack: Advice = ({ type, dueAt }) => [
  `a place in a ${roleOf(type)}: its account, or the templates of the environment, are slow; ` +
    `next try at ${dueAt.toISOString()}`,
  'wait; npm run clarion -- top --by integration says where most steps are due',
];

const notOffered: Advice = ({ isDelayed }, roles) => [
  `${isDelayed ? 'its time has come: ' : ''}an engine that puts it into the queue`,
  advise(roles, 'engine', 'npm run clarion -- queues; a long backlog of one environment waits for its fair share'),
];

const ADVICE: Record<StuckRow['reason'], Advice> = {
  held: (row, roles) => (row.hold?.target === 'missing_integration' ? missingIntegration : heldBy)(row, roles),
  running: ({ type }) => [
    `a ${roleOf(type)} that has it`,
    `read the log of the ${roleOf(type)}: a slow provider, a large topic, or a process that makes no progress`,
  ],
  lease_ended: ({ type }, roles) => [
    `an engine that counts the crash of its ${roleOf(type)}`,
    isConnected('engine', roles) ? 'wait a second; then look for the crash in the log' : 'start an engine: none runs',
  ],
  in_doubt: ({ type, providerId }, roles) => [
    `the decision about a call of ${providerId ?? 'its provider'} that was interrupted`,
    advise(
      roles,
      roleOf(type),
      'wait: it is sent again under the same idempotency key, or held, as the integration says',
    ),
  ],
  crashed: ({ type, crashCount }, roles) => [
    `a ${roleOf(type)} that runs it alone, after ${crashCount} of them crashed with it`,
    advise(roles, roleOf(type), 'read the log for the crash; after 3 more crashes the step is quarantined'),
  ],
  no_integration: missingIntegration,
  provider_paused: ({ health, type }) => [
    `${health?.providerId}, which is ${health?.state}${health?.until ? ` until ${health.until}` : ''}: ` +
      (health?.reason ?? 'its calls failed'),
    `look at the status page of ${health?.providerId}, or add a second integration of the channel ${type}`,
  ],
  limit: ({ limit, dueAt, environment }) =>
    limit?.limit === 'rate_limit'
      ? [
          `its turn: the integration "${limit.integration}" sends at most ${limit.figure} messages a second`,
          'wait, or raise configurations.rateLimit of the integration if the provider allows more',
        ]
      : [
          `render time: the templates of the environment have used up ${limit?.figure} ms a second; ` +
            `next try at ${dueAt.toISOString()}`,
          'wait, or npm run clarion -- limits set ' +
            `--environment ${shellWord(environment)} --render-ms-per-second <more>`,
        ],
  retry: ({ attempt, dueAt, error, providerId }) => [
    `attempt ${attempt + 1} at ${dueAt.toISOString()}, after ${providerId ?? 'the provider'} said: ` +
      (error ?? 'an error'),
    'nothing, or repair the account; npm run clarion -- errors shows whether others fail too',
  ],
  delayed: ({ type, dueAt }) => [
    `its time, ${dueAt.toISOString()}`,
    `nothing: ${type === 'digest' ? 'the digest collects until then' : 'it goes on by itself'}`,
  ],
  unclaimed: ({ type, isDelayed }, roles) => [
    `${isDelayed ? 'its time has come: ' : ''}a ${roleOf(type)} that takes it from the queue`,
    advise(roles, roleOf(type), `scale the ${roleOf(type)}, or read its log`),
  ],
  not_offered: (row, roles) => (row.dueAt > new Date() ? givenBack : notOffered)(row, roles),
};

const roleOf = (type: StepType): string => {
  const { runsOn } = STEP_TYPE_FACTS[type];
  return runsOn === null || runsOn === 'engine' ? 'engine' : `worker-${runsOn.replaceAll('_', '-')}`;
};

/** Where one process runs all roles, they share its connections. */
const ALL_ROLES = 'roles';

const isConnected = (wanted: string, roles: Roles): boolean =>
  roles === undefined || roles.some(({ role }) => role === wanted || role === ALL_ROLES);

const advise = (roles: Roles, role: string, otherwise: string): string =>
  isConnected(role, roles)
    ? otherwise
    : `start a ${role}: none is connected to Postgres`.replace('a engine', 'an engine');
