import {
  BUILT_IN_PROVIDER,
  type Channel,
  type EnvironmentId,
  type JsonObject,
  type ProviderId,
  type StepId,
  type TriggerId,
} from '@clarion/contracts';
import {
  type Account,
  type ChannelStrategy,
  DeliveryPipeline,
  IntegrationDirectory,
  Lanes,
  type Prepared,
  type ReadyStep,
  Sender,
} from '@clarion/delivery';
import type { Integration, QueuedStep } from '@clarion/persistence';
import { Metrics, NO_TRACING, SecretBox, sealIntegration } from '@clarion/platform';
import type { SendResult } from '@clarion/providers';
import { FanOut, Sweeper, Timers } from '@clarion/workflow';
import { ENVIRONMENT, type StepRow } from './memory-rows';
import type { MemoryStore } from './memory-store';
import { type Faults, NO_FAULTS, Process } from './process';
import { CALLED, CHANNELS_USED, MANY, type Poison, type Scenario, STORED } from './scenario';
import type { Witness } from './witness';
import { BEGIN, type World } from './world';

type Queue = 'trigger' | 'timer' | Channel;
type Running = {
  process: Process;
  queues: Map<Queue, (ids: string[]) => Promise<void>>;
  sweeper?: Sweeper;
  pipeline?: DeliveryPipeline;
};
type Role = 'engine' | Channel;

const DRAIN_MS = 20_000;

/** Counted into, and read by nobody. */
const METRICS = new Metrics();
const SILENT = { warn: () => undefined, error: () => undefined };
const SURROUNDINGS = { load: () => Promise.resolve(() => ({ contexts: [] })) };
const QUEUE_OF = (type: string): Queue =>
  (CHANNELS_USED as readonly string[]).includes(type) ? (type as Channel) : 'timer';

