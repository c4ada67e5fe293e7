import {
  awaitedStepOf,
  collectsEvents,
  EXECUTION_DETAILS,
  executionDetail,
  isJsonObject,
  type JsonObject,
  type LimitWait,
} from '@clarion/contracts/core';
import {
  type ClaimedStep,
  type CollectedDigest,
  CRASHES_ALLOWED,
  type DigestEvent,
  type DigestRequest,
  type NewDetail,
  type RunningStep,
  type StepOutcome,
  type ThrottleRequest,
} from '@clarion/persistence';
import { contentFaultLine, extensionOf, type Line, type TimerPlan } from '@clarion/rules';

/** Events of a digest that its execution detail shows, and the characters of their payloads. */
const EVENTS_SHOWN = 20;
const CHARACTERS_SHOWN = 16 * 1024;

/** What is written for a step: an outcome, or a request that the database decides. */
export type TimerDecision =
  | { kind: 'outcome'; outcome: StepOutcome }
  | { kind: 'digest'; request: DigestRequest }
  | { kind: 'throttle'; request: ThrottleRequest }
  /** The environment of the step has used up its render time, or has slow templates: the step comes back. */
  | { kind: 'limited'; waitMs: number; limit?: LimitWait }
  /** A digest whose window has ended: its events are still to be read. */
  | { kind: 'collect'; details: NewDetail[] };

export class TimerDecisions {
  /** The decision about a step that cannot run at all; undefined for other steps. */
  refuse(step: ClaimedStep): TimerDecision | undefined {
    if (step.crashCount > CRASHES_ALLOWED) {
      return this.failed(step, EXECUTION_DETAILS.stepQuarantined.detail, { crashes: CRASHES_ALLOWED });
    }
    return step.subscriber ? undefined : this.failed(step, EXECUTION_DETAILS.subscriberGone.detail);
  }

  notAuthored(step: ClaimedStep): TimerDecision {
    return this.failed(step, EXECUTION_DETAILS.stepNotInWorkflow.detail);
  }

  contentFault(step: ClaimedStep, fault: { path: string; message: string }): TimerDecision {
    return this.failed(step, contentFaultLine(fault).detail, fault);
  }

  /** A step that its notification has reached. */
  reached({ step, workflow, earlier }: RunningStep, verdict: TimerPlan): TimerDecision {
    const base = {
      id: step.id,
      fence: step.fence,
      environmentId: step.environmentId,
      workflowId: workflow.id,
      stepKey: step.stepKey,
      subscriberId: step.subscriber!.id,
    };
    switch (verdict.kind) {
      case 'failed':
        return this.failed(step, verdict.line.detail, verdict.line.raw as object);
      case 'skipped':
      case 'canceled':
        return this.outcome(step, { state: verdict.kind, then: 'advance', details: [this.detail(verdict.line)] });
      case 'completed':
        return this.outcome(step, {
          state: 'completed',
          then: 'advance',
          ...(verdict.output && { output: verdict.output }),
          details: [this.detail(verdict.line)],
        });
      case 'delayed': {
        const awaited = verdict.awaits === undefined ? undefined : earlier?.[verdict.awaits];
        return this.outcome(step, {
          state: 'delayed',
          dueAt: verdict.until.toISOString(),
          attempt: 0,
          ...(awaited && { awaits: { stepId: awaited.id, messageIds: awaited.messageIds } }),
          then: 'wait',
          details: [this.detail(verdict.line)],
        });
      }
      case 'digest': {
        const request: DigestRequest = {
          ...base,
          notificationId: step.notificationId,
          digestKey: verdict.key,
          dueAt: verdict.until.toISOString(),
          digest: verdict.digest,
          ...(verdict.lookBackMs !== undefined && { lookBackMs: verdict.lookBackMs }),
        };
        return { kind: 'digest', request };
      }
      case 'throttle': {
        const { key, windowMs, threshold } = verdict;
        return { kind: 'throttle', request: { ...base, windowKey: key, windowMs, threshold } };
      }
    }
  }

