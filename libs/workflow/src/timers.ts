import {
  type EngineStepType,
  isJsonObject,
  type JsonObject,
  type StepId,
  type WorkflowStep,
} from '@clarion/contracts/core';
import { type RenderItem, templateVariables } from '@clarion/content';
import {
  CRASHES_ALLOWED,
  type ClaimedStep,
  type DigestEvent,
  type DigestRequest,
  type NewDetail,
  type QueuedStep,
  type RunningStep,
  type StepOutcome,
  type ThrottleRequest,
  variableSources,
} from '@clarion/persistence';
import type { Metrics, Span, Tracing } from '@clarion/platform';
import {
  contentFaultLine,
  decideTimer,
  DELAY_FINISHED,
  extensionOf,
  type Line,
  refuseTimer,
  Slices,
  type TimerFacts,
  type TimerVerdict,
  type Variables,
} from '@clarion/rules';
import type {
  Digests,
  EngineLog,
  Offers,
  StepOutcomes,
  SurroundingsStore,
  Templates,
  Throttles,
  TimerClaims,
  Workflows,
} from './ports';

/** Of a digest with more events, templates see the first ones and the whole count. */
const DIGEST_EVENTS = 1_000;
/** Later than this the sweeper is punctual enough, and the queue need not remember it. */
const LONGEST_ALARM_MS = 3_600_000;

export type TimerParts = {
  claims: TimerClaims;
  outcomes: StepOutcomes;
  digests: Digests;
  throttles: Throttles;
  workflows: Workflows;
  surroundings: SurroundingsStore;
  templates: Templates;
  offers: Offers;
  newId<T extends string>(): T;
  tracing: Tracing;
  metrics: Pick<Metrics, 'stage'>;
  log: EngineLog;
};

/** What is to be done with a step: an outcome to record, or a question that only the database can answer. */
type Decision =
  | { kind: 'outcome'; outcome: StepOutcome }
  | { kind: 'digest'; request: DigestRequest }
  | { kind: 'throttle'; request: ThrottleRequest }
  | { kind: 'collect'; details: NewDetail[] };

/** The steps that the engine runs itself: digest, delay, throttle and custom, when they are reached and when they are due. */
export class Timers {
  private alone: Promise<void> = Promise.resolve();

  constructor(private readonly parts: TimerParts) {}

  async run(stepIds: StepId[]): Promise<void> {
    const { claims } = this.parts;
    const claimed = await claims.claimTimers(stepIds);
    await this.workOrGiveBack(claimed);
    if (claimed.length === stepIds.length) return;
    const taken = new Set(claimed.map(({ id }) => id));
    const suspects = await claims.suspects(stepIds.filter((wanted) => !taken.has(wanted)));
    if (suspects.length > 0) this.alone = this.alone.then(() => this.runAlone(suspects));
  }

  /** When the steps that run alone are done. */
  settled(): Promise<void> {
    return this.alone;
  }

  /** Steps whose last holder died, one after the other: should one of them end the process again, it does so alone. */
  private async runAlone(stepIds: StepId[]): Promise<void> {
    for (const id of stepIds) {
      try {
        await this.workOrGiveBack(await this.parts.claims.claimTimers([id], true));
      } catch (error) {
        this.parts.log.warn({ err: error, stepId: id }, 'a step could not be run; it will be offered again');
      }
    }
  }

  private async workOrGiveBack(claimed: ClaimedStep[]): Promise<void> {
    if (claimed.length === 0) return;
    for (const { type, waitedMs } of claimed) this.parts.metrics.stage('queue', type, waitedMs / 1_000);
    const spans = this.parts.tracing.steps(claimed);
    try {
      await this.work(claimed, spans);
    } catch (error) {
      for (const span of spans.values()) span.fail(error);
      // What was recorded stays so; the rest need not wait until the lease ends.
      await this.parts.claims.release(claimed).catch(() => undefined);
      throw error;
    } finally {
      for (const span of spans.values()) span.end();
    }
  }

  private async work(claimed: ClaimedStep[], spans: Map<string, Span>): Promise<void> {
    const decided = new Map<string, Decision>();
    const running = await this.surround(claimed.filter((step) => this.settle(step, decided)));
    const reached = running.filter(({ step }) => step.state === 'queued');
    const due = running.filter(({ step }) => step.state === 'delayed');
    await this.decideReached(reached, decided);
    for (const item of due) decided.set(item.step.id, this.decideDue(item));
    await this.collectDigests(due, decided, spans);
    for (const [id, span] of spans) span.set({ 'clarion.outcome': nameOf(decided.get(id)!) });
    await this.apply(claimed, decided);
  }

