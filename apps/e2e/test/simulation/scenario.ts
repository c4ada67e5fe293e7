import type { EnvironmentId, JsonObject, WorkflowStep } from '@clarion/contracts';
import type { RunningWorkflow } from '@clarion/persistence';
import { ENVIRONMENT, type Subscription } from './memory-rows';
import type { Faults } from './process';
import type { Random } from './random';

export const STORED = 'in_app';
export const CALLED = 'sms';
/** Several messages of one step. */
export const MANY = 'push';
export const CHANNELS_USED = [STORED, CALLED, MANY] as const;

export type Poison = { stepKey: string; at: 'queued' | 'delayed' };

export type ScenarioTrigger = {
  transactionId: string;
  workflowId: string;
  recipients: JsonObject[];
  payload: JsonObject;
  context: JsonObject | null;
  afterMs: number;
  cancelAfterMs?: number;
};

export type Scenario = {
  workflows: Map<string, RunningWorkflow>;
  subscriberIds: string[];
  subscriptions: Subscription[];
  triggers: ScenarioTrigger[];
  processes: { engines: number; workers: number };
  faults: Faults;
  /** Of jobs in the queue. */
  queue: { lose: number; double: number; late: number };
  emptiedAfterMs: number[];
  /** When a worker is asked to stop; another one comes for it. */
  leavesAfterMs: number[];
  provider: { fail: number; idempotent: boolean; hold: boolean; closedForMs?: number };
  skewMs: number;
  /** Nothing goes wrong any more from here on. */
  calmAfterMs: number;
};

const SUBSCRIBERS = ['s1', 's2', 's3', 's4', 's5'];
/** Everything is a multiple of this, so that much happens at the same moment: that is where races are. */
const BEAT_SECONDS = 5;
const SECONDS = [1, 2, 4, 12, 24].map((beats) => beats * BEAT_SECONDS);
const STEP_TYPES = [STORED, CALLED, CALLED, MANY, 'delay', 'digest', 'digest', 'throttle', 'custom'] as const;

/** `leaving` is apart, so that the stories in which nobody leaves stay what they are. */
export function makeScenario(random: Random, leaving: Random): Scenario {
  const workflows = new Map(
    Array.from({ length: random.between(1, 2) }, (_, index) => {
      const workflow = makeWorkflow(`workflow${index}`, random);
      return [workflow.id, workflow];
    }),
  );
  // Nothing goes wrong but what the events themselves bring along.
  const quiet = random.chance(0.15);
  const burst = random.chance(0.3);
  const rate = (most: number): number => (quiet || random.chance(0.3) ? 0 : random.next() * most);
  return {
    workflows,
    subscriberIds: SUBSCRIBERS,
    subscriptions: ['red', 'blue'].flatMap((topicKey) =>
      random.some(SUBSCRIBERS, 0.6).map((subscriberId) => ({ topicKey, subscriberId })),
    ),
    triggers: Array.from({ length: random.between(1, 6) }, (_, index) =>
      makeTrigger(index, random.pick([...workflows.values()]), { quiet, burst }, random),
    ),
    processes: { engines: random.between(1, 3), workers: random.between(1, 2) },
    faults: { crash: rate(0.06), error: rate(0.08), freeze: rate(0.08), slow: rate(0.1) },
    queue: { lose: rate(0.4), double: rate(0.4), late: rate(0.5) },
    emptiedAfterMs: quiet ? [] : Array.from({ length: random.between(0, 3) }, () => random.between(0, 120_000)),
    leavesAfterMs: leaving.chance(0.3)
      ? Array.from({ length: leaving.between(1, 6) }, () => leaving.between(0, 120_000))
      : [],
    provider: {
      fail: rate(0.6),
      idempotent: random.chance(0.5),
      hold: random.chance(0.2),
      ...(random.chance(0.1) && { closedForMs: random.between(1_000, 60_000) }),
    },
    skewMs: random.pick([0, 0, 2_000, 300_000]),
    calmAfterMs: 150_000,
  };
}