/** The real engine and workers, over a world that fails on purpose. */
export class Fleet {
  private running: Running[] = [];
  private named = 0;
  private generation = 0;
  private readonly keysSeen = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly store: MemoryStore,
    private readonly witness: Witness,
    private readonly scenario: Scenario,
  ) {
    for (let i = 0; i < scenario.processes.engines; i += 1) this.start('engine');
    for (const channel of CHANNELS_USED) {
      for (let i = 0; i < scenario.processes.workers; i += 1) this.start(channel);
    }
    for (const afterMs of scenario.emptiedAfterMs) world.after(afterMs, () => this.emptyQueue());
    for (const afterMs of scenario.leavesAfterMs) world.after(afterMs, () => void this.stopWorker().catch(ignore));
  }

  /** Somebody looks for work that got stuck. False when nobody is there to do it. */
  sweep(): boolean {
    const awake = this.running.filter(({ sweeper, process }) => sweeper && process.isAwake);
    if (awake.length === 0) return false;
    void this.world.random.pick(awake).sweeper!.sweep().catch(ignore);
    return true;
  }

  private get isCalm(): boolean {
    return this.world.now >= BEGIN + this.scenario.calmAfterMs;
  }

  // ------------------------------------------------------------------------------------------------------- processes

  private start(role: Role): void {
    const { world, scenario } = this;
    const skewMs = Math.round((world.random.next() * 2 - 1) * scenario.skewMs);
    const name = `${role.slice(0, 1)}${(this.named += 1)}`;
    const faults = (): Faults => (this.isCalm ? NO_FAULTS : scenario.faults);
    let endTimers = ignore;
    const process = new Process(name, world, skewMs, faults, () => {
      endTimers();
      this.running = this.running.filter((one) => one.process !== process);
      world.after(world.random.between(100, 20_000), () => this.start(role));
    });
    const { made, end } = world.collectTimers(() =>
      role === 'engine' ? this.engine(process) : this.worker(process, role),
    );
    endTimers = end;
    this.running.push(made);
    world.tell(() => `${name} starts`);
  }

  /** As a worker does it that is asked to: it takes no more jobs, gives back, and has some time for the rest. */
  private async stopWorker(): Promise<void> {
    const workers = this.running.filter(({ process, pipeline }) => pipeline && process.isAwake);
    if (workers.length === 0) return;
    const { process, pipeline, queues } = this.world.random.pick(workers);
    this.world.tell(() => `${process.name} is asked to stop`);
    queues.clear();
    await pipeline!.releaseIdle();
    await Promise.race([pipeline!.drain(), process.pause(this.world.random.between(100, DRAIN_MS))]);
    await pipeline!.releaseIdle();
    process.leave();
  }

  private engine(process: Process): Running {
    const { store } = this;
    const offers = this.offersOf();
    const workflows = this.workflowsOf(process);
    const timers = new Timers({
      claims: {
        claimTimers: (ids, alone) => process.call('claimTimers', () => store.claimTimers(ids, alone)),
        suspects: (ids) => process.call('suspects', () => store.suspectSteps(ids)),
        release: (steps, delayMs) => process.call('release', () => store.releaseSteps(steps, delayMs)),
      },
      outcomes: { record: (outcomes) => process.call('record', () => store.record(outcomes)) },
      digests: {
        join: (requests) => process.call('joinDigests', () => store.joinDigests(requests)),
        close: (steps) => process.call('closeDigests', () => store.closeDigests(steps)),
        collect: (ids, limit) => {
          const poisoned = ids.filter((id) => isPoisoned(store.steps.get(id)!));
          if (poisoned.length > 0) return this.poison(process, poisoned);
          return process.call('digestEvents', () => store.digestEvents(ids, limit));
        },
      },
      throttles: { decide: (requests) => process.call('throttle', () => store.throttle(requests)) },
      workflows,
      surroundings: SURROUNDINGS,
      templates: {
        renderMany: (items) => {
          const poisoned = items.filter(({ controls, variables }) => {
            const { poison } = variables['payload'] as { poison?: Poison };
            return poison?.at === 'queued' && poison.stepKey === controls['stepKey'];
          });
          if (poisoned.length > 0) return this.poison(process, []);
          return Promise.resolve(items.map(({ controls }) => ({ ok: true, controls })));
        },
      },
      offers,
      newId: process.newId,
      tracing: NO_TRACING,
      metrics: METRICS,
      log: SILENT,
    });
    const fanOut = new FanOut({
      store: {
        claim: (ids, alone) => process.call('claim triggers', () => store.claimTriggers(ids, alone)),
        suspects: (ids) => process.call('suspects', () => store.suspectTriggers(ids)),
        resolve: (inputs) => process.call('resolve', () => store.resolve(inputs)),
        topicMembers: (_, topicKeys, cursor, leftOut) =>
          process.call('topicMembers', () => store.topicMembers(topicKeys, cursor, leftOut)),
        subscribers: (_, cursor, leftOut) => process.call('subscribers', () => store.subscribers(cursor, leftOut)),
        commit: (page) => process.call('commit', () => store.commit(page)),
        warn: (warnings, detail) => process.call('warn', () => store.warn(warnings, detail)),
        release: (triggers) => process.call('release triggers', () => store.releaseTriggers(triggers)),
        markTriggered: () => Promise.resolve(),
      },
      workflows,
      contexts: {
        ensureMany: (rows) => {
          if (rows.some(({ type }) => type === 'poison')) return this.poison(process, []);
          return Promise.resolve();
        },
      },
      channels: { save: () => Promise.resolve([]) },
      offers,
      runTimers: (ids) => timers.run(ids),
      newId: process.newId,
      now: () => new Date(process.clock()),
      tracing: NO_TRACING,
      metrics: METRICS,
      log: SILENT,
    });
    const sweeper = new Sweeper({
      store: {
        offerTriggers: (limit, cap) => process.call('offerTriggers', () => store.offerTriggers(limit, cap)),
        offerSteps: (limit, cap) => process.call('offerSteps', () => store.offerSteps(limit, cap)),
      },
      offers,
      unsnooze: () => Promise.resolve(0),
      metrics: METRICS,
      log: SILENT,
    });
    return {
      process,
      sweeper,
      queues: new Map([
        ['trigger', (ids) => fanOut.run(ids as TriggerId[])],
        ['timer', (ids) => timers.run(ids as StepId[])],
      ]),
    };
  }

  private worker(process: Process, channel: Channel): Running {
    const { store } = this;
    const integrations = {
      listActive: () => process.call('listActive', () => store.listActive()),
      setHealth: (_: string, id: string, health: Integration['health']) =>
        process.call('setHealth', () => store.setHealth(id, health)),
    };
    const strategy = new SimulatedChannel(channel, {
      send: (stepId, messageId, account) => this.callProvider(process, stepId, messageId, account),
      poison: (ids) => this.poison(process, ids),
    });
    const pipeline = new DeliveryPipeline(strategy, {
      claims: {
        claimChannel: (_, ids, alone) => process.call('claimChannel', () => store.claimChannel(channel, ids, alone)),
        suspects: (ids) => process.call('suspects', () => store.suspectSteps(ids)),
        markSending: (steps) => process.call('markSending', () => store.markSending(steps)),
        renew: (steps) => process.call('renew', () => store.renew(steps)),
        release: (steps, delayMs) => process.call('release', () => store.releaseSteps(steps, delayMs)),
      },
      outcomes: { record: (outcomes) => process.call('record', () => store.record(outcomes)) },
      workflows: this.workflowsOf(process),
      surroundings: SURROUNDINGS,
      suppressions: { find: () => Promise.resolve([]) },
      integrations: new IntegrationDirectory(integrations, SECRETS, process.clock, ignore),
      offers: this.offersOf(),
      pause: (milliseconds) => process.pause(milliseconds),
      realtime: { publish: () => Promise.resolve() },
      sender: new Sender({
        lanes: new Lanes(2, 4),
        tokens: { remove: () => Promise.resolve() },
        random: () => this.world.random.next(),
        now: process.clock,
        metrics: METRICS,
        log: SILENT,
      }),
      newId: process.newId,
      tracing: NO_TRACING,
      metrics: METRICS,
      log: SILENT,
    });
    return { process, pipeline, queues: new Map([[channel, (ids) => pipeline.deliver(ids as StepId[])]]) };
  }

  /** Asked once, then remembered, as long as the process lives. */
  private workflowsOf(process: Process) {
    let known = false;
    return {
      load: async () => {
        if (!known) await process.call('load workflows', () => undefined);
        known = true;
        return ({ workflowId }: { workflowId: string }) => this.scenario.workflows.get(workflowId)!;
      },
    };
  }

  /** What no process survives. */
  private poison(process: Process, ids: string[]): Promise<never> {
    process.crash(`poisoned by ${ids.join(', ')}`);
    // Never: whoever waits for it is dead.
    return new Promise(() => undefined);
  }

  // ----------------------------------------------------------------------------------------------------------- queue

  offersOf() {
    return {
      triggers: (triggers: { id: string }[]) => this.enqueue('trigger', idsOf(triggers)),
      steps: (steps: QueuedStep[]) => {
        const queues = new Map<Queue, QueuedStep[]>();
        for (const step of steps) {
          const queue = QUEUE_OF(step.type);
          queues.set(queue, [...(queues.get(queue) ?? []), step]);
        }
        for (const [queue, own] of queues) this.enqueue(queue, idsOf(own));
      },
      alarm: (step: QueuedStep, delayMs: number) => this.enqueue(QUEUE_OF(step.type), [step.id], delayMs),
    };
  }

  private enqueue(queue: Queue, ids: string[], delayMs = 0): void {
    const { random } = this.world;
    const { lose, double, late } = this.isCalm ? NO_QUEUE_FAULTS : this.scenario.queue;
    if (random.chance(lose)) {
      this.world.count('lost jobs');
      return this.world.tell(() => `the queue loses ${queue} ${ids.join(', ')}`);
    }
    const wait = (): number => delayMs + random.between(1, random.chance(late) ? 20_000 : 10);
    this.deliverJob(queue, ids, wait());
    if (random.chance(double)) this.deliverJob(queue, ids, wait());
  }

  private deliverJob(queue: Queue, ids: string[], waitMs: number): void {
    const { generation } = this;
    this.world.after(waitMs, () => {
      if (generation !== this.generation) return;
      const takers = this.running.filter(({ process, queues }) => process.isAwake && queues.has(queue));
      if (takers.length === 0) return this.deliverJob(queue, ids, 1_000);
      const { process, queues } = this.world.random.pick(takers);
      this.world.tell(() => `${process.name} takes ${queue} ${ids.join(', ')}`);
      void queues.get(queue)!(ids).catch(ignore);
    });
  }

  private emptyQueue(): void {
    this.world.tell(() => 'the queue is emptied');
    this.generation += 1;
  }

  // ------------------------------------------------------------------------------------------------------- providers

  /** Whatever happens is a value, as it is with real providers; a lost connection means that nobody knows. */
  private async callProvider(
    process: Process,
    stepId: string,
    messageId: string,
    account: Account,
  ): Promise<SendResult> {
    const { random } = this.world;
    const failing = !this.isCalm && random.chance(this.scenario.provider.fail);
    const result: SendResult = failing ? random.pick(FAILURES) : { ok: true, id: messageId };
    const arrives = result.ok || (result.kind === 'unknown-outcome' && random.chance(0.5));
    const tookMs = random.between(10, random.chance(0.1) ? 14_000 : 400);
    const deliver = (): SendResult => {
      const key = `${account.id} ${messageId}`;
      const delivered = arrives && !(this.scenario.provider.idempotent && this.keysSeen.has(key));
      if (arrives) this.keysSeen.add(key);
      this.witness.sent({ stepId, messageId, account: account.id, at: this.world.now, delivered });
      this.world.tell(() => `${process.name} ${account.id} ${messageId}: ${result.ok ? 'ok' : result.message}`);
      return result;
    };
    return process
      .call('provider', deliver, tookMs)
      .catch((error: Error): SendResult => ({ ok: false, kind: 'unknown-outcome', message: error.message }));
  }
}

