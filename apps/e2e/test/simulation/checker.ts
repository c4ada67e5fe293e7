import type { StepId } from '@clarion/contracts/core';
import {
  hasEnded,
  isChannelStep,
  isOpenTrigger,
  type MemoryStore,
  type NotificationRow,
  type StepRow,
  type Witness,
} from '@clarion/testing/memory-store';
import { type Poison, recipientsOf, type Scenario } from './scenario';

/** The invariants that hold after the simulation has ended. */
export function check(store: MemoryStore, witness: Witness, scenario: Scenario): void {
  checkNotifications(store, witness, scenario);
  for (const notification of store.notifications.values()) {
    checkStepOrder(notification, witness, scenario);
    for (const step of notification.steps) checkDetails(step, witness);
  }
  checkSending(store, witness);
  checkDigests(store, witness);
  checkWindows(witness, scenario);
  checkPoison(store, witness, scenario);
  checkOutage(store, witness, scenario);
}

const problemOf = ({ id, type, state }: StepRow, text: string): string => `${id} (${type}, ${state}) ${text}`;

function checkNotifications(store: MemoryStore, witness: Witness, scenario: Scenario): void {
  const counts = new Map<string, number>();
  for (const { trigger, subscriberId } of store.notifications.values()) {
    const name = `${trigger.transactionId} ${subscriberId}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const states = new Map([...store.triggers.values()].map((row) => [row.transactionId, row]));
  for (const trigger of scenario.triggers) {
    const row = states.get(trigger.transactionId)!;
    if (isOpenTrigger(row)) witness.problem(`${row.id} is still ${row.state}`);
    for (const subscriberId of recipientsOf(trigger, scenario)) {
      const name = `${trigger.transactionId} ${subscriberId}`;
      const count = counts.get(name) ?? 0;
      counts.delete(name);
      if (count > 1 || (count === 0 && row.state === 'done')) {
        witness.problem(`${row.id} (${row.state}) has ${count} notifications for ${subscriberId}`);
      }
    }
  }
  for (const name of counts.keys()) witness.problem(`${name}: a notification for a subscriber who is not a recipient`);
}

function checkStepOrder({ trigger, steps }: NotificationRow, witness: Witness, scenario: Scenario): void {
  const { steps: authored } = scenario.workflows.get(trigger.workflowId)!;
  if (steps.length !== authored.length) witness.problem(`${trigger.id} has ${steps.length} steps`);
  let expected: string | undefined;
  for (const step of steps) {
    if (!hasEnded(step)) witness.problem(problemOf(step, 'has not ended'));
    if (expected !== undefined && step.state !== expected) witness.problem(problemOf(step, `should be ${expected}`));
    expected ??= expectedStateAfter(step, authored[step.position]!.shouldStopOnFail);
  }
}

/** The state of all later steps, when this step does not let them run. */
function expectedStateAfter({ state, type, details }: StepRow, stopsOnFail: boolean): string | undefined {
  const channel = ['in_app', 'sms', 'push'].includes(type);
  if (state === 'failed' && (!channel || stopsOnFail)) return 'canceled';
  if (state === 'merged') return 'merged';
  if (type === 'throttle' && state === 'skipped') return 'skipped';
  if (details.some(({ detail }) => detail === 'Step was canceled by request')) return 'canceled';
  return undefined;
}

const ENDINGS: Record<string, readonly string[]> = {
  completed: ['Success', 'Failed', 'Warning'],
  failed: ['Failed', 'Warning'],
  skipped: ['Success'],
  merged: ['Success'],
  canceled: ['Failed', 'Warning', 'Success'],
};

function checkDetails(step: StepRow, witness: Witness): void {
  const { details, state, type, position, notification } = step;
  const mergedByEarlierStep =
    state === 'merged' && notification.steps.some((s) => s.position < position && s.state === 'merged');
  if (mergedByEarlierStep) return;
  if (details.length === 0) return witness.problem(problemOf(step, 'has no execution details'));
  if (details.some(({ at }, index) => index > 0 && at < details[index - 1]!.at)) {
    witness.problem(problemOf(step, 'has execution details out of order'));
  }
  const last = details.at(-1)!;
  if (hasEnded(step) && !ENDINGS[state]!.includes(last.status)) {
    witness.problem(problemOf(step, `ends with ${last.status} ${last.detail}`));
  }
  const endings = details.filter(({ detail }) => ENDING_DETAILS.includes(detail)).length;
  const expected = witness.successors.has(step.id) ? 2 : 1;
  if (!isChannelStep(step) && hasEnded(step) && endings !== expected && !wasCanceled(step)) {
    witness.problem(problemOf(step, `has ${endings} details that end a step`));
  }
  if (isChannelStep(step) && state === 'completed' && !details.some(({ detail }) => detail === 'Message sent')) {
    witness.problem(problemOf(step, 'is completed without a detail "Message sent"'));
  }
  if (isChannelStep(step) && state === 'completed' && ![...step.messages.values()].some((m) => m.status === 'sent')) {
    witness.problem(problemOf(step, 'is completed without a sent message'));
  }
  const announced = details.filter(({ detail }) => detail === 'Step queued').length;
  const reached = !(wasCanceled(step) || (state === 'skipped' && type !== 'throttle') || state === 'canceled');
  if (announced > 1 || (announced === 0 && reached && type !== 'delay' && type !== 'digest')) {
    if (!(state === 'skipped' && wasSkippedByThrottle(step)))
      witness.problem(problemOf(step, `has ${announced} details "Step queued"`));
  }
}

const wasSkippedByThrottle = ({ notification, position }: StepRow): boolean =>
  notification.steps.some(
    (before) => before.position < position && before.type === 'throttle' && before.state === 'skipped',
  );

const wasCanceled = ({ details }: StepRow): boolean =>
  details.some(({ detail }) => detail === 'Step was canceled by request');

const ENDING_DETAILS = [
  'Step completed',
  'Delay is finished',
  'Digest triggered events',
  'Digest was merged with other digest',
  'Digest was skipped, first backoff event',
  'Throttle limit exceeded for the given window',
  'Step was canceled because a previous step failed',
  'Step was quarantined after repeated crashes',
];

/** A message arrives once. When it arrived more often, the details of its step warn that this was possible. */
function checkSending(store: MemoryStore, witness: Witness): void {
  const delivered = new Map<string, { stepId: string; times: number }>();
  for (const { messageId, stepId, delivered: arrived } of witness.calls) {
    const entry = delivered.get(messageId) ?? { stepId, times: 0 };
    delivered.set(messageId, entry);
    if (arrived) entry.times += 1;
  }
  for (const [messageId, { stepId, times }] of delivered) {
    const step = store.steps.get(stepId as StepId)!;
    const isFlagged = step.details.some(
      ({ status, detail, raw }) =>
        detail.startsWith('Sending was interrupted') ||
        detail.includes('quarantined') ||
        (status === 'Warning' && raw?.includes('"unknown-outcome"')) ||
        (status === 'Failed' && raw?.includes('"unknown-outcome"')),
    );
    if (times > 1 && !isFlagged) witness.problem(problemOf(step, `sent ${messageId} ${times} times without a warning`));
    if (times === 0 && step.messages.get(messageId)?.status === 'sent') {
      witness.problem(problemOf(step, `records ${messageId} as sent although no call delivered it`));
    }
  }
}

/** Every digested event is in exactly one digest. */
function checkDigests(store: MemoryStore, witness: Witness): void {
  if (store.openDigests.size > 0) witness.problem(`digests left open: ${[...store.openDigests.values()].join(', ')}`);
  const collected = new Map<string, number>();
  for (const { type, state, output } of store.steps.values()) {
    if (type !== 'digest' || state !== 'completed') continue;
    for (const { id } of output!['events'] as { id: string }[]) collected.set(id, (collected.get(id) ?? 0) + 1);
  }
  for (const step of store.steps.values()) {
    if (step.type !== 'digest' || wasCanceled(step)) continue;
    const times = collected.get(step.id) ?? 0;
    const master = step.digestMasterId === null ? undefined : store.steps.get(step.digestMasterId)!;
    const joined = master !== undefined && step.state === 'merged';
    const expected = step.state === 'completed' || joined ? 1 : 0;
    if (times !== expected) witness.problem(problemOf(step, `is in ${times} digests instead of ${expected}`));
  }
}

/** Counts the events of every window again, from the times that the witness saw, and compares the decisions. */
function checkWindows(witness: Witness, scenario: Scenario): void {
  const windows = new Map<string, { events: number; until: number }>();
  // Among digest steps that were counted in the same instant, the skipped step came first.
  const isLater = ({ step }: { step: StepRow }): number => Number(step.type === 'digest' && step.state !== 'skipped');
  const counted = witness.counted.toSorted((one, other) => one.at - other.at || isLater(one) - isLater(other));
  for (const { step, at } of counted) {
    const { trigger, subscriberId } = step.notification;
    const controls = scenario.workflows.get(trigger.workflowId)!.steps[step.position]!.controlValues;
    const lookBack = controls['lookBackWindow'] as { amount: number } | undefined;
    if (step.type === 'digest' && !lookBack) continue;
    // A throttle that was quarantined has ended without being counted.
    if (step.type === 'throttle' && step.details.some(({ detail }) => detail.includes('quarantined'))) continue;
    const grouped = controls['digestKey'] ?? controls['throttleKey'];
    const key = [trigger.workflowId, step.position, subscriberId, grouped && trigger.payload['key']].join(' ');
    const length = 1000 * (lookBack ? lookBack.amount : (controls['amount'] as number));
    const before = windows.get(key);
    const begins = !before || before.until <= at;
    const events = begins ? 1 : before.events + 1;
    windows.set(key, { events, until: begins || lookBack ? at + length : before.until });
    const expected = lookBack ? events === 1 : events > (controls['threshold'] as number);
    const skipped = step.state === 'skipped';
    if (skipped !== expected && !wasCanceled(step)) {
      witness.problem(problemOf(step, `was ${expected ? 'not ' : ''}skipped as event ${events} of its window`));
    }
  }
}

/** While no process ends or freezes, no message is in doubt, however long the database is away. */
function checkOutage(store: MemoryStore, witness: Witness, { faults, workerStopsAfterMs, outage }: Scenario): void {
  const isPoisonedRun = [...store.triggers.values()].some(({ payload, context }) => payload['poison'] || context);
  const { crash, error, freeze } = faults;
  if (!outage || isPoisonedRun || crash + error + freeze > 0 || workerStopsAfterMs.length > 0) return;
  for (const step of store.steps.values()) {
    if (step.details.some(({ detail }) => detail.startsWith('Sending was interrupted'))) {
      witness.problem(problemOf(step, 'was interrupted although no process ended'));
    }
  }
}

/**
 * A poisoned step or trigger crashes its process and is quarantined after three crashes. The rows that were claimed
 * together with it are not, however many rows are poisoned: after the second crash each of them runs while no other
 * row of its process does. Other faults can crash the same healthy row three times, so healthy rows are checked only
 * without them.
 */
function checkPoison(store: MemoryStore, witness: Witness, { faults }: Scenario): void {
  const isQuiet = faults.crash === 0 && faults.error === 0 && faults.freeze === 0;
  for (const step of store.steps.values()) {
    const quarantined = step.details.some(({ detail }) => detail.includes('quarantined'));
    const poisoned = isPoisoned(step);
    if (quarantined && !poisoned && isQuiet)
      witness.problem(problemOf(step, 'was quarantined for the crashes of another step'));
    const ran = witness.hasRun(step.id);
    if (
      poisoned &&
      ran &&
      !quarantined &&
      !wasCanceled(step) &&
      step.digestMasterId === null &&
      step.state !== 'skipped'
    ) {
      witness.problem(problemOf(step, 'is poisoned and was not quarantined'));
    }
  }
  for (const { id, state, context } of store.triggers.values()) {
    const poisoned = context !== null;
    if (state === 'failed' && !poisoned && isQuiet) witness.problem(`${id} failed for the crashes of another trigger`);
    if (poisoned && state === 'done') witness.problem(`${id} is poisoned and did not fail`);
  }
}

function isPoisoned({ notification, stepKey }: StepRow): boolean {
  return (notification.trigger.payload['poison'] as Poison | undefined)?.stepKey === stepKey;
}