function makeWorkflow(id: string, random: Random): RunningWorkflow {
  return {
    id,
    environmentId: ENVIRONMENT as EnvironmentId,
    workflowId: id,
    name: id,
    description: null,
    tags: [],
    severity: 'none',
    preferences: {},
    escapeHtml: true,
    environment: { name: 'Simulation', type: 'prod' },
    steps: Array.from({ length: random.between(1, 4) }, (_, index) => makeStep(index, random)),
  };
}

function makeStep(index: number, random: Random): WorkflowStep {
  const type = random.pick(STEP_TYPES);
  return {
    id: `step${index}`,
    stepId: `step${index}`,
    name: `step${index}`,
    type,
    active: true,
    shouldStopOnFail: random.chance(0.4),
    filters: [],
    variants: [],
    controlValues: { ...controlsOf(type, random), stepKey: `step${index}` },
  };
}

function controlsOf(type: (typeof STEP_TYPES)[number], random: Random): JsonObject {
  const seconds = (): JsonObject => ({ amount: random.pick(SECONDS), unit: 'seconds' });
  switch (type) {
    case 'delay':
      return { type: 'regular', ...seconds() };
    case 'digest':
      return {
        type: 'regular',
        ...seconds(),
        ...(random.chance(0.5) && { digestKey: 'payload.key' }),
        ...(random.chance(0.5) && { lookBackWindow: seconds() }),
      };
    case 'throttle':
      return {
        type: 'fixed',
        ...seconds(),
        threshold: random.between(1, 3),
        ...(random.chance(0.5) && { throttleKey: 'payload.key' }),
      };
    case 'custom':
      return { said: 'yes' };
    case 'in_app':
    case 'sms':
    case 'push':
      return {};
  }
}

function makeTrigger(
  index: number,
  workflow: RunningWorkflow,
  { quiet, burst }: { quiet: boolean; burst: boolean },
  random: Random,
): ScenarioTrigger {
  const beats = (most: number): number => random.between(0, most) * BEAT_SECONDS * 1000 + random.between(0, 50);
  const individuals = random.some(SUBSCRIBERS, 0.4).map((subscriberId) => ({ subscriberId }));
  const topics = random
    .some(['red', 'blue'], 0.3)
    .map((topicKey) => ({ type: 'Topic', topicKey, exclude: random.some(SUBSCRIBERS, 0.1) }));
  const recipients: JsonObject[] = [...individuals, ...topics];
  if (random.chance(0.1)) recipients.push({ type: 'Broadcast' });
  const poisoned = random.chance(quiet ? 0.2 : 0.08) ? random.pick(workflow.steps) : undefined;
  if (poisoned && quiet) recipients.length = 0;
  if (recipients.length === 0) recipients.push({ subscriberId: random.pick(SUBSCRIBERS) });
  const poison: Poison | undefined = poisoned && {
    stepKey: poisoned.stepId,
    at: poisoned.type === 'digest' && random.chance(0.7) ? 'delayed' : 'queued',
  };
  return {
    transactionId: `transaction${index}`,
    workflowId: workflow.id,
    recipients,
    payload: { key: random.pick(['a', 'b']), ...(poison && { poison }) },
    context: random.chance(0.03) ? { poison: 'yes' } : null,
    afterMs: beats(burst ? 0 : 12),
    ...(random.chance(0.15) && { cancelAfterMs: beats(12) }),
  };
}

/** Who is to get a notification: each subscriber once, whatever ways lead to it. */
export function recipientsOf({ recipients }: ScenarioTrigger, { subscriberIds, subscriptions }: Scenario): Set<string> {
  const individuals = recipients.flatMap(({ subscriberId }) => (subscriberId ? [String(subscriberId)] : []));
  const topics = recipients.filter(({ type }) => type === 'Topic');
  const excluded = topics.flatMap(({ exclude }) => exclude as string[]);
  const reached = recipients.some(({ type }) => type === 'Broadcast')
    ? subscriberIds
    : subscriptions
        .filter(({ topicKey }) => topics.some((topic) => topic['topicKey'] === topicKey))
        .map((s) => s.subscriberId);
  return new Set([...individuals, ...reached.filter((id) => !excluded.includes(id))]);
}
