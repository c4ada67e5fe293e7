import { Apart, ClaimRunner, type Isolation } from '@clarion/claims';
import {
  collectsEvents,
  type EngineStepType,
  groupBy,
  type JsonObject,
  LIMITS,
  memoryOf,
  partition,
  type StepId,
  type WorkflowStep,
} from '@clarion/contracts/core';
import { type RenderItem, templateVariables } from '@clarion/content';
import {
  type ClaimedStep,
  type DigestLimits,
  faultReason,
  isDatabaseUnavailable,
  isStatementTimeout,
  loadRunning,
  type QueuedStep,
  RECORD_BYTES,
  type RunningStep,
  type RunningStores,
  variableSources,
  weightOf,
} from '@clarion/persistence';
import { type Metrics, type Span, type Tracing } from '@clarion/platform';
import { decideTimer, refuseTimer, renderTimeWait, Slices, type TimerFacts, type Variables } from '@clarion/rules';
import { EngineClaims } from './engine-claims';
import type { Digests, EngineLog, Offers, StepOutcomes, Templates, Throttles, TimerClaims } from './ports';
import { decisionName, type TimerDecision, TimerDecisions } from './timer-decisions';

/** Templates see the first events of a digest, and the count of all. One of the largest size fits in. */
const DIGEST_LIMITS: DigestLimits = { events: 1_000, bytes: LIMITS.eventBytes };
/** How often a failing step is tried: half an hour, so that a faulty release can be taken back. */
const ATTEMPTS = 10;
const retryWaitMs = (attempt: number): number => Math.min(1_000 * 3 ** (attempt - 1), 600_000);
/** Steps that are due later get no alarm in the queue: the sweeper is punctual enough for them. */
const LONGEST_ALARM_MS = 3_600_000;
/** Each result may be as large as the limit of rendering. */
const RENDERED_AT_ONCE = 20;
const NOT_RUN = 'Steps could not be run. The sweeper offers them again.';

export type TimerParts = RunningStores & {
  claims: TimerClaims;
  outcomes: StepOutcomes;
  digests: Digests;
  throttles: Throttles;
  templates: Templates;
  offers: Offers;
  tracing: Tracing;
  metrics: Pick<Metrics, 'stage' | 'limits'>;
  pause(milliseconds: number): Promise<unknown>;
  /** Shared with the other rows that the engine runs. */
  isolation: Isolation;
  log: EngineLog;
};

/** By step id. */
type Decisions = Map<string, TimerDecision>;

/** Runs the steps that need no channel worker (digest, delay, throttle, custom), when they are reached and when due. */
export class Timers {
  private readonly decide = new TimerDecisions();
  /** Steps whose controls are being rendered, or that are being recorded. */
  private readonly running = new Apart(this.parts.pause);
  private readonly claims = new EngineClaims({ ...this.parts, store: this.parts.claims });
  private readonly runner = new ClaimRunner<ClaimedStep>(
    {
      claim: (stepIds, mostCrashes) => this.parts.claims.claimTimers(stepIds, mostCrashes),
      suspects: (stepIds) => this.parts.claims.suspects(stepIds),
      run: (claimed, areSuspects) => this.runClaimed(claimed, areSuspects),
      onError: (error, stepIds) => this.claims.warn(NOT_RUN, error, { stepIds }),
    },
    this.parts.isolation,
  );

  constructor(private readonly parts: TimerParts) {}

  run(stepIds: StepId[]): Promise<void> {
    return this.runner.run(stepIds);
  }

  /** Runs the first steps of the notifications that a fan-out creates, as a part of it. */
  runWithin(stepIds: StepId[]): Promise<void> {
    return this.runner.runWithin(stepIds);
  }

  settled(): Promise<void> {
    return this.running.settled();
  }

  /** Resolves when the suspects are done. */
  async stop(): Promise<void> {
    await this.runner.drain();
    await this.settled();
    await this.claims.close();
  }

  /** Resolves when the steps have run, except those of environments with slow templates. */
  private async runClaimed(claimed: ClaimedStep[], areSuspects: boolean): Promise<void> {
    const { claimId } = claimed[0]!;
    this.claims.begin(claimId);
    for (const { type, waitedMs } of claimed) this.parts.metrics.stage('queue', type, waitedMs / 1_000);
    let left = claimed.length;
    const run = async (own: ClaimedStep[], comeBackMs: number): Promise<void> => {
      if (await this.runOrRelease(own, comeBackMs)) left -= own.length;
      if (left === 0) this.claims.end(claimId);
    };
    if (areSuspects) await run(claimed, 0);
    else await this.running.run(claimed, ({ environmentId }) => environmentId, weightOf, run);
  }

