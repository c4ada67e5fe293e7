import { Isolation } from '@clarion/claims';
import { type JsonObject, newId, type StepId, type TriggerId, type WorkflowStep } from '@clarion/contracts/core';
import { LEASE_MS, type QueuedStep, type RunningWorkflow } from '@clarion/persistence';
import { Metrics, NO_TRACING } from '@clarion/platform';
import {
  isOpenTrigger,
  MemoryStore,
  Random,
  runningWorkflow,
  type StepRow,
  type StoreCall,
  storePorts,
  type Subscription,
  type TriggerRow,
  until,
  Witness,
  World,
} from '@clarion/testing/memory-store';
import { FanOut } from '../src/fan-out';
import { Timers } from '../src/timers';

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** No statement of the store is slow, so what is paced by pauses must go on without them. */
const NO_PAUSE = (): Promise<void> => new Promise(() => undefined);

export type AuthoredStep = { type: WorkflowStep['type']; controls?: JsonObject };
type GivenTrigger = { recipients: JsonObject[]; payload?: JsonObject; actor?: string; workflowId?: string };

export type Engine = { fanOut: FanOut; timers: Timers; stop(): Promise<void> };

/** The in-memory store, whose clock stands still, and any number of engines that share it. */
export class Stage {
  readonly world = new World(new Random(1), false);
  readonly witness = new Witness(this.world);
  readonly store: MemoryStore;
  /** What the engines offered to the queue. */
  readonly offered: StepId[] = [];
  readonly alarms: { id: StepId; delayMs: number }[] = [];
  private readonly workflows = new Map<string, RunningWorkflow>();
  private readonly engines: Engine[] = [];

  constructor(subscriberIds: string[] = [], subscriptions: Subscription[] = []) {
    this.store = new MemoryStore(this.world, this.witness, subscriberIds, subscriptions, []);
  }

  workflow(steps: AuthoredStep[], id = 'workflow'): void {
    this.workflows.set(id, runningWorkflow(id, steps.map(authored)));
  }

  accept({ recipients, payload = {}, actor, workflowId = 'workflow' }: GivenTrigger): TriggerId {
    const id = `trigger${this.store.triggers.size}` as TriggerId;
    const transactionId = transactionOf(id);
    this.store.accept({ id, transactionId, workflowId, recipients, payload, context: null, actor });
    return id;
  }

  cancel(id: TriggerId): void {
    this.store.cancel(transactionOf(id));
  }

  /** An engine whose calls to the store go through `call`. */
  engine(call?: StoreCall): Engine {
    const { fanOut: store, ...ports } = storePorts(this.store, call);
    const shared = {
      workflows: { load: async () => (of: { workflowId: string }) => this.workflows.get(of.workflowId) },
      offers: {
        triggers: () => undefined,
        steps: (steps: QueuedStep[]) => void this.offered.push(...steps.map(({ id }) => id)),
        alarm: ({ id }: QueuedStep, delayMs: number) => void this.alarms.push({ id, delayMs }),
      },
      pause: NO_PAUSE,
      isolation: new Isolation(() => fanOut.settled(), NO_PAUSE),
      tracing: NO_TRACING,
      metrics: new Metrics(),
      log: SILENT_LOG,
    };
    const timers = new Timers({
      ...ports,
      ...shared,
      surroundings: { load: async () => () => ({ contexts: [] }) },
      earlierSteps: { load: async () => new Map() },
      templates: {
        overBudget: () => undefined,
        renderMany: async (items) => items.map(({ controls }) => ({ ok: true, controls })),
      },
    });
    const fanOut: FanOut = new FanOut({
      ...shared,
      store,
      contexts: { ensureMany: async () => undefined },
      channels: { save: async () => [] },
      runTimers: (ids) => timers.runWithin(ids),
      newId,
      now: () => new Date(this.world.now),
    });
    const engine: Engine = {
      fanOut,
      timers,
      stop: async () => {
        await fanOut.stop();
        await timers.stop();
      },
    };
    this.engines.push(engine);
    return engine;
  }

  /** Runs a trigger to the end of its walk; returns the steps of its notifications. */
  async fanOut(engine: Engine, ...ids: TriggerId[]): Promise<StepRow[]> {
    await engine.fanOut.run(ids);
    await engine.fanOut.settled();
    return this.stepsOf(...ids);
  }

  /** Runs a trigger whose engine crashed. Suspects run in the background, and a stop would end their walks. */
  async resume(engine: Engine, id: TriggerId): Promise<void> {
    await engine.fanOut.run([id]);
    await until(() => !isOpenTrigger(this.trigger(id)));
    await engine.stop();
  }

  stepsOf(...ids: TriggerId[]): StepRow[] {
    return [...this.store.steps.values()].filter(({ notification }) => ids.includes(notification.trigger.id));
  }

  /** The recipients of the notifications of a trigger, in order and with repetitions. */
  reached(id: TriggerId): string[] {
    const own = [...this.store.notifications.values()].filter(({ trigger }) => trigger.id === id);
    return own.map(({ subscriberId }) => subscriberId).sort();
  }

  trigger(id: TriggerId): TriggerRow {
    return this.store.triggers.get(id)!;
  }

  /** Lets two claims of one row at this moment not see each other. */
  letClaimsRace(): void {
    this.store.race = { chance: 1, withinMs: 0 };
  }

  /** The leases of all claims end, and a sweeper counts the crashes. */
  endLeases(): void {
    this.world.now += LEASE_MS;
    this.store.overdueTypes();
  }
}

const transactionOf = (id: TriggerId): string => `transaction of ${id}`;

function authored({ type, controls = {} }: AuthoredStep, index: number): WorkflowStep {
  const id = `step${index}`;
  return {
    id,
    stepId: id,
    name: id,
    type,
    active: true,
    shouldStopOnFail: false,
    filters: [],
    variants: [],
    controlValues: controls,
  };
}

/** An error with which a connection to the database is lost. */
export const connectionLost = (): Error => Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });

/** Lets `meanwhile` happen before the calls of this name, as another process or a fault does. */
export const before =
  (name: string, meanwhile: () => unknown): StoreCall =>
  async (what, effect) => {
    if (what === name) await meanwhile();
    return effect();
  };

/** Calls that never return, as those of a crashed process. */
export const never = (): Promise<never> => new Promise(() => undefined);
