import type { JsonObject, WorkflowStep } from '@clarion/contracts';
import type { RunningWorkflow } from '@clarion/persistence';
import { type Random, runningWorkflow, type Subscription } from '@clarion/testing/memory-store';
import type { Faults } from './process';

/** Stores its messages and calls no provider. */
export const IN_APP = 'in_app';
/** Calls a provider once. */
export const SMS = 'sms';
/** Calls a provider for each device. */
export const PUSH = 'push';
export const CHANNELS_USED = [IN_APP, SMS, PUSH] as const;

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
  /** The probability that the queue loses, duplicates or delays a job, and that it counts as long. */
  queue: { lose: number; double: number; late: number; long: number };
  /** The probability that a claim does not see another one that was made shortly before. */
  claimRace: { chance: number; withinMs: number };
  queueEmptiedAfterMs: number[];
  /** When a worker is stopped gracefully; a new worker replaces it. */
  workerStopsAfterMs: number[];
  /** The database does not answer. */
  outage?: { afterMs: number; forMs: number };
  provider: { fail: number; idempotent: boolean; hold: boolean; closedForMs?: number; rateLimit?: number };
  skewMs: number;
  /** No faults are injected after this time. */
  calmAfterMs: number;
};

const SUBSCRIBERS = ['s1', 's2', 's3', 's4', 's5'];
/** All times are multiples of this, so that many events coincide and race. */
const GRID_SECONDS = 5;
const SECONDS = [1, 2, 4, 12, 24].map((count) => count * GRID_SECONDS);
const STEP_TYPES = [IN_APP, SMS, SMS, PUSH, 'delay', 'digest', 'digest', 'throttle', 'custom'] as const;

/**
 * `stops` draws the times at which workers and the database stop, and limits of an account. It is a separate generator,
 * so that the draws of `random` are the same with and without them.
 */
export function makeScenario(random: Random, stops: Random): Scenario {
  const workflows = new Map(
    Array.from({ length: random.between(1, 2) }, (_, index) => {
      const workflow = makeWorkflow(`workflow${index}`, random);
      return [workflow.id, workflow];
    }),
  );
  // Without faults, except for poisoned payloads.
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
    queue: { lose: rate(0.4), double: rate(0.4), late: rate(0.5), long: rate(0.8) },
    claimRace: { chance: rate(0.8), withinMs: random.pick([0, 20, 2_000]) },
    queueEmptiedAfterMs: quiet ? [] : Array.from({ length: random.between(0, 3) }, () => random.between(0, 120_000)),
    workerStopsAfterMs: stops.chance(0.3)
      ? Array.from({ length: stops.between(1, 6) }, () => stops.between(0, 120_000))
      : [],
    ...(stops.chance(0.3) && {
      outage: { afterMs: stops.between(0, 60_000), forMs: stops.pick([2_000, 5_000, 15_000, 120_000]) },
    }),
    provider: {
      fail: rate(0.6),
      idempotent: random.chance(0.5),
      hold: random.chance(0.2),
      ...(random.chance(0.1) && { closedForMs: random.between(1_000, 60_000) }),
      ...(stops.chance(0.5) && { rateLimit: 1 }),
    },
    skewMs: random.pick([0, 0, 2_000, 300_000]),
    calmAfterMs: 150_000,
  };
}

function makeWorkflow(id: string, random: Random): RunningWorkflow {
  const steps = Array.from({ length: random.between(1, 4) }, (_, index) => makeStep(index, random));
  return runningWorkflow(id, steps);
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
      return { value: 'yes' };
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
  const gridTime = (most: number): number => random.between(0, most) * GRID_SECONDS * 1000 + random.between(0, 50);
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
    afterMs: gridTime(burst ? 0 : 12),
    ...(random.chance(0.15) && { cancelAfterMs: gridTime(12) }),
  };
}

/** The recipients of a trigger: each subscriber once, even when several topics reach it. */
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
