import type { EnvironmentId, StepId } from '@clarion/contracts/core';
import type { QueuedStep } from '@clarion/persistence';
import { Metrics } from '@clarion/platform';
import { Sweeper } from './sweeper';

describe('Sweeper', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => jest.useRealTimers());

  const step: QueuedStep = { id: 's' as StepId, type: 'email', environmentId: 'e' as EnvironmentId };
  const trigger = { id: 't', environmentId: 'e' };

  function sweeperOver(sweeps: { triggers?: object[]; steps?: object[]; unsnoozed?: number; error?: Error }[]) {
    const done = { sweeps: 0, triggers: [] as unknown[], steps: [] as unknown[], warnings: [] as string[] };
    let sweep = sweeps[0]!;
    const metrics = new Metrics();
    const sweeper = new Sweeper({
      store: {
        offerTriggers: () => {
          sweep = sweeps[done.sweeps] ?? {};
          done.sweeps += 1;
          return sweep.error ? Promise.reject(sweep.error) : Promise.resolve((sweep.triggers ?? []) as never);
        },
        offerSteps: () => Promise.resolve((sweep.steps ?? []) as never),
      },
      offers: {
        triggers: (rows) => void done.triggers.push(...rows),
        steps: (rows) => void done.steps.push(...rows),
        alarm: () => undefined,
      },
      unsnooze: () => Promise.resolve(sweep.unsnoozed ?? 0),
      metrics,
      log: { warn: (_fields, text) => void done.warnings.push(text), error: () => undefined },
    });
    return { sweeper, done, metrics };
  }

  it('offers the rows that it finds and returns their number', async () => {
    const { sweeper, done } = sweeperOver([{ triggers: [trigger], steps: [step, step], unsnoozed: 4 }]);
    expect(await sweeper.sweep()).toBe(7);
    expect(done.triggers).toEqual([trigger]);
    expect(done.steps).toEqual([step, step]);
  });

  it('counts rescued triggers and steps, and separately those whose lease lapsed', async () => {
    const lapsed = { ...step, lapsed: true };
    const { sweeper, metrics } = sweeperOver([
      { triggers: [trigger, { ...trigger, lapsed: true }], steps: [step, step, lapsed] },
    ]);
    await sweeper.sweep();
    const text = await metrics.expose();
    for (const [kind, count] of Object.entries({ trigger: 1, step: 2, lease: 2 })) {
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