  /** Steps of one environment, or suspects. False if they could not be released: they wait for the end of the lease. */
  private async runOrRelease(claimed: ClaimedStep[], comeBackMs: number): Promise<boolean> {
    const spans = this.parts.tracing.steps(claimed);
    try {
      await this.process(claimed, spans, comeBackMs);
      return true;
    } catch (error) {
      for (const span of spans.values()) span.fail(error);
      this.claims.warn(NOT_RUN, error, { stepIds: claimed.map(({ id }) => id) });
      return await this.afterFault(claimed, error, comeBackMs);
    } finally {
      for (const span of spans.values()) span.end();
    }
  }

  /**
   * Recorded outcomes stay. During an outage the other steps are released: without that they would wait until the lease
   * ends. After any other fault each step runs alone, because one of them may be the cause. The step that fails alone
   * is tried again later and later, and ends at last.
   */
  private async afterFault(claimed: ClaimedStep[], error: unknown, comeBackMs: number): Promise<boolean> {
    const [step] = claimed as [ClaimedStep];
    const release = () => this.claims.giveBack(step.claimId, () => this.parts.claims.release(claimed));
    if (isDatabaseUnavailable(error) && !(isStatementTimeout(error) && claimed.some(isDueDigest))) return release();
    if (claimed.length > 1) {
      let isSettled = true;
      for (const one of claimed) isSettled = (await this.runOrRelease([one], comeBackMs)) && isSettled;
      return isSettled;
    }
    try {
      const waitMs = step.attempt < ATTEMPTS ? retryWaitMs(step.attempt) : undefined;
      await this.parts.outcomes.record([this.decide.faulty(step, faultReason(error), waitMs)]);
      return true;
    } catch (another) {
      this.claims.warn(NOT_RUN, another, { stepIds: [step.id] });
      return release();
    }
  }

  private async process(claimed: ClaimedStep[], spans: Map<string, Span>, comeBackMs: number): Promise<void> {
    const decisions: Decisions = new Map();
    const runnable: ClaimedStep[] = [];
    for (const step of claimed) {
      const refusal = this.decide.refuse(step);
      if (refusal) decisions.set(step.id, refusal);
      else runnable.push(step);
    }
    const ending: Decisions = new Map();
    const write = async (): Promise<void> => {
      await this.apply(claimed, decisions);
      for (const [id, decision] of decisions) {
        spans.get(id)?.set({ 'clarion.outcome': decisionName(decision) });
        if (decision.kind === 'collect') ending.set(id, decision);
      }
      decisions.clear();
    };
    for (let left = runnable; left.length > 0;) {
      const { running, later } = await loadRunning(this.parts, left);
      const reached = running.filter(({ step }) => step.state === 'queued');
      const due = running.filter(({ step }) => step.state === 'delayed');
      await this.decideReached(reached, decisions, comeBackMs, write);
      for (const item of due) decisions.set(item.step.id, this.decide.due(item));
      left = later;
    }
    await write();
    await this.collectDigests(claimed, ending, spans);
  }

  /** The controls of steps that pass are rendered, except those of slow or used-up environments. */
  private async decideReached(
    items: RunningStep[],
    decisions: Decisions,
    comeBackMs: number,
    write: () => Promise<void>,
  ): Promise<void> {
    const admitted: { item: RunningStep; facts: TimerFacts }[] = [];
    const slices = new Slices();
    for (const item of items) {
      if (slices.isOver) await slices.rest();
      const { step, authored } = item;
      if (!authored) {
        decisions.set(step.id, this.decide.notAuthored(step));
        continue;
      }
      const facts = factsOf(item, authored);
      const refusal = refuseTimer(facts);
      if (refusal) decisions.set(step.id, this.decide.reached(item, refusal));
      else admitted.push({ item, facts });
    }
    const affordable = admitted.filter(({ item: { step } }) => {
      const over = this.parts.templates.overBudget(step.environmentId);
      const comesBack = over ? renderTimeWait(over) : { waitMs: comeBackMs };
      if (comesBack.waitMs > 0) decisions.set(step.id, { kind: 'limited', ...comesBack });
      return comesBack.waitMs === 0;
    });
    let bytes = 0;
    for (let from = 0; from < affordable.length; from += RENDERED_AT_ONCE) {
      const part = affordable.slice(from, from + RENDERED_AT_ONCE);
      const renderings = await this.parts.templates.renderMany(
        part.map(({ item, facts }): RenderItem => ({
          environmentId: item.step.environmentId,
          controls: facts.authored.controlValues,
          variables: facts.variables as unknown as JsonObject,
        })),
      );
      for (const [index, { item, facts }] of part.entries()) {
        const rendering = renderings[index]!;
        const decision = rendering.ok
          ? this.decide.reached(item, decideTimer(facts, rendering.controls))
          : this.decide.contentFault(item.step, rendering.fault);
        decisions.set(item.step.id, decision);
        bytes += memoryOf(decision);
        if (bytes < RECORD_BYTES) continue;
        await write();
        bytes = 0;
      }
    }
  }

