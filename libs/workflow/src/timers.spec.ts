import type { JsonObject, StepId } from '@clarion/contracts/core';
import { CRASHES_ALLOWED } from '@clarion/persistence';
import { type StepRow, until } from '@clarion/testing/memory-store';
import { type AuthoredStep, before, connectionLost, type Engine, never, Stage } from '../test/stage';

const MINUTE_MS = 60_000;
const minutes = (amount: number, more: JsonObject = {}): JsonObject => ({
  type: 'regular',
  amount,
  unit: 'minutes',
  ...more,
});
const DELAY: AuthoredStep = { type: 'delay', controls: minutes(1) };
const DIGEST: AuthoredStep = { type: 'digest', controls: minutes(1) };
const SMS: AuthoredStep = { type: 'sms' };

const textsOf = ({ details }: StepRow): string[] => details.map(({ detail }) => detail);

describe('Timers', () => {
  let stage: Stage;
  let engine: Engine;

  beforeEach(() => {
    stage = new Stage();
    engine = stage.engine();
  });
  afterEach(() => expect(stage.witness.problems).toEqual([]));

  /** The steps of a new notification for the subscriber; the first has been reached. */
  const notify = (payload: JsonObject = {}, workflowId?: string): Promise<StepRow[]> =>
    stage.fanOut(engine, stage.accept({ recipients: [{ subscriberId: 's1' }], payload, workflowId }));
  const run = (by: Engine, ...steps: StepRow[]): Promise<void> => by.timers.run(steps.map(({ id }) => id));
  const ids = (...steps: StepRow[]): StepId[] => steps.map(({ id }) => id);

  describe('delay', () => {
    beforeEach(() => stage.workflow([DELAY, SMS]));

    it('opens the next step once, when its time is over', async () => {
      const [delay, sms] = await notify();
      expect(stage.alarms).toEqual([{ id: delay!.id, delayMs: MINUTE_MS }]);
      await run(engine, delay!);
      expect([delay!.state, stage.offered]).toEqual(['delayed', []]);
      stage.world.now += MINUTE_MS;
      stage.letClaimsRace();
      await Promise.all([run(engine, delay!), run(stage.engine(), delay!)]);
      await run(engine, delay!);
      expect([delay!.state, sms!.state]).toEqual(['completed', 'queued']);
      expect(stage.offered).toEqual(ids(sms!));
    });

    it('begins when the step is reached, also when the engine runs it late', async () => {
      const id = stage.accept({ recipients: [{ subscriberId: 's1' }] });
      const away = stage.engine(before('claimTimers', () => Promise.reject(connectionLost())));
      await expect(away.fanOut.run([id])).rejects.toThrow('connection lost');
      const [delay] = stage.stepsOf(id) as [StepRow];
      const { createdAt } = delay;
      stage.world.now += 10_000;
      await run(engine, delay);
      expect(delay).toMatchObject({ state: 'delayed', dueAt: createdAt + MINUTE_MS });
      expect(stage.alarms).toEqual([{ id: delay.id, delayMs: MINUTE_MS - 10_000 }]);
    });

    it('leaves a delay of more than an hour to the sweeper', async () => {
      stage.workflow([{ type: 'delay', controls: minutes(61) }]);
      const [delay] = await notify();
      expect([delay!.state, stage.alarms]).toEqual(['delayed', []]);
    });

    it('ends nothing of a notification that is canceled while the engine decides', async () => {
      const id = stage.accept({ recipients: [{ subscriberId: 's1' }] });
      const [delay, sms] = await stage.fanOut(engine, id);
      stage.world.now += MINUTE_MS;
      await run(stage.engine(before('record', () => stage.cancel(id))), delay!);
      await run(engine, delay!);
      expect([delay!.state, sms!.state]).toEqual(['canceled', 'canceled']);
      expect(stage.offered).toEqual([]);
    });

    it('sets no alarm for a step whose claim another engine has ended', async () => {
      const id = stage.accept({ recipients: [{ subscriberId: 's1' }] });
      engine = stage.engine(before('record', () => stage.endLeases()));
      const [delay] = await stage.fanOut(engine, id);
      expect(delay).toMatchObject({ state: 'queued', crashCount: 1 });
      expect(stage.alarms).toEqual([]);
    });
  });

  describe('digest', () => {
    beforeEach(() => stage.workflow([DIGEST, SMS]));

    it('collects the events of its window and closes it once', async () => {
      const [master, sms] = await notify({ text: 'a' });
      const [second] = await notify({ text: 'b' });
      const [third] = await notify({ text: 'c' });
      expect([master!, second!, third!].map(({ state }) => state)).toEqual(['delayed', 'merged', 'merged']);
      expect(stage.alarms).toHaveLength(1);
      stage.world.now += MINUTE_MS;
      stage.letClaimsRace();
      await Promise.all([run(engine, master!), run(stage.engine(), master!)]);
      expect(master!.output).toMatchObject({
        eventCount: 3,
        events: [{ payload: { text: 'a' } }, { payload: { text: 'b' } }, { payload: { text: 'c' } }],
      });
      expect(stage.offered).toEqual(ids(sms!));
    });

    it('opens a window for an event that comes while the events of the last one are read', async () => {
      const [master] = await notify();
      stage.world.now += MINUTE_MS;
      let late: StepRow[] = [];
      const reading = stage.engine(before('digestEvents', async () => (late = await notify())));
      await run(reading, master!);
      expect(master!.output).toMatchObject({ eventCount: 1 });
      expect(late[0]).toMatchObject({ state: 'delayed', digestMasterId: null });
    });

    it('keeps events with other keys apart', async () => {
      stage.workflow([{ type: 'digest', controls: minutes(1, { digestKey: 'payload.key' }) }]);
      const [one] = await notify({ key: 'a' });
      const [other] = await notify({ key: 'b' });
      expect([one!.state, other!.state]).toEqual(['delayed', 'delayed']);
    });
  });

  it('stops a notification whose events are more than the threshold of its throttle', async () => {
    const controls = { type: 'fixed', amount: 1, unit: 'minutes', threshold: 1 };
    stage.workflow([{ type: 'throttle', controls }, SMS]);
    const [, first] = await notify();
    const [throttle, second] = await notify();
    expect([throttle!.state, second!.state]).toEqual(['skipped', 'skipped']);
    expect(stage.offered).toEqual(ids(first!));
  });

  it('releases a step when the connection to the database is lost, without an attempt', async () => {
    stage.workflow([DELAY, SMS]);
    const [delay] = await notify();
    stage.world.now += MINUTE_MS;
    let records = 0;
    const lost = () => ((records += 1) === 1 ? Promise.reject(connectionLost()) : undefined);
    await run(stage.engine(before('record', lost)), delay!);
    expect(delay).toMatchObject({ state: 'delayed', attempt: 0, crashCount: 0, offeredAt: null });
    await run(engine, delay!);
    expect(delay!.state).toBe('completed');
  });

  it('tries a step with a fault again later, and at last gives it up, while the others of its batch go on', async () => {
    stage.workflow([DELAY], 'sound');
    stage.workflow([DIGEST, SMS]);
    engine = stage.engine(before('joinDigests', () => Promise.reject(new Error('fault'))));
    const recipients = [{ subscriberId: 's1' }];
    const triggers = [stage.accept({ recipients, workflowId: 'sound' }), stage.accept({ recipients })];
    const [delay, digest, sms] = await stage.fanOut(engine, ...triggers);
    expect(delay!.state).toBe('delayed');
    expect(digest).toMatchObject({ state: 'queued', attempt: 1, dueAt: stage.world.now + 1_000 });
    digest!.attempt = 9;
    stage.world.now += 1_000;
    await run(engine, digest!);
    expect([digest!.state, sms!.state]).toEqual(['failed', 'canceled']);
  });

  it('fails a step that has crashed its engines too often', async () => {
    stage.workflow([DELAY, SMS]);
    const [delay, sms] = await notify();
    stage.world.now += MINUTE_MS;
    for (let crashes = 0; crashes < CRASHES_ALLOWED; crashes += 1) {
      let crashed = false;
      const crash = (): Promise<never> => {
        crashed = true;
        return never();
      };
      void run(stage.engine(before('record', crash)), delay!);
      await until(() => crashed);
      stage.endLeases();
      expect(delay).toMatchObject({ state: 'delayed', crashCount: crashes + 1 });
    }
    await run(engine, delay!);
    await engine.stop();
    expect([delay!.state, sms!.state]).toEqual(['failed', 'canceled']);
    expect(textsOf(delay!)).toContain('Step was quarantined after repeated crashes');
  });
});
