import { type Channel, type StepId, type TraceContext, traceIdOf } from '@clarion/contracts/core';
import {
  type ClaimedStep,
  isUnstorableValue,
  type NewDetail,
  type NewMessage,
  type Recorded,
  type RunningStep,
  type StepOutcome,
  CRASHES_ALLOWED,
} from '@clarion/persistence';
import { Batcher, type Metrics, type Span, type Tracing } from '@clarion/platform';
import { integrationOverride, NO_SUPPRESSIONS, noIntegrationLine, orderCandidates, Slices } from '@clarion/rules';
import { admit, type Line } from './admit';
import type { ChannelStrategy, Prepared, ReadyStep } from './channel';
import { countMessages, endToEndSeconds } from './delivery-metrics';
import type { IntegrationDirectory } from './integration-directory';
import type {
  DeliveryLog,
  Offers,
  Realtime,
  StepClaims,
  StepOutcomes,
  Suppressions,
  SurroundingsStore,
  Workflows,
} from './ports';
import { type Sender, type StepResult, type Turn } from './sender';
import { withSuppressions } from './suppressions';

/** Steps that one worker holds at a time; and the most, while those that it holds do not get on. */
const CAPACITY = 1_000;
const CAPACITY_WHEN_STUCK = 3_000;
const STUCK_MS = 250;
const CLAIM_SIZE = 500;
const RECORD_SIZE = 500;
const RENEW_MS = 5_000;
const MANY = 50;
const COMPANY_MS = 10;
/** Between the tries to record an outcome; together less than a lease. */
const RECORD_WAITS_MS = [200, 1_000, 4_000];
/** How long a step waits for room in the lane of its account before it is offered again. */
const PARKED_MS = 1_000;

export type PipelineParts = {
  claims: StepClaims;
  outcomes: StepOutcomes;
  workflows: Workflows;
  surroundings: SurroundingsStore;
  integrations: IntegrationDirectory;
  suppressions: Suppressions;
  offers: Offers;
  realtime: Realtime;
  sender: Sender;
  tracing: Tracing;
  metrics: Metrics;
  newId<T extends string>(): T;
  pause(milliseconds: number): Promise<unknown>;
  log: DeliveryLog;
};

/**
 * From due steps of one channel to recorded outcomes: claim, decide, render, send, record, advance. Whatever is going on at
 * the same time shares the statements: claims, marks and outcomes are each written many at a time.
 */
export class DeliveryPipeline {
  private readonly held = new Map<string, ClaimedStep>();
  /** Of held steps, where their traces are recorded. */
  private readonly spans = new Map<string, Span>();
  private readonly waitingForRoom: (() => void)[] = [];
  private readonly intake: Batcher<StepId, void>;
  private readonly writer: Batcher<StepOutcome, boolean | Error>;
  private readonly marker: Batcher<ClaimedStep, boolean>;
  private readonly parked: Batcher<ClaimedStep, void>;
  private readonly heartbeat: NodeJS.Timeout;
  /** Of held steps, those for which a provider was called, or whose outcome is being written. */
  private readonly touched = new Set<string>();
  private isStopping = false;
  private idle: (() => void)[] = [];
  private alone: Promise<void> = Promise.resolve();
  private letGoOf: (() => void)[] = [];
  /** When a step was last claimed or recorded, for whoever judges this process by its progress. */
  lastProgressAt = performance.now();

  constructor(
    private readonly strategy: ChannelStrategy,
    private readonly parts: PipelineParts,
  ) {
    this.intake = new Batcher({
      maxItems: CLAIM_SIZE,
      maxWaitMs: 0,
      concurrency: 2,
      run: async (ids) => {
        await this.take(ids);
        return ids.map(() => undefined);
      },
    });
    this.writer = new Batcher({
      maxItems: RECORD_SIZE,
      maxWaitMs: () => this.patience(),
      concurrency: 2,
      run: (batch) => this.record(batch),
    });
    this.marker = new Batcher({
      maxItems: RECORD_SIZE,
      maxWaitMs: () => this.patience(),
      concurrency: 2,
      run: (batch) => this.mark(batch),
    });
    this.parked = new Batcher({
      maxItems: RECORD_SIZE,
      maxWaitMs: 0,
      concurrency: 1,
      run: async (batch) => {
        await this.letGo(batch, PARKED_MS);
        return batch.map(() => undefined);
      },
    });
    this.heartbeat = setInterval(() => void this.renew(), RENEW_MS);
    this.heartbeat.unref();
  }