/** Channels as simple as they can be: content does not matter here. */
class SimulatedChannel implements ChannelStrategy {
  readonly errorId = 'simulated_error';

  constructor(
    readonly channel: Channel,
    private readonly effects: {
      send(stepId: string, messageId: string, account: Account): Promise<SendResult>;
      poison(ids: string[]): Promise<never>;
    },
  ) {}

  prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    const poisoned = steps.filter(({ item: { step } }) => isPoison(step.notification.payload, step));
    if (poisoned.length > 0) return this.effects.poison(poisoned.map(({ item }) => item.step.id));
    return Promise.resolve(steps.map((step) => this.prepareOne(step)));
  }

  private prepareOne({ item: { step }, accounts }: ReadyStep): Prepared {
    const row = { channel: this.channel, content: '' };
    if (this.channel === STORED) {
      return {
        kind: 'stored',
        messages: [{ ...row, id: step.id, status: 'sent', delivered: true }],
        lines: [
          { status: 'Pending', detail: 'Message created' },
          { status: 'Success', detail: 'Message sent' },
        ],
      };
    }
    return {
      kind: 'deliveries',
      lines: [],
      deliveries: messageIdsOf(step).map((messageId) => ({
        messageId,
        row,
        accounts,
        send: (account) => this.effects.send(step.id, messageId, account),
      })),
    };
  }
}