  private async surround(claimed: ClaimedStep[]): Promise<RunningStep[]> {
    const [workflowOf, surroundingsOf] = await Promise.all([
      this.parts.workflows.load(claimed.map(referenceOf)),
      this.parts.surroundings.load(claimed),
    ]);
    return claimed.map((step) => {
      const workflow = workflowOf(referenceOf(step));
      const authored = workflow.steps.find(({ stepId, id }) => stepId === step.stepKey || id === step.stepKey);
      return { step, workflow, authored, surroundings: surroundingsOf(step) };
    });
  }

  /** Steps that cannot run at all are decided here; true for the others. */
  private settle(step: ClaimedStep, decided: Map<string, Decision>): boolean {
    if (step.crashCount > CRASHES_ALLOWED) {
      decided.set(
        step.id,
        this.failed(step, 'Step was quarantined after repeated crashes', { crashes: CRASHES_ALLOWED }),
      );
    } else if (!step.subscriber) {
      decided.set(step.id, this.failed(step, 'Subscriber no longer exists'));
    }
    return !decided.has(step.id);
  }

  /** Conditions first, then controls, rendered for all of them in one go. */
  private async decideReached(items: RunningStep[], decided: Map<string, Decision>): Promise<void> {
    const admitted: { item: RunningStep; facts: TimerFacts }[] = [];
    const slices = new Slices();
    for (const item of items) {
      if (slices.isOver) await slices.rest();
      const { step, authored } = item;
      if (!authored) {
        decided.set(step.id, this.failed(step, 'Step is not part of its workflow'));
        continue;
      }
      const facts = factsOf(item, authored);
      const refusal = refuseTimer(facts);
      if (refusal) decided.set(step.id, this.decision(item, refusal));
      else admitted.push({ item, facts });
    }
    const renderings = await this.parts.templates.renderMany(
      admitted.map(({ item, facts }): RenderItem => ({
        environmentId: item.step.environmentId,
        controls: facts.authored.controlValues,
        variables: facts.variables as unknown as JsonObject,
      })),
    );
    for (const [index, { item, facts }] of admitted.entries()) {
      const rendering = renderings[index]!;
      decided.set(
        item.step.id,
        rendering.ok
          ? this.decision(item, decideTimer(facts, rendering.controls))
          : this.failed(item.step, contentFaultLine(rendering.fault).detail, rendering.fault),
      );
    }
  }

