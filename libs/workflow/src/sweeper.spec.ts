import type { EnvironmentId, StepId, StepType } from '@clarion/contracts/core';
import type { BusyQueues, QueuedStep } from '@clarion/persistence';
import { Metrics } from '@clarion/platform';
import { Sweeper } from './sweeper';

describe('Sweeper', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => jest.useRealTimers());

  const step: QueuedStep = { id: 's' as StepId, type: 'email', environmentId: 'e' as EnvironmentId, lane: 2 };
  const trigger = { id: 't', environmentId: 'e' };

  type Sweep = {
    triggers?: object[];
    steps?: object[];
    unsnoozed?: number;
    held?: number;
    released?: QueuedStep[];
    error?: Error;
    overdue?: StepType[];
  };

  /** The types of a sweep are overdue for which it has rows, unless it names others. */
  const overdueTypesOf = ({ triggers, steps, overdue }: Sweep): StepType[] =>
    overdue ?? [...(triggers ? ['trigger' as const] : []), ...(steps ? ['email' as const] : [])];

  function sweeperOver(sweeps: Sweep[], busyQueues: BusyQueues = new Map()) {
    const done = { sweeps: 0, triggers: [] as unknown[], steps: [] as unknown[], warnings: [] as string[] };
    const asked: StepType[][] = [];
    const offers: [what: string, busyQueues: BusyQueues | undefined][] = [];
    let sweep = sweeps[0]!;
    const metrics = new Metrics();
    const sweeper = new Sweeper({
      store: {
        overdueTypes: () => {
          sweep = sweeps[done.sweeps] ?? {};
          done.sweeps += 1;
          return sweep.error ? Promise.reject(sweep.error) : Promise.resolve(overdueTypesOf(sweep));
        },
        offerTriggers: (_limit, _cap, queues) => {
          offers.push(['triggers', queues]);
          return Promise.resolve((sweep.triggers ?? []) as never);
        },
        offerSteps: (_limit, _cap, queues) => {
          offers.push(['steps', queues]);
          return Promise.resolve((sweep.steps ?? []) as never);
        },
        releaseWaiting: () => Promise.resolve(sweep.released ?? []),
        endSweep: () => Promise.resolve(),
      },
      queues: {
        busyQueues: (types) => {
          asked.push(types);
          return Promise.resolve(busyQueues);
        },
      },
      offers: {
        triggers: (rows) => void done.triggers.push(...rows),
        steps: (rows) => void done.steps.push(...rows),
        alarm: () => undefined,
      },
      unsnooze: () => Promise.resolve(sweep.unsnoozed ?? 0),
      releaseHeld: () => Promise.resolve(sweep.held ?? 0),
      metrics,
      log: { warn: (_fields, text) => void done.warnings.push(text), error: () => undefined, info: () => undefined },
    });
    return { sweeper, done, metrics, asked, offers };
  }

  it('offers the rows that it finds and returns their number', async () => {
    const { sweeper, done } = sweeperOver([{ triggers: [trigger], steps: [step, step], unsnoozed: 4 }]);
    expect(await sweeper.sweep()).toBe(7);
    expect(done.triggers).toEqual([trigger]);
    expect(done.steps).toEqual([step, step]);
  });

  it('offers the steps whose turn has come, which are no rescue', async () => {
    const { sweeper, done, metrics } = sweeperOver([{ released: [step, step], held: 3 }]);
    expect(await sweeper.sweep()).toBe(5);
    expect(done.steps).toEqual([step, step]);
    expect(await metrics.expose()).toContain(`clarion_sweeper_rescues_total{kind="step"} 0\n`);
  });

  it('asks neither the queues nor for offers while no row is overdue', async () => {
    const { sweeper, asked, offers } = sweeperOver([{ unsnoozed: 2 }]);
    expect(await sweeper.sweep()).toBe(2);
    expect([asked, offers]).toEqual([[], []]);
  });

  it('asks only for offers of the kinds of rows that are overdue', async () => {
    const { sweeper, offers } = sweeperOver([{ overdue: ['trigger'] }, { overdue: ['sms', 'delay'] }]);
    await sweeper.sweep();
    await sweeper.sweep();
    expect(offers.map(([what]) => what)).toEqual(['triggers', 'steps']);
  });

  it('hands the long queues of the overdue types to the offers', async () => {
    const busyQueues: BusyQueues = new Map([['sms', { oldest: { 2: new Date(0) }, taken: {} }]]);
    const { sweeper, asked, offers } = sweeperOver([{ overdue: ['trigger', 'sms'] }], busyQueues);
    await sweeper.sweep();
    expect(asked).toEqual([['trigger', 'sms']]);
    expect(offers).toEqual([
      ['triggers', busyQueues],
      ['steps', busyQueues],
    ]);
  });

  it('counts rescued triggers and steps, and separately those whose lease lapsed', async () => {
    const lapsed = { lapsed: true, isFirst: true };
    const { sweeper, metrics } = sweeperOver([
      {
        triggers: [trigger, { ...trigger, ...lapsed }],
        steps: [step, step, { ...step, ...lapsed }, { ...step, ...lapsed, isFirst: false }],
      },
    ]);
    await sweeper.sweep();
    const text = await metrics.expose();
    // An offer that is repeated after a crash is no second crash.
    for (const [kind, count] of Object.entries({ trigger: 1, step: 3, lease: 2 })) {
      expect(text).toContain(`clarion_sweeper_rescues_total{kind="${kind}"} ${count}\n`);
    }
  });

  it('sweeps every second, and every half second while it finds rows', async () => {
    const { sweeper, done } = sweeperOver([{}, { steps: [step] }, {}]);
    sweeper.start();
    await jest.advanceTimersByTimeAsync(999);
    expect(done.sweeps).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(done.sweeps).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(done.sweeps).toBe(2);
    await jest.advanceTimersByTimeAsync(500);
    expect(done.sweeps).toBe(3);
    await jest.advanceTimersByTimeAsync(500);
    expect(done.sweeps).toBe(3);
    await sweeper.stop();
  });

  it('sweeps again after a failed sweep', async () => {
    const { sweeper, done } = sweeperOver([{ error: new Error('no database') }, { steps: [step] }]);
    sweeper.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(done.warnings).toHaveLength(1);
    expect(done.steps).toEqual([step]);
    await sweeper.stop();
  });

  it('does not sweep after it was stopped', async () => {
    const { sweeper, done } = sweeperOver([{ steps: [step] }, { steps: [step] }]);
    sweeper.start();
    await jest.advanceTimersByTimeAsync(1_000);
    await sweeper.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(done.sweeps).toBe(1);
  });
});
