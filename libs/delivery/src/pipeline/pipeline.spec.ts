import { type EnvironmentId, type StepId, TENANT_LIMITS } from '@clarion/contracts/core';
import { type ClaimedStep, RECORD_BYTES, type RunningWorkflow, type StepOutcome } from '@clarion/persistence';
import { Metrics, NO_TRACING } from '@clarion/platform';
import { until } from '@clarion/testing';
import type { Prepared, ReadyStep } from '../sending/channel';
import { DeliveryPipeline, type PipelineParts } from './pipeline';

const MIB = 1024 * 1024;
const PAUSE = { holdId: null };
const ACCOUNT = { id: 'account', channel: 'in_app', active: true, priority: 0, conditions: [], pause: PAUSE };
const SHARE = TENANT_LIMITS.heldContents();

/** An in-app worker whose steps are in memory. */
describe('DeliveryPipeline', () => {
  let steps: Map<StepId, ClaimedStep>;
  let workflows: Map<string, RunningWorkflow>;
  let loadedAtOnce: number;
  /** The messages of the steps that were prepared and are not recorded, as steps, and the most at a time. */
  let prepared: Set<StepId>;
  let mostPrepared: number;
  let characters: number;
  let recorded: StepOutcome[][];
  let released: StepId[];
  let faults: object[];
  /** End the statements that record. */
  let answers: (() => void)[];
  let answersAtOnce: boolean;
  let pipeline: DeliveryPipeline;

  beforeEach(() => {
    steps = new Map();
    workflows = new Map();
    loadedAtOnce = Infinity;
    prepared = new Set();
    mostPrepared = 0;
    characters = 100;
    recorded = [];
    answers = [];
    released = [];
    faults = [];
    answersAtOnce = true;
    const parts = {
      claims: {
        claimChannel: (_: string, ids: StepId[]) => Promise.resolve(ids.map((id) => steps.get(id)!)),
        suspects: () => Promise.resolve([]),
        renew: (ids: string[]) => Promise.resolve(new Set(ids)),
        release: (rows: { id: StepId }[]) => Promise.resolve(void released.push(...rows.map(({ id }) => id))),
        end: () => undefined,
      },
      outcomes: {
        record: async (outcomes: StepOutcome[]) => {
          recorded.push(outcomes);
          if (!answersAtOnce) await new Promise<void>((resolve) => answers.push(resolve));
          for (const { id } of outcomes) prepared.delete(id);
          return { held: new Set(outcomes.map(({ id }) => id)), queued: [] };
        },
      },
      workflows: {
        load: (references: { workflowId: string }[]) => {
          const now = new Set(references.slice(0, loadedAtOnce).map(({ workflowId }) => workflowId));
          return Promise.resolve(({ workflowId }: { workflowId: string }) =>
            now.has(workflowId) ? workflows.get(workflowId) : undefined,
          );
        },
      },
      surroundings: { load: () => Promise.resolve(() => ({ contexts: [] })) },
      earlierSteps: { load: () => Promise.resolve(new Map()) },
      integrations: {
        load: () => Promise.resolve(),
        accounts: () => [ACCOUNT],
        holdsWithoutIntegration: () => false,
      },
      suppressions: { find: () => Promise.resolve([]) },
      holds: {},
      offers: { steps: () => undefined, alarm: () => undefined },
      realtime: { publish: () => Promise.resolve() },
      sender: { placed: (steps: ReadyStep[]) => steps },
      renderTime: { overBudget: () => undefined },
      organizationOf: (id: EnvironmentId) => id,
      tracing: NO_TRACING,
      metrics: new Metrics(),
      pause: () => new Promise(() => undefined),
      log: { warn: (fields: object) => faults.push(fields), info: () => undefined },
    } as unknown as PipelineParts;
    pipeline = new DeliveryPipeline({ channel: 'in_app', errorId: 'e', prepare }, parts);
  });

  afterEach(() => expect(faults).toEqual([]));

  const prepare = (ready: ReadyStep[]): Promise<Prepared[]> => {
    for (const { item } of ready) prepared.add(item.step.id);
    mostPrepared = Math.max(mostPrepared, prepared.size);
    return Promise.resolve(
      ready.map(({ item: { step } }) => ({
        kind: 'stored',
        messages: [{ id: step.id, channel: 'in_app', content: 'x'.repeat(characters), status: 'sent' }],
        lines: [],
      })),
    );
  };

  /** Steps of one environment, each of another workflow. */
  const accept = (count: number, environmentId: string, memory = 1_000): StepId[] =>
    Array.from({ length: count }, (_, index) => {
      const id = `${environmentId}${index}` as StepId;
      const workflow = { id, environmentId, name: id, tags: [], preferences: {}, memory, environment: {} };
      const authored = {
        id: 'in',
        stepId: 'in',
        type: 'in_app',
        active: true,
        filters: [],
        variants: [],
        controlValues: {},
      };
      workflows.set(id, { ...workflow, steps: [authored] } as unknown as RunningWorkflow);
      const notification = { workflowId: id, workflowVersion: 1, payload: {}, tenant: null, contextKeys: null };
      const more = { notification, subscriber: { subscriberId: 's' }, preferences: [], endpoints: [], notedLimits: {} };
      const times = { now: new Date(), waitedMs: 0, ageMs: 0, claimedAt: performance.now(), ttl: null, attempt: 1 };
      const state = { fence: 1, claimId: id, crashCount: 1, inDoubt: false, integrationId: null, lane: 1, bytes: 0 };
      const step = { id, environmentId, stepKey: 'in', type: 'in_app', state: 'queued', ...state, ...times, ...more };
      steps.set(id, step as unknown as ClaimedStep);
      return id;
    });

  const recordedIds = (): StepId[] => recorded.flat().map(({ id }) => id);

  it('renders no more large messages of a tenant than its share of the memory has', async () => {
    characters = MIB;
    answersAtOnce = false;
    const ids = accept(60, 'one');
    void pipeline.deliver(ids);
    await until(() => released.length > 0);
    expect(prepared.size).toBeGreaterThan(15);
    // The first messages show how large they are, and one part fills the share.
    expect(mostPrepared).toBeLessThanOrEqual(SHARE.environment / MIB + 20);
    characters = 100;
    void pipeline.deliver(accept(1, 'two'));
    answersAtOnce = true;
    for (const answer of answers) answer();
    await until(() => recordedIds().includes('two0' as StepId));
    await pipeline.drain();
    expect([...recordedIds().filter((id) => id !== 'two0'), ...released].toSorted()).toEqual(ids.toSorted());
  });

  it('records large messages in statements of limited size', async () => {
    characters = MIB;
    await pipeline.deliver(accept(12, 'one'));
    await pipeline.drain();
    expect(recorded.map((batch) => batch.length)).toEqual(Array.from({ length: 12 }, () => 1));
    expect(RECORD_BYTES).toBeLessThan(2 * MIB + 1);
  });

  it('runs the steps of a claim in parts when their workflows do not fit into memory together', async () => {
    loadedAtOnce = 3;
    const ids = accept(10, 'one');
    await pipeline.deliver(ids);
    await pipeline.drain();
    expect(recordedIds().toSorted()).toEqual(ids.toSorted());
  });

  it('lets steps come back whose tenant has its share of workflows in memory', async () => {
    answersAtOnce = false;
    loadedAtOnce = 2;
    const ids = accept(10, 'one', 9 * MIB);
    void pipeline.deliver(ids);
    await until(() => released.length > 0);
    expect(released).toEqual(ids.slice(2));
    void pipeline.deliver(accept(1, 'two'));
    await until(() => prepared.has('two0' as StepId));
    answersAtOnce = true;
    for (const answer of answers) answer();
    await pipeline.drain();
    expect(recordedIds().toSorted()).toEqual([...ids.slice(0, 2), 'two0'].toSorted());
  });
});
