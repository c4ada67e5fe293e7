import type { History, ProviderCall, SentEvent, StepRecord, WorkflowFacts } from './history';

/** The promises, by what breaks them. `docs/reliability.md` lists them. */
export const FAULT_KINDS = {
  'lost event': 'an acknowledged event has no trigger, or a recipient of it has no notification',
  'doubled event': 'an event has two triggers, or a recipient has two notifications of it',
  'open step': 'a step has not ended although the system was idle',
  'missing step': 'a step of the workflow has no record',
  'failed step': 'a step failed although its provider accepted the message in the end',
  'missing message': 'a step completed without a message, or with two',
  'missing call': 'a message counts as sent and the provider never accepted it',
  'doubled call': 'a provider was called again and no execution detail says so',
  'changed key': 'two calls for one message have different idempotency keys',
  'unknown call': 'a provider was called for an event that is not on record',
  'early timer': 'a step behind a delay or a digest ran before its time',
  'digest without event': 'an event is in no digest',
  'event in two digests': 'an event is in two digests',
  'wrong order': 'a step began before the step before it had ended, or a digest changed the order of a call',
  'wrong response': 'a response was neither a success nor 503 with Retry-After',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;
export type Fault = { kind: FaultKind; what: string };

export type CheckOptions = {
  /** Steps that may end as failed, for experiments that make them fail for good. */
  mayFail?: (step: StepRecord) => boolean;
  /** How much earlier than its time a timer may fire, in milliseconds. */
  earlyMs?: number;
};

/** Compares what was acknowledged with what is on record and with what the provider saw. */
export function check(history: History, options: CheckOptions = {}): Fault[] {
  return [
    ...checkResponses(history),
    ...checkEvents(history),
    ...checkSteps(history, options),
    ...checkCalls(history),
    ...checkTimers(history, options.earlyMs ?? 0),
    ...checkDigests(history),
  ];
}

/** Calls beyond the first one for each message: what a provider without idempotency keys sends twice. */
export function doubledCalls({ calls }: Pick<History, 'calls'>): number {
  const accepted = calls.filter((call) => call.accepted);
  return accepted.length - new Set(accepted.map(messageOf)).size;
}

const messageOf = ({ transactionId, subscriberId, stepKey }: Omit<ProviderCall, 'at' | 'accepted'>): string =>
  `${transactionId} ${subscriberId} ${stepKey}`;

function checkResponses({ responses }: History): Fault[] {
  return responses.flatMap(({ status, retryAfter, refused, text = '' }): Fault[] => {
    if (refused !== undefined) return [{ kind: 'wrong response', what: `an event was refused: ${refused}` }];
    // A connection that ends without a response is what a killed gateway looks like; the caller repeats the call.
    if (status === 0 || (status >= 200 && status < 300)) return [];
    if (status === 503 && retryAfter !== undefined) return [];
    return [{ kind: 'wrong response', what: `${status} ${text.slice(0, 400)}` }];
  });
}

function checkEvents({ events, records }: History): Fault[] {
  const triggers = counted(records.triggers);
  const notifications = groupBy(records.steps, ({ transactionId, subscriberId }) => `${transactionId} ${subscriberId}`);
  const isOpen = new Set(records.open.map(({ transactionId }) => transactionId));
  return events.flatMap(({ transactionId, subscribers, acknowledgedAt }): Fault[] => {
    const count = triggers.get(transactionId) ?? 0;
    if (count > 1) return [{ kind: 'doubled event', what: `${transactionId} has ${count} triggers` }];
    if (acknowledgedAt === undefined) return [];
    if (count === 0) return [{ kind: 'lost event', what: `${transactionId} has no trigger` }];
    return subscribers.flatMap((subscriberId): Fault[] => {
      const steps = notifications.get(`${transactionId} ${subscriberId}`) ?? [];
      const different = new Set(steps.map(({ notificationId }) => notificationId)).size;
      if (different === 1 || (different === 0 && isOpen.has(transactionId))) return [];
      const what = `${transactionId} has ${different} notifications for ${subscriberId}`;
      return [{ kind: different === 0 ? 'lost event' : 'doubled event', what }];
    });
  });
}

/** The states in which a step has ended. */
const ENDED = new Set(['completed', 'failed', 'canceled', 'merged', 'skipped']);

function checkSteps({ events, records, workflows }: History, { mayFail }: CheckOptions): Fault[] {
  const known = new Map(events.map((event) => [event.transactionId, event]));
  const faults: Fault[] = records.open
    .filter(({ transactionId }) => known.has(transactionId))
    .map(({ transactionId, type, stepKey }) => ({
      kind: 'open step',
      what: `${transactionId} still has an open ${stepKey ?? type}`,
    }));
  const isOpen = new Set(records.open.map(({ transactionId }) => transactionId));
  for (const steps of groupBy(records.steps, ({ notificationId }) => notificationId).values()) {
    const event = known.get(steps[0]!.transactionId);
    if (!event) continue;
    faults.push(...checkOrder(steps));
    if (!isOpen.has(event.transactionId)) faults.push(...checkComplete(steps, workflows[event.workflow]!, mayFail));
  }
  return faults;
}

function checkComplete(
  steps: StepRecord[],
  { steps: wanted }: WorkflowFacts,
  mayFail: CheckOptions['mayFail'],
): Fault[] {
  const faults: Fault[] = [];
  const name = `${steps[0]!.transactionId} ${steps[0]!.subscriberId}`;
  // The notification that opened the digest goes on for those that joined it.
  const isMerged = steps.some(({ state }) => state === 'merged');
  for (const { key, type } of wanted) {
    const found = steps.filter(({ stepKey }) => stepKey === key);
    const [step] = found;
    if (found.length !== 1) {
      const isLeftOut = found.length === 0 && (isMerged || steps.some((one) => one.state === 'failed'));
      if (!isLeftOut) faults.push({ kind: 'missing step', what: `${name} has ${found.length} records of ${key}` });
    } else if (!ENDED.has(step!.state)) {
      faults.push({ kind: 'open step', what: `${name} ${key} is ${step!.state}` });
    } else if (step!.state === 'failed' && !mayFail?.(step!)) {
      faults.push({ kind: 'failed step', what: `${name} ${key} failed: ${step!.reason}` });
    } else if (step!.state === 'completed' && isChannel(type) && step!.messages !== 1) {
      faults.push({ kind: 'missing message', what: `${name} ${key} has ${step!.messages} messages` });
    }
  }
  return faults;
}

const isChannel = (type: string): boolean => type !== 'delay' && type !== 'digest';

function checkOrder(steps: StepRecord[]): Fault[] {
  const ordered = steps.toSorted((one, other) => one.position - other.position);
  return ordered.slice(1).flatMap((step, index): Fault[] => {
    const before = ordered[index]!;
    if (step.queuedAt === undefined || step.queuedAt >= before.endedAt) return [];
    return [
      { kind: 'wrong order', what: `${step.transactionId}: ${step.stepKey} began before ${before.stepKey} had ended` },
    ];
  });
}

function checkCalls({ calls, records }: History): Fault[] {
  const faults: Fault[] = [];
  const triggers = new Set(records.triggers);
  const steps = new Map(records.steps.map((step) => [messageOf(step), step]));
  const byMessage = groupBy(calls, messageOf);
  for (const [message, own] of byMessage) {
    const { transactionId } = own[0]!;
    if (!triggers.has(transactionId)) {
      faults.push({ kind: 'unknown call', what: `${message} was sent and ${transactionId} is not on record` });
      continue;
    }
    if (new Set(own.map(({ key }) => key)).size > 1) {
      faults.push({ kind: 'changed key', what: `${message} was sent with ${own.map(({ key }) => key).join(', ')}` });
    }
    const step = steps.get(message);
    if (!step) continue;
    if (own.length > 1 + step.flaggedResends + step.flaggedFailures) {
      const flags = `${step.flaggedResends} interruptions and ${step.flaggedFailures} failures on record`;
      faults.push({ kind: 'doubled call', what: `${message}: ${own.length} calls, ${flags}` });
    }
  }
  for (const step of records.steps) {
    if (step.state !== 'completed' || (step.type !== 'email' && step.type !== 'sms')) continue;
    const own = byMessage.get(messageOf(step)) ?? [];
    if (!own.some(({ accepted }) => accepted)) {
      faults.push({ kind: 'missing call', what: `${messageOf(step)} is completed after ${own.length} calls` });
    }
  }
  return faults;
}

function checkTimers({ events, calls, records, workflows }: History, earlyMs: number): Fault[] {
  const faults: Fault[] = [];
  const timed = new Map(
    events.flatMap((event) => {
      const { timerMs } = workflows[event.workflow] ?? {};
      return timerMs === undefined ? [] : [[event.transactionId, event.sentAt + timerMs - earlyMs] as const];
    }),
  );
  const early = (transactionId: string, at: number, what: string): void => {
    const due = timed.get(transactionId);
    if (due === undefined || at >= due) return;
    faults.push({ kind: 'early timer', what: `${transactionId}: ${what} ${Math.round(due - at)} ms early` });
  };
  for (const call of calls) early(call.transactionId, call.at, `the provider was called for ${call.stepKey}`);
  for (const step of records.steps)
    if (step.type === 'delay' && step.state === 'completed') early(step.transactionId, step.endedAt, step.stepKey);
  return faults;
}

function checkDigests({ events, calls, workflows }: History): Fault[] {
  const collecting = events.filter(({ workflow }) => workflows[workflow]?.steps.some(({ type }) => type === 'digest'));
  const digests = new Map(calls.flatMap((call) => (call.digested ? [[messageOf(call), call.digested] as const] : [])));
  const counts = counted([...digests.values()].flat());
  const known = new Map(events.map((event) => [event.transactionId, event]));
  return [
    ...collecting.flatMap(({ transactionId, acknowledgedAt }): Fault[] => {
      const count = counts.get(transactionId) ?? 0;
      if (count === 1 || (count === 0 && acknowledgedAt === undefined)) return [];
      return count === 0
        ? [{ kind: 'digest without event', what: `${transactionId} is in no digest` }]
        : [{ kind: 'event in two digests', what: `${transactionId} is in ${count} digests` }];
    }),
    ...[...digests].flatMap(([message, ids]) => checkDigestOrder(message, ids, known)),
  ];
}

/** The events of one call keep the order of that call. Nothing is promised about events of different calls. */
function checkDigestOrder(message: string, ids: string[], known: Map<string, SentEvent>): Fault[] {
  const last = new Map<number, string>();
  for (const id of ids) {
    const call = known.get(id)?.call;
    if (call === undefined) continue;
    const before = last.get(call);
    if (before !== undefined && before > id) {
      return [{ kind: 'wrong order', what: `the digest ${message} has ${before} before ${id}` }];
    }
    last.set(call, id);
  }
  return [];
}

function counted(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/** One line for each kind of fault: how often, and some examples. */
export function summarizeFaults(faults: readonly Fault[]): string[] {
  return [...groupBy(faults, ({ kind }) => kind)].map(
    ([kind, own]) =>
      `${own.length} x ${kind} (${own
        .slice(0, 3)
        .map(({ what }) => what)
        .join('; ')}${own.length > 3 ? '; ...' : ''})`,
  );
}

/** The number of acknowledged events without a trigger in the records. */
export const acknowledgedOf = (events: readonly SentEvent[]): number =>
  events.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length;