  /** A lone step is written at once; with many under way, a few milliseconds bring several into one statement. */
  private patience(): number {
    return this.held.size > MANY ? COMPANY_MS : 0;
  }

  get channel(): Channel {
    return this.strategy.channel;
  }

  /** Steps that are claimed and not finished. */
  get size(): number {
    return this.held.size;
  }

  /** Resolves when the steps are claimed and on their way; the lease watches over the rest. */
  async deliver(stepIds: StepId[]): Promise<void> {
    await this.intake.addMany(stepIds);
  }

  /** When everything that was taken is recorded. */
  async drain(): Promise<void> {
    await this.intake.drain();
    await this.alone;
    while (this.held.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
    await this.writer.drain();
  }

  /**
   * From now on no provider is called for a step that none was called for yet: these go back to the queue at once, for
   * others, and so does whatever else is taken.
   */
  async giveBack(): Promise<void> {
    this.isStopping = true;
    await this.letGo(this.untouched(), 0);
  }

  /** What is under way ends within the time given. */
  async stop(deadlineMs: number): Promise<void> {
    await this.giveBack();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMs);
    });
    await Promise.race([this.drain(), late]);
    clearTimeout(timer);
    clearInterval(this.heartbeat);
    // A step in the middle of a call keeps its lease: whoever takes it next has to know that it is in doubt.
    await this.letGo(this.untouched(), 0);
  }

  private untouched(): ClaimedStep[] {
    return [...this.held.values()].filter(({ id }) => !this.touched.has(id));
  }

  private async take(stepIds: StepId[]): Promise<void> {
    await this.roomFor(stepIds.length);
    const wanted = [...new Set(stepIds)];
    const claimed = await this.parts.claims.claimChannel(this.channel, wanted);
    await this.processOrGiveBack(claimed);
    if (claimed.length === wanted.length) return;
    const taken = new Set(claimed.map(({ id }) => id));
    const suspects = await this.parts.claims.suspects(wanted.filter((id) => !taken.has(id)));
    if (suspects.length > 0) this.alone = this.alone.then(() => this.takeAlone(suspects));
  }

  /** Steps whose last holder died, one after the other: should one of them end the process again, it does so alone. */
  private async takeAlone(stepIds: StepId[]): Promise<void> {
    for (const id of stepIds) {
      try {
        const claimed = await this.parts.claims.claimChannel(this.channel, [id], true);
        await this.processOrGiveBack(claimed);
        while (claimed.length > 0 && this.held.has(id))
          await new Promise<void>((resolve) => this.letGoOf.push(resolve));
      } catch (error) {
        this.parts.log.warn({ err: error, stepId: id }, 'a step could not be taken');
      }
    }
  }

  private async processOrGiveBack(claimed: ClaimedStep[]): Promise<void> {
    if (claimed.length === 0) return;
    if (this.isStopping) return this.letGo(claimed, 0);
    this.lastProgressAt = performance.now();
    this.parts.metrics.batch('claim', claimed.length);
    for (const step of claimed) {
      this.held.set(step.id, step);
      this.parts.metrics.stage('queue', this.channel, step.waitedMs / 1_000);
    }
    for (const [id, span] of this.parts.tracing.steps(claimed)) this.spans.set(id, span);
    try {
      await this.process(claimed);
    } catch (error) {
      // Nothing was sent yet; the steps are given back as they were.
      this.parts.log.warn({ err: error, steps: claimed.length }, 'a batch could not be processed and is given back');
      await this.letGo(
        claimed.filter(({ id }) => !this.touched.has(id)),
        PARKED_MS,
      );
    }
  }

  private async process(claimed: ClaimedStep[]): Promise<void> {
    const [poisoned, sound] = partition(claimed, ({ crashCount }) => crashCount > CRASHES_ALLOWED);
    if (poisoned.length > 0) await this.quarantine(poisoned);
    if (sound.length === 0) return;
    const judged: ReadyStep[] = [];
    const slices = new Slices();
    for (const item of await this.surround(sound)) {
      if (slices.isOver) await slices.rest();
      const verdict = this.judge(item);
      if ('accounts' in verdict) judged.push(verdict);
      else void this.settle(item, verdict);
    }
    if (judged.length === 0) return;
    const ready = await withSuppressions(this.parts.suppressions, this.channel, judged);
    const prepared = await this.prepare(ready);
    for (const [index, step] of ready.entries()) void this.dispatch(step, prepared[index]!);
  }

  private async prepare(ready: ReadyStep[]): Promise<Prepared[]> {
    const contexts = ready.map(({ item }) => this.spans.get(item.step.id)?.context);
    const span = this.parts.tracing.shared('render', contexts, {
      'clarion.channel': this.channel,
      'clarion.steps': ready.length,
    });
    const begin = performance.now();
    try {
      return await this.strategy.prepare(ready);
    } catch (error) {
      span?.fail(error);
      throw error;
    } finally {
      this.parts.metrics.stage('render', this.channel, secondsSince(begin));
      span?.end();
    }
  }

  /** Where the trace of a step goes on; also while nobody records it here. */
  private traceOf({ id, notification }: ClaimedStep): TraceContext | undefined {
    return this.spans.get(id)?.context ?? notification.trace ?? undefined;
  }

  /** Of their surroundings only the workflow is looked at, which says whether the next steps run. */
  private async quarantine(poisoned: ClaimedStep[]): Promise<void> {
    const workflowOf = await this.parts.workflows.load(poisoned.map(referenceOf));
    for (const step of poisoned) {
      void this.settle({ step, authored: authoredOf(step, workflowOf(referenceOf(step))) }, QUARANTINED);
    }
  }

  private async surround(claimed: ClaimedStep[]): Promise<RunningStep[]> {
    const [workflowOf, surroundingsOf] = await Promise.all([
      this.parts.workflows.load(claimed.map(referenceOf)),
      this.parts.surroundings.load(claimed),
      this.parts.integrations.load(claimed),
    ]);
    return claimed.map((step) => {
      const workflow = workflowOf(referenceOf(step));
      return { step, workflow, authored: authoredOf(step, workflow), surroundings: surroundingsOf(step) };
    });
  }

  /** Everything that can be said before there is content. */
  private judge(item: RunningStep): ReadyStep | StepResult {
    const { step } = item;
    const admitted = admit(item, this.channel);
    if (!admitted.admitted) return { state: admitted.state, lines: admitted.lines, messages: [] };
    const choice = orderCandidates(this.parts.integrations.accounts(step.environmentId, this.channel), {
      channel: this.channel,
      integrationIdentifier: integrationOverride(step.notification.overrides ?? undefined, this.channel),
      variables: admitted.variables,
    });
    if (choice.order.length === 0) return failure(...admitted.lines, noIntegrationLine(choice));
    return { item, admitted, accounts: choice.order, suppressed: NO_SUPPRESSIONS };
  }

  private async dispatch({ item, admitted }: ReadyStep, prepared: Prepared): Promise<void> {
    const { step } = item;
    const lines = admitted.lines;
    switch (prepared.kind) {
      case 'refused':
        return this.settle(item, {
          state: prepared.refused.state,
          lines: [...lines, ...prepared.refused.lines],
          messages: prepared.messages,
        });
      case 'stored':
        return this.settle(item, {
          state: 'completed',
          lines: [...lines, ...prepared.lines],
          messages: prepared.messages,
        });
      case 'deliveries': {
        if (!this.parts.sender.hasRoom(prepared.deliveries)) return this.parked.add(step);
        try {
          const { sender } = this.parts;
          const result = await sender.send(
            step,
            prepared.deliveries,
            this.strategy,
            this.turnOf(step),
            this.traceOf(step),
          );
          if (!result) return this.forget(step);
          return await this.settle(item, { ...result, lines: [...lines, ...prepared.lines, ...result.lines] });
        } catch (error) {
          // The lease ends and somebody tries again; if a call was under way, it will be known as in doubt.
          this.parts.log.warn({ err: error, ...idsOf(step) }, 'a step could not be sent');
          return this.forget(step);
        }
      }
    }
  }

  /** A step is marked before its first call. While stopping, none begins with its calls. */
  private turnOf(step: ClaimedStep): Turn {
    let marked: Promise<boolean> | undefined;
    const mayCall = (): boolean => !this.isStopping || this.touched.has(step.id);
    return {
      mark: async () => mayCall() && (marked ??= this.marker.add(step)),
      begin: () => {
        const may = mayCall();
        if (may) this.touched.add(step.id);
        return may;
      },
    };
  }

  /** Records how the step ended and tells the queue what comes next. */
  private async settle(item: Pick<RunningStep, 'step'> & Partial<RunningStep>, result: StepResult): Promise<void> {
    const { step } = item;
    this.touched.add(step.id);
    try {
      const outcome = this.toOutcome(item, result);
      this.tell(step, result);
      const recorded = await this.recordSurely(step, outcome);
      if (recorded) this.count(item, result);
      if (recorded && outcome.state === 'queued') {
        const { id, type, environmentId } = step;
        this.parts.offers.alarm({ id, type, environmentId }, outcome.dueInMs!);
      }
      if (recorded && this.channel === 'in_app' && result.messages.length > 0) this.announce(step, result.messages);
    } catch (error) {
      this.parts.log.warn(
        { err: error, ...idsOf(step) },
        'an outcome could not be recorded; the step will be tried again',
      );
    } finally {
      this.forget(step);
    }
  }

  private count({ step, workflow }: Pick<RunningStep, 'step'> & Partial<RunningStep>, result: StepResult): void {
    const { metrics } = this.parts;
    countMessages(metrics, this.channel, step, result);
    const seconds = result.state === 'completed' && workflow ? endToEndSeconds(step, workflow, Date.now()) : undefined;
    if (seconds !== undefined) metrics.stage('end_to_end', this.channel, seconds);
  }

  /** How it ended, in the trace. */
  private tell(step: ClaimedStep, { state, error }: StepResult): void {
    const span = this.spans.get(step.id);
    span?.set({ 'clarion.outcome': state });
    if (state === 'failed') span?.fail(error?.['message'] ?? state);
  }

  /** What is known must not be lost to a moment without a database: the step stays ours meanwhile. */
  private async recordSurely(step: ClaimedStep, outcome: StepOutcome): Promise<boolean> {
    for (const wait of RECORD_WAITS_MS) {
      try {
        return await this.write(outcome);
      } catch (error) {
        if (isUnstorableValue(error)) return this.write(withoutContent(outcome));
        this.parts.log.warn({ err: error, ...idsOf(step) }, 'an outcome could not be recorded; trying again');
        await this.parts.pause(wait);
      }
    }
    return this.write(outcome);
  }

  private async write(outcome: StepOutcome): Promise<boolean> {
    const recorded = await this.writer.add(outcome);
    if (recorded instanceof Error) throw recorded;
    return recorded;
  }

  private toOutcome(
    { step, authored }: Pick<RunningStep, 'step'> & Partial<RunningStep>,
    result: StepResult,
  ): StepOutcome {
    // A try that the provider asked to repeat does not count, but its account is remembered.
    const isRetry = step.attempt > 1 || step.inDoubt || step.integrationId !== null;
    const halts = result.state === 'failed' && authored?.shouldStopOnFail === true;
    const then = result.state === 'queued' ? 'wait' : halts ? 'halt' : 'advance';
    const { newId } = this.parts;
    return {
      id: step.id,
      fence: step.fence,
      state: result.state,
      then,
      details: result.lines.map((line) => this.toDetail(line, isRetry)),
      messages: result.messages,
      ...(result.waitMs !== undefined && { dueInMs: result.waitMs }),
      ...(result.attempt !== undefined && { attempt: result.attempt }),
      ...(result.account && { providerId: result.account.providerId, integrationId: result.account.id }),
      ...(result.error && { error: result.error }),
      ...(then === 'advance' && step.nextStepId && { nextStepId: step.nextStepId, nextDetailId: newId() }),
    } as StepOutcome;
  }

  private toDetail({ raw, isRetry: marked, ...line }: Line & { isRetry?: boolean }, isRetry: boolean): NewDetail {
    return {
      id: this.parts.newId(),
      ...line,
      ...((marked ?? isRetry) && { isRetry: true }),
      ...(raw !== undefined && { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
    };
  }

  /**
   * The queue hears of next steps once for the whole batch. An outcome that Postgres cannot store must not take its
   * neighbours with it: then each is written on its own.
   */
  private async record(outcomes: StepOutcome[]): Promise<(boolean | Error)[]> {
    const contexts = outcomes.map(({ id }) => this.spans.get(id)?.context);
    const span = this.parts.tracing.shared('commit', contexts, {
      'clarion.channel': this.channel,
      'clarion.steps': outcomes.length,
    });
    const begin = performance.now();
    try {
      const { held, queued }: Recorded = await this.parts.outcomes.record(outcomes);
      this.parts.metrics.stage('commit', this.channel, secondsSince(begin));
      this.parts.metrics.batch('record', outcomes.length);
      if (queued.length > 0) this.parts.offers.steps(queued);
      this.lastProgressAt = performance.now();
      return outcomes.map(({ id }) => held.has(id));
    } catch (error) {
      span?.fail(error);
      if (outcomes.length === 1 || !isUnstorableValue(error)) throw error;
      const results: (boolean | Error)[] = [];
      for (const outcome of outcomes) {
        results.push(...(await this.record([outcome]).catch((fault: Error) => [fault])));
      }
      return results;
    } finally {
      span?.end();
    }
  }

  private async mark(steps: ClaimedStep[]): Promise<boolean[]> {
    const ours = await this.parts.claims.markSending(steps);
    this.parts.metrics.batch('mark', steps.length);
    return steps.map(({ id }) => ours.has(id));
  }

  private announced: { step: ClaimedStep; messages: NewMessage[] }[] = [];

  /** Together with whatever else is recorded in this turn. */
  private announce(step: ClaimedStep, messages: NewMessage[]): void {
    if (this.announced.push({ step, messages }) > 1) return;
    setImmediate(() => {
      const events = this.announced.map(({ step: { environmentId, subscriber }, messages: created }) => ({
        v: 1 as const,
        kind: 'message.created' as const,
        environmentId,
        subscriberId: subscriber!.id,
        messageIds: created.map(({ id }) => id),
      }));
      this.announced = [];
      void this.parts.realtime.publish(events);
    });
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    try {
      await this.parts.claims.renew([...this.held.values()]);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'leases could not be renewed');
    }
  }

  private async letGo(steps: ClaimedStep[], delayMs: number): Promise<void> {
    try {
      await this.parts.claims.release(steps, delayMs);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'steps could not be given back; their leases end by themselves');
    } finally {
      for (const step of steps) this.forget(step);
    }
  }

  private forget({ id, fence }: ClaimedStep): void {
    if (this.held.get(id)?.fence !== fence) return;
    this.held.delete(id);
    this.touched.delete(id);
    this.spans.get(id)?.end();
    this.spans.delete(id);
    this.waitingForRoom.shift()?.();
    for (const resolve of this.letGoOf.splice(0)) resolve();
    if (this.held.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  /**
   * Waits until there is room. When nothing gets on (a provider that hangs), more is taken all the same: what belongs to
   * that provider finds its lane full and goes back, what belongs to others is sent.
   */
  private async roomFor(steps: number): Promise<void> {
    while (this.held.size > 0 && this.held.size + steps > CAPACITY) {
      const moved = await this.oneLess(STUCK_MS);
      if (!moved && this.held.size + steps <= CAPACITY_WHEN_STUCK) return;
    }
  }

  /** True as soon as one step is done with; false when none was for a while. */
  private oneLess(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waitingForRoom.splice(this.waitingForRoom.indexOf(free), 1);
        resolve(false);
      }, milliseconds);
      const free = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.waitingForRoom.push(free);
    });
  }
}