  private decision({ step, workflow }: RunningStep, verdict: TimerVerdict): Decision {
    const place = {
      id: step.id,
      fence: step.fence,
      environmentId: step.environmentId,
      workflowId: workflow.id,
      stepKey: step.stepKey,
      subscriberId: step.subscriber!.id,
      nextStepId: step.nextStepId,
    };
    switch (verdict.kind) {
      case 'failed':
        return this.failed(step, verdict.line.detail, verdict.line.raw as object);
      case 'skipped':
      case 'canceled':
        return this.outcome(step, { state: verdict.kind, then: 'advance', details: [this.told(verdict.line)] });
      case 'completed':
        return this.outcome(step, {
          state: 'completed',
          then: 'advance',
          ...(verdict.output && { output: verdict.output }),
          details: [this.told(verdict.line)],
        });
      case 'delayed':
        return this.outcome(step, {
          state: 'delayed',
          dueAt: verdict.until.toISOString(),
          attempt: 0,
          then: 'wait',
          details: [this.told(verdict.line)],
        });
      case 'digest': {
        const request: DigestRequest = {
          ...place,
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
        return { kind: 'throttle', request: { ...place, windowKey: key, windowMs, threshold } };
      }
    }
  }

  /** The time has come; unless the subscriber's schedule says later. */
  private decideDue({ step, authored, workflow }: RunningStep): Decision {
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
    const details = extension ? [this.told(extension.line)] : [];
    if (extension?.until) {
      return this.outcome(step, {
        state: 'delayed',
        dueAt: extension.until.toISOString(),
        attempt: 0,
        scheduleExtensionsCount: extension.extensions,
        then: 'wait',
        details,
      });
    }
    if (step.type === 'digest') return { kind: 'collect', details };
    return this.outcome(step, {
      state: 'completed',
      then: 'advance',
      details: [...details, this.told(DELAY_FINISHED)],
    });
  }

  /** Closed first, read afterwards: who is not in the list opens the next window. */
  private async collectDigests(
    due: RunningStep[],
    decided: Map<string, Decision>,
    spans: Map<string, Span>,
  ): Promise<void> {
    const ending = due.filter(({ step }) => decided.get(step.id)?.kind === 'collect').map(({ step }) => step);
    if (ending.length === 0) return;
    const ids = ending.map(({ id }) => id);
    await this.parts.digests.close(ending);
    const collected = await this.parts.digests.collect(ids, DIGEST_EVENTS);
    for (const step of ending) {
      const { details } = decided.get(step.id) as Extract<Decision, { kind: 'collect' }>;
      const { events, count, traces } = collected.get(step.id) ?? { events: [], count: 0, traces: [] };
      const own = step.notification.trace?.traceparent;
      spans.get(step.id)?.link(traces.filter(({ traceparent }) => traceparent !== own));
      decided.set(
        step.id,
        this.outcome(step, {
          state: 'completed',
          then: 'advance',
          output: { events: events as unknown as JsonObject[], eventCount: count },
          digest: { ...step.digest, events: events.map(({ payload }) => payload) },
          details: [...details, this.detail('Success', 'Digest triggered events', rawEvents(events, count))],
        }),
      );
    }
  }

  /** One transaction for what is decided, one for each kind of question; then the queue is told what is due. */
  private async apply(claimed: ClaimedStep[], decided: Map<string, Decision>): Promise<void> {
    const { offers } = this.parts;
    const all = [...decided.values()];
    const outcomes = all.flatMap((decision) => (decision.kind === 'outcome' ? [decision.outcome] : []));
    const digests = all.flatMap((decision) => (decision.kind === 'digest' ? [decision.request] : []));
    const throttles = all.flatMap((decision) => (decision.kind === 'throttle' ? [decision.request] : []));
    const queued: QueuedStep[] = [];
    const byId = new Map(claimed.map((step) => [step.id, step]));
    if (outcomes.length > 0) {
      const recorded = await this.parts.outcomes.record(outcomes);
      queued.push(...recorded.queued);
      for (const { id, state, dueAt } of outcomes) {
        if (state === 'delayed' && recorded.held.has(id)) this.alarm(byId.get(id)!, dueAt!);
      }
    }
    if (digests.length > 0) {
      const { verdicts, queued: next } = await this.parts.digests.join(digests);
      queued.push(...next);
      for (const { id, dueAt } of digests) if (verdicts.get(id) === 'opened') this.alarm(byId.get(id)!, dueAt);
    }
    if (throttles.length > 0) queued.push(...(await this.parts.throttles.decide(throttles)).queued);
    if (queued.length > 0) offers.steps(queued);
  }

  private alarm({ id, type, environmentId, now }: ClaimedStep, dueAt: string): void {
    const delayMs = Math.max(0, Date.parse(dueAt) - now.getTime());
    if (delayMs <= LONGEST_ALARM_MS) this.parts.offers.alarm({ id, type, environmentId }, delayMs);
  }

  private failed(step: ClaimedStep, detail: string, raw?: object): Decision {
    return this.outcome(step, {
      state: 'failed',
      error: { message: detail, ...raw } as JsonObject,
      ...(step.type === 'digest' && step.state === 'delayed' && { passesDigestOn: true }),
      then: 'halt',
      details: [this.detail('Failed', detail, raw)],
    });
  }

  private outcome(
    step: ClaimedStep,
    outcome: Omit<StepOutcome, 'id' | 'fence' | 'nextStepId' | 'nextDetailId'>,
  ): Decision {
    return {
      kind: 'outcome',
      outcome: {
        ...outcome,
        id: step.id,
        fence: step.fence,
        ...(outcome.then === 'advance' && { nextStepId: step.nextStepId, nextDetailId: this.parts.newId() }),
      },
    };
  }

  private told({ status, detail, raw }: Line): NewDetail {
    return this.detail(status, detail, raw as object | undefined);
  }

  private detail(status: NewDetail['status'], detail: string, raw?: object): NewDetail {
    return { id: this.parts.newId(), status, detail, ...(raw && { raw: JSON.stringify(raw) }) };
  }
}

/** In one word, for a trace. */
const nameOf = (decision: Decision): string => (decision.kind === 'outcome' ? decision.outcome.state : decision.kind);

const referenceOf = ({ notification, workflowUpdatedAt }: ClaimedStep) => ({
  workflowId: notification.workflowId,
  workflowVersion: notification.workflowVersion,
  workflowUpdatedAt,
});

function factsOf(item: RunningStep, authored: WorkflowStep): TimerFacts {
  const { type, notification, preferences, subscriber, now } = item.step;
  return {
    type: type as EngineStepType,
    authored,
    variables: templateVariables(variableSources(item)) as Variables,
    overrides: notification.overrides ?? undefined,
    timezone: subscriber!.timezone ?? undefined,
    now,
    workflow: item.workflow,
    notification,
    preferences,
  };
}

/** The record shows as many events as fit on a screen, and how many there were. */
function rawEvents(events: DigestEvent[], count: number): object {
  const shown = events.slice(0, 20).filter(({ payload }) => isJsonObject(payload));
  return { eventCount: count, events: shown };
}