  /** A delay or digest whose time is over; it waits longer when the subscriber's schedule is closed. */
  due({ step, authored, workflow, earlier }: RunningStep): TimerDecision {
    const extension =
      authored?.controlValues['extendToSchedule'] === true
        ? extensionOf({
            workflow,
            preferences: step.preferences,
            contextKeys: step.notification.contextKeys,
            timezone: step.subscriber!.timezone ?? undefined,
            now: step.now,
            extensions: step.scheduleExtensionsCount ?? 0,
          })
        : undefined;
    const details = extension ? [this.detail(extension.line)] : [];
    if (extension?.until) {
      return this.outcome(step, {
        state: 'delayed',
        dueAt: extension.until.toISOString(),
        attempt: 0,
        scheduleExtensionsCount: extension.extensions,
        // From now on it waits for the schedule only.
        awaits: null,
        then: 'wait',
        details,
      });
    }
    if (collectsEvents(step.type)) return { kind: 'collect', details };
    return this.outcome(step, {
      state: 'completed',
      then: 'advance',
      details: [...details, this.detail(endOfDelay(authored, earlier))],
    });
  }

  /** A digest whose events were read. Its record shows them from the output, where they are stored once. */
  collected(step: ClaimedStep, { events, count }: CollectedDigest, details: NewDetail[]): TimerDecision {
    const line: Line = { ...executionDetail('digestTriggered'), raw: shownEvents(events, count) };
    const left = count - events.length;
    const cut =
      left > 0 ? [this.detail(executionDetail('digestCut', { left: String(left), count: String(count) }))] : [];
    return this.outcome(step, {
      state: 'completed',
      then: 'advance',
      output: { events: events as unknown as JsonObject[], eventCount: count },
      details: [...details, ...cut, this.detail(line)],
    });
  }

  /** A step that failed although the database is there: it is tried again after a wait, or ends. */
  faulty(step: ClaimedStep, reason: string, waitMs: number | undefined): StepOutcome {
    const values = { attempts: String(step.attempt), reason };
    if (waitMs === undefined) return this.failure(step, executionDetail('stepGivenUp', values).detail, { reason });
    return {
      id: step.id,
      fence: step.fence,
      state: step.state,
      dueInMs: waitMs,
      attempt: step.attempt,
      then: 'wait',
      details: [executionDetail('stepTriedAgain', { reason })],
    };
  }

  private failed(step: ClaimedStep, detail: string, raw?: object): TimerDecision {
    return { kind: 'outcome', outcome: this.failure(step, detail, raw) };
  }

  private failure(step: ClaimedStep, detail: string, raw?: object): StepOutcome {
    return {
      id: step.id,
      fence: step.fence,
      state: 'failed',
      error: { message: detail, ...raw } as JsonObject,
      ...(collectsEvents(step.type) && step.state === 'delayed' && { passesDigestOn: true }),
      then: 'halt',
      details: [this.detail({ status: 'Failed', detail, raw })],
    };
  }

  private outcome(step: ClaimedStep, outcome: Omit<StepOutcome, 'id' | 'fence'>): TimerDecision {
    return {
      kind: 'outcome',
      outcome: {
        ...outcome,
        id: step.id,
        fence: step.fence,
      },
    };
  }

  private detail({ status, detail, raw }: Line): NewDetail {
    return { status, detail, ...(raw != null && { raw: JSON.stringify(raw) }) };
  }
}

function endOfDelay(authored: RunningStep['authored'], earlier: RunningStep['earlier']): Line {
  const awaited = authored && awaitedStepOf(authored.controlValues);
  return awaited !== undefined && earlier?.[awaited]?.read
    ? executionDetail('awaitedMessageRead', { step: awaited })
    : executionDetail('delayFinished');
}

export const decisionName = (decision: TimerDecision): string =>
  decision.kind === 'outcome' ? decision.outcome.state : decision.kind;

/** The first events, as far as they are short, and how many there were. */
function shownEvents(events: DigestEvent[], count: number): object {
  let left = CHARACTERS_SHOWN;
  const shown = events.slice(0, EVENTS_SHOWN).filter(({ payload }) => {
    if (left < 0 || !isJsonObject(payload)) return false;
    left -= JSON.stringify(payload).length;
    return left >= 0;
  });
  return { eventCount: count, events: shown };
}