  /** A window is closed before its events are read. Large windows are read one after the other. */
  private async collectDigests(claimed: ClaimedStep[], decisions: Decisions, spans: Map<string, Span>): Promise<void> {
    const { digests } = this.parts;
    let ending = claimed.filter(({ id }) => decisions.has(id));
    if (ending.length > 0) await digests.close(ending);
    while (ending.length > 0) {
      const collected = await digests.collect(
        ending.map(({ id }) => id),
        DIGEST_LIMITS,
      );
      const [read, left] = partition(ending, ({ id }) => collected.has(id));
      const outcomes: Decisions = new Map();
      for (const step of read) {
        const { details } = decisions.get(step.id) as Extract<TimerDecision, { kind: 'collect' }>;
        const digest = collected.get(step.id)!;
        const own = step.notification.trace?.traceparent;
        spans.get(step.id)?.link(digest.traces.filter(({ traceparent }) => traceparent !== own));
        outcomes.set(step.id, this.decide.collected(step, digest, details));
      }
      await this.apply(read, outcomes);
      for (const [id, outcome] of outcomes) spans.get(id)?.set({ 'clarion.outcome': decisionName(outcome) });
      ending = left;
    }
  }

  /** One transaction for all outcomes, one for all digest requests, one for all throttle requests; then the offers. */
  private async apply(claimed: ClaimedStep[], decisions: Decisions): Promise<void> {
    const { offers } = this.parts;
    const all = [...decisions.values()];
    const outcomes = all.flatMap((decision) => (decision.kind === 'outcome' ? [decision.outcome] : []));
    const digests = all.flatMap((decision) => (decision.kind === 'digest' ? [decision.request] : []));
    const throttles = all.flatMap((decision) => (decision.kind === 'throttle' ? [decision.request] : []));
    const queued: QueuedStep[] = [];
    const byId = new Map(claimed.map((step) => [step.id, step]));
    if (outcomes.length > 0) {
      const recorded = await this.parts.outcomes.record(outcomes);
      queued.push(...recorded.queued);
      for (const { id, state, dueAt } of outcomes) {
        if (state === 'delayed' && recorded.held.has(id)) this.setAlarm(byId.get(id)!, dueAt!);
      }
    }
    if (digests.length > 0) {
      const { verdicts, queued: next } = await this.parts.digests.join(digests);
      queued.push(...next);
      for (const { id, dueAt } of digests) if (verdicts.get(id) === 'opened') this.setAlarm(byId.get(id)!, dueAt);
    }
    await this.releaseLimited(claimed, decisions);
    if (throttles.length > 0) queued.push(...(await this.parts.throttles.decide(throttles)).queued);
    if (queued.length > 0) offers.steps(queued);
  }

  /** Steps that wait for render time come back later: one statement for each environment. */
  private async releaseLimited(claimed: ClaimedStep[], decisions: Decisions): Promise<void> {
    const limited = claimed.flatMap((step) => {
      const decision = decisions.get(step.id);
      return decision?.kind === 'limited' ? [{ step, ...decision }] : [];
    });
    for (const group of groupBy(limited, ({ step }) => step.environmentId).values()) {
      const { waitMs, limit } = group[0]!;
      const steps = group.map(({ step }) => step);
      await this.parts.claims.release(steps, waitMs, limit);
      for (const { type, notedLimits } of steps) {
        if (limit && !notedLimits[limit.limit]) this.parts.metrics.limits.wait(limit.limit, type);
      }
    }
  }

  private setAlarm({ id, type, environmentId, lane, now }: ClaimedStep, dueAt: string): void {
    const delayMs = Math.max(0, Date.parse(dueAt) - now.getTime());
    if (delayMs <= LONGEST_ALARM_MS) this.parts.offers.alarm({ id, type, environmentId, lane }, delayMs);
  }
}

/** Reading its events takes as long as its window is large: a timeout need not be an outage. */
const isDueDigest = ({ type, state }: ClaimedStep): boolean => state === 'delayed' && collectsEvents(type);

function factsOf(item: RunningStep, authored: WorkflowStep): TimerFacts {
  const { type, notification, preferences, subscriber, now, waitedMs } = item.step;
  return {
    type: type as EngineStepType,
    authored,
    variables: templateVariables(variableSources(item)) as Variables,
    overrides: notification.overrides ?? undefined,
    timezone: subscriber!.timezone ?? undefined,
    now,
    reachedAt: new Date(Math.ceil(now.getTime() - waitedMs)),
    workflow: item.workflow,
    notification,
    preferences,
  };
}
