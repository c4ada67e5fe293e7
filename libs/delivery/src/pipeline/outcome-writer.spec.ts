import type { EnvironmentId, StepId } from '@clarion/contracts/core';
import type { ClaimedStep, QueuedStep, Recorded, StepOutcome } from '@clarion/persistence';
import { Metrics, NO_TRACING } from '@clarion/platform';
import type { HeldSteps } from './held-steps';
import { OutcomeWriter } from './outcome-writer';
import type { StepResult } from './step-result';

/** As Postgres reports a text that it cannot store. */
const unstorable = (): Error => Object.assign(new Error('unsupported Unicode escape sequence'), { code: '22P05' });

const NEXT = 'next' as StepId;

describe('OutcomeWriter', () => {
  let batches: StepOutcome[][];
  let answer: (outcomes: StepOutcome[]) => Recorded;
  let offered: QueuedStep[];
  let alarms: [string, number][];
  let pauses: number[];
  let writer: OutcomeWriter;

  beforeEach(() => {
    batches = [];
    answer = (outcomes) => ({ held: new Set(outcomes.map(({ id }) => id)), queued: [] });
    offered = [];
    alarms = [];
    pauses = [];
    const held = { size: 0, spanOf: () => undefined } as unknown as HeldSteps;
    writer = new OutcomeWriter('email', held, {
      outcomes: {
        record: async (outcomes) => {
          batches.push(outcomes);
          return Promise.resolve(answer(outcomes));
        },
      },
      offers: {
        steps: (steps) => void offered.push(...steps),
        alarm: ({ id }, delayMs) => void alarms.push([id, delayMs]),
      },
      tracing: NO_TRACING,
      metrics: new Metrics(),
      pause: (milliseconds) => Promise.resolve(pauses.push(milliseconds)),
      log: { warn: () => undefined, info: () => undefined },
    });
  });

  const step = (id: string, more: Partial<ClaimedStep> = {}): ClaimedStep =>
    ({
      id,
      fence: 1,
      type: 'email',
      environmentId: 'e',
      attempt: 1,
      inDoubt: false,
      integrationId: null,
      notification: { trace: null },
      ...more,
    }) as ClaimedStep;
  const result = (more: Partial<StepResult> = {}): StepResult => ({
    state: 'completed',
    lines: [{ status: 'Success', detail: 'Message sent', raw: { id: 'x' } }],
    messages: [{ id: 'm', channel: 'email', content: 'hello', status: 'sent' }],
    ...more,
  });
  const idsOf = (outcomes: StepOutcome[]): StepId[] => outcomes.map(({ id }) => id);

  it('records outcomes that arrive together in one statement', async () => {
    const recorded = await Promise.all(['a', 'b', 'c'].map((id) => writer.write({ step: step(id) }, result())));
    expect(recorded).toEqual([true, true, true]);
    expect(batches.map(idsOf)).toEqual([['a', 'b', 'c']]);
  });

  it('writes large messages in several statements', async () => {
    const messages = [{ ...result().messages[0]!, content: 'x'.repeat(900_000) }];
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => writer.write({ step: step(id) }, result({ messages }))));
    expect(batches.map(idsOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('answers false for a step that another worker holds', async () => {
    answer = () => ({ held: new Set(['b' as StepId]), queued: [] });
    const recorded = await Promise.all(['a', 'b'].map((id) => writer.write({ step: step(id) }, result())));
    expect(recorded).toEqual([false, true]);
  });

  it('offers the steps that are due after the recorded ones', async () => {
    const next: QueuedStep = { id: NEXT, type: 'sms', environmentId: 'e' as EnvironmentId, lane: 2 };
    answer = (outcomes) => ({ held: new Set(idsOf(outcomes)), queued: [next] });
    await writer.write({ step: step('a') }, result());
    expect(batches[0]).toMatchObject([{ then: 'advance' }]);
    expect(offered).toEqual([next]);
  });

  it('sets an alarm for a step that runs again, unless another worker holds it', async () => {
    const retry = result({ state: 'queued', waitMs: 5_000 });
    await writer.write({ step: step('a') }, retry);
    expect(batches[0]).toMatchObject([{ state: 'queued', then: 'wait', dueInMs: 5_000 }]);
    expect(alarms).toEqual([['a', 5_000]]);
    answer = () => ({ held: new Set(), queued: [] });
    await writer.write({ step: step('b') }, retry);
    expect(alarms).toHaveLength(1);
  });

  it('halts the workflow when the author asked to stop after a failure', async () => {
    const authored = { shouldStopOnFail: true } as never;
    await writer.write({ step: step('a'), authored }, result({ state: 'failed' }));
    expect(batches[0]![0]).toMatchObject({ then: 'halt' });
  });

  it('marks the details of a later attempt as a retry', async () => {
    await writer.write({ step: step('a') }, result());
    await writer.write({ step: step('b', { attempt: 2 }) }, result());
    expect(batches.map(([outcome]) => outcome!.details[0]!.isRetry)).toEqual([undefined, true]);
  });

  describe('when the database fails', () => {
    it('tries four times to record an outcome, with growing waits', async () => {
      let failures = 3;
      const succeed = answer;
      answer = (outcomes) => {
        failures -= 1;
        if (failures >= 0) throw new Error('no database');
        return succeed(outcomes);
      };
      expect(await writer.write({ step: step('a') }, result())).toBe(true);
      expect(batches).toHaveLength(4);
      expect(pauses).toEqual([200, 1_000, 4_000]);
    });

    it('rejects after the fourth failure', async () => {
      answer = () => {
        throw new Error('no database');
      };
      await expect(writer.write({ step: step('a') }, result())).rejects.toThrow('no database');
      expect(batches).toHaveLength(4);
    });
  });

  it('keeps an outcome while the database is away, however long, and says how many it keeps', async () => {
    const succeed = answer;
    const keptAt: number[] = [];
    answer = (outcomes) => {
      keptAt.push(writer.inDoubt);
      if (keptAt.length <= 60) throw Object.assign(new Error('read-only'), { code: '25006' });
      return succeed(outcomes);
    };
    expect(await writer.write({ step: step('a') }, result())).toBe(true);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(110_000);
    expect([keptAt[0], keptAt[1], keptAt.at(-1), writer.inDoubt]).toEqual([0, 1, 1, 0]);
  });

  describe('when an outcome cannot be stored', () => {
    beforeEach(() => {
      const succeed = answer;
      answer = (outcomes) => {
        if (outcomes.some(({ messages }) => messages?.some(({ content }) => content === 'bad'))) throw unstorable();
        return succeed(outcomes);
      };
    });

    it('records it without its content, and without a wait', async () => {
      const bad = result({ messages: [{ id: 'm', channel: 'email', content: 'bad', status: 'sent' }] });
      expect(await writer.write({ step: step('a') }, bad)).toBe(true);
      expect(pauses).toEqual([]);
      const [outcome] = batches.at(-1)!;
      expect(outcome).toMatchObject({ id: 'a', state: 'completed', messages: [{ id: 'm', content: '' }] });
      expect(outcome!.details).toEqual([{ status: 'Success', detail: 'Message sent' }]);
    });

    it('records the other outcomes of the batch with their content', async () => {
      const bad = result({ messages: [{ id: 'm', channel: 'email', content: 'bad', status: 'sent' }] });
      const recorded = await Promise.all([
        writer.write({ step: step('a') }, result()),
        writer.write({ step: step('b') }, bad),
        writer.write({ step: step('c') }, result()),
      ]);
      expect(recorded).toEqual([true, true, true]);
      expect(batches.map(idsOf)).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c'], ['b']]);
      expect(batches[1]![0]!.messages).toMatchObject([{ content: 'hello' }]);
    });
  });
});