/** One for most channels, one for each device otherwise. */
export function messageIdsOf({ id, type }: { id: string; type: string }): string[] {
  if (type !== MANY) return [id];
  const devices = 1 + (id.charCodeAt(id.length - 7) % 3);
  return Array.from({ length: devices }, (_, device) => `${id} ${device}`);
}

const isPoison = (payload: JsonObject, { stepKey, state }: { stepKey: string; state: string }): boolean => {
  const poison = payload['poison'] as Poison | undefined;
  return poison?.stepKey === stepKey && poison.at === state;
};

const isPoisoned = (step: StepRow): boolean => isPoison(step.notification.trigger.payload, step);

const FAILURES: SendResult[] = [
  { ok: false, kind: 'transient', message: 'busy' },
  { ok: false, kind: 'transient', message: 'too many', retryAfterMs: 5_000 },
  { ok: false, kind: 'unknown-outcome', message: 'no answer' },
  { ok: false, kind: 'unknown-outcome', message: 'no answer' },
  { ok: false, kind: 'permanent', message: 'no such number' },
  { ok: false, kind: 'credentials', message: 'wrong password' },
];

/** The provider that is asked when the first one does not do it. */
export const SUBSTITUTE = 'nexmo';

const SECRETS = new SecretBox(SecretBox.generateKey());
const HELD = new Map<string, Record<string, string>>();

/** Two accounts that can stand in for each other, one without a substitute, and the built-in one. */
export function makeIntegrations({ provider }: Scenario): Integration[] {
  const health: Integration['health'] =
    provider.closedForMs === undefined
      ? null
      : { state: 'open', since: iso(BEGIN), until: iso(BEGIN + provider.closedForMs), reason: 'known before' };
  return [
    integration('first', CALLED, 'twilio', provider.hold, { primary: true, priority: 2, health }),
    integration('second', CALLED, SUBSTITUTE, provider.hold, { priority: 1 }),
    integration('third', MANY, 'one-signal', provider.hold, { primary: true, priority: 1, health }),
    integration('inbox', STORED, BUILT_IN_PROVIDER, false, { primary: true }),
  ];
}

function integration(
  id: string,
  channel: Channel,
  providerId: ProviderId,
  hold: boolean,
  more: Partial<Integration>,
): Integration {
  let configurations: Record<string, string> = {};
  if (hold) {
    configurations =
      HELD.get(id) ??
      sealIntegration(SECRETS, { id, environmentId: ENVIRONMENT }, 'configurations', { inDoubt: 'hold' });
    HELD.set(id, configurations);
  }
  return {
    id,
    environmentId: ENVIRONMENT as EnvironmentId,
    name: id,
    identifier: id,
    providerId,
    channel,
    credentials: {},
    configurations,
    conditions: [],
    active: true,
    primary: false,
    priority: 0,
    health: null,
    deleted: false,
    deletedAt: null,
    deletedBy: null,
    createdAt: new Date(BEGIN),
    updatedAt: new Date(BEGIN),
    ...more,
  };
}

const NO_QUEUE_FAULTS = { lose: 0, double: 0, late: 0 };

const ignore = (): void => undefined;
const iso = (time: number): string => new Date(time).toISOString();
const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