/** What happened can always be told, if not in whose words: a step that was sent must not be sent again for the sake of its record. */
const withoutContent = (outcome: StepOutcome): StepOutcome => ({
  ...outcome,
  details: outcome.details.map(({ raw: _, ...detail }) => detail),
  messages: outcome.messages?.map((message) => ({ ...message, content: '', data: undefined, errorText: undefined })),
});

const secondsSince = (begin: number): number => (performance.now() - begin) / 1_000;

/** Whose step it is, for a line in the log. */
const idsOf = ({ id, notificationId, transactionId, notification }: ClaimedStep): object => ({
  stepId: id,
  notificationId,
  transactionId,
  ...(notification.trace && { traceId: traceIdOf(notification.trace) }),
});

const referenceOf = ({ notification, workflowUpdatedAt }: ClaimedStep) => ({
  workflowId: notification.workflowId,
  workflowVersion: notification.workflowVersion,
  workflowUpdatedAt,
});

const authoredOf = ({ stepKey }: ClaimedStep, { steps }: RunningStep['workflow']): RunningStep['authored'] =>
  steps.find(({ stepId, id }) => stepId === stepKey || id === stepKey);

const failure = (...lines: Line[]): StepResult => ({
  state: 'failed',
  lines,
  messages: [],
  error: { message: lines.at(-1)!.detail },
});

const QUARANTINED = failure({
  status: 'Failed',
  detail: 'Step was quarantined after repeated crashes',
  raw: { crashes: CRASHES_ALLOWED },
});

function partition<T>(items: T[], belongs: (item: T) => boolean): [T[], T[]] {
  const inside: T[] = [];
  const outside: T[] = [];
  for (const item of items) (belongs(item) ? inside : outside).push(item);
  return [inside, outside];
}
