import type { JsonObject, NotificationDto } from '@clarion/contracts';
import { allEnded, type Clarion, detailsOf, historyOf, startClarion, type StepInput } from './harness';

const IN_APP = (body: string): StepInput => ({ type: 'in_app', controlValues: { body } });
const SENT = ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'];

describe('steps of the engine', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app', 'email'] });
    await clarion.integration('sendgrid', 'email');
  });
  afterAll(() => clarion.close());

  const isWaiting = (notifications: NotificationDto[]): boolean =>
    notifications.length === 1 && notifications[0]!.jobs!.some(({ status }) => status === 'delayed');
  const rawOf = (notification: NotificationDto, job: number, detail: number): JsonObject =>
    JSON.parse(notification.jobs![job]!.executionDetails[detail]!.raw!) as JsonObject;
  const contents = async (transactionId: string) =>
    (await clarion.messages(transactionId)).map(({ content }) => content);

  describe('delay step', () => {
    const waits = async (workflowId: string, delay: object, trigger: object = {}) => {
      await clarion.workflow(workflowId, [{ type: 'delay', stepId: 'wait', controlValues: delay }, IN_APP('later')]);
      const transactionId = await clarion.trigger(workflowId, 'ann', trigger);
      const [notification] = await clarion.activity(transactionId, isWaiting);
      return { transactionId, notification: notification! };
    };

    it('delays the next step for the configured time', async () => {
      const before = Date.now();
      const { transactionId, notification } = await waits('delay-regular', {
        type: 'regular',
        amount: 2,
        unit: 'hours',
      });
      expect(historyOf(notification)).toEqual([['delay delayed', 'Pending: Step delayed'], ['in_app pending']]);
      const { delay, untilDate } = rawOf(notification, 0, 0);
      expect(delay).toBe(2 * 3_600_000);
      expect(Date.parse(untilDate as string) - before).toBeGreaterThan(2 * 3_600_000 - 5_000);
      expect(await contents(transactionId)).toEqual([]);
      await clarion.makeDue(transactionId);
      const [done] = await clarion.activity(transactionId, allEnded());
      expect(historyOf(done!)).toEqual([
        ['delay completed', 'Pending: Step delayed', 'Success: Delay is finished'],
        SENT,
      ]);
      expect(await contents(transactionId)).toEqual(['later']);
    });

    it('ends a delay of one second on time', async () => {
      await clarion.workflow('delay-short', [
        { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'seconds' } },
        IN_APP('soon'),
      ]);
      const notification = await clarion.run('delay-short', 'ann');
      const finished = Date.parse(notification.jobs![0]!.executionDetails[1]!.createdAt!);
      const reached = Date.parse(notification.createdAt!);
      expect(finished - reached).toBeGreaterThanOrEqual(1_000);
      expect(finished - reached).toBeLessThan(60_000);
    });

    it('overrides the delay by the trigger', async () => {
      const overrides = { delay: { amount: 3, unit: 'days' } };
      const { notification } = await waits(
        'delay-overridden',
        { type: 'regular', amount: 1, unit: 'minutes' },
        { overrides },
      );
      expect(rawOf(notification, 0, 0)['delay']).toBe(3 * 86_400_000);
    });

    it('delays until the date in the payload', async () => {
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      const scheduled = await waits(
        'delay-scheduled',
        { type: 'scheduled', delayPath: 'order.sendAt' },
        { payload: { order: { sendAt } } },
      );
      expect(rawOf(scheduled.notification, 0, 0)['untilDate']).toBe(sendAt);
      const dynamic = await waits(
        'delay-dynamic',
        { type: 'dynamic', dynamicKey: 'payload.wait' },
        { payload: { wait: { amount: 5, unit: 'minutes' } } },
      );
      expect(rawOf(dynamic.notification, 0, 0)['delay']).toBe(300_000);
    });

    it.each([
      ['in the past', { sendAt: '2020-01-01T00:00:00.000Z' }, 'is in the past'],
      ['missing', {}, 'there is no "sendAt" in the payload'],
    ])('fails a delay when its date is %s, and cancels the steps behind it', async (name, payload, reason) => {
      const workflowId = `delay-${name.replaceAll(' ', '-')}`;
      await clarion.workflow(workflowId, [
        { type: 'delay', controlValues: { type: 'scheduled', delayPath: 'sendAt' } },
        IN_APP('never'),
      ]);
      const notification = await clarion.run(workflowId, 'ann', { payload });
      expect(historyOf(notification)).toEqual([
        ['delay failed', 'Failed: Invalid delay configuration'],
        ['in_app canceled', 'Failed: Step was canceled because a previous step failed'],
      ]);
      expect(rawOf(notification, 0, 0)['reason']).toContain(reason);
    });

    it('fails a delay that exceeds the longest allowed wait', async () => {
      await clarion.workflow('delay-too-long', [
        { type: 'delay', controlValues: { type: 'regular', amount: 181, unit: 'days' } },
        IN_APP('never'),
      ]);
      const [history] = historyOf(await clarion.run('delay-too-long', 'ann'));
      expect(history).toEqual(['delay failed', 'Failed: Defer duration limit exceeded']);
    });

    it('skips a delay whose skip rule is false and runs the next step at once', async () => {
      await clarion.workflow('delay-skipped', [
        {
          type: 'delay',
          controlValues: { type: 'regular', amount: 1, unit: 'hours', skip: { '==': [{ var: 'payload.slow' }, true] } },
        },
        IN_APP('now'),
      ]);
      expect(historyOf(await clarion.run('delay-skipped', 'ann', { payload: { slow: false } }))).toEqual([
        ['delay skipped', 'Success: Step skipped: its skip rule is false'],
        SENT,
      ]);
    });
  });

  describe('digest step', () => {
    const digest = (controlValues: object = {}): StepInput => ({
      type: 'digest',
      stepId: 'batch',
      controlValues: { type: 'regular', amount: 1, unit: 'hours', ...controlValues },
    });
    const BODY =
      '{{steps.batch.eventCount}}:{% for e in steps.batch.events %}{{e.payload.n}}{% endfor %}/{{step.total_count}}';

    it('collects the events of a window in order', async () => {
      await clarion.workflow('digest-regular', [digest(), IN_APP(BODY)]);
      const first = await clarion.trigger('digest-regular', 'dan', { payload: { n: 1 } });
      await clarion.activity(first, isWaiting);
      const second = await clarion.run('digest-regular', 'dan', { payload: { n: 2 } });
      const third = await clarion.run('digest-regular', 'dan', { payload: { n: 3 } });
      const other = await clarion.trigger('digest-regular', 'eve', { payload: { n: 9 } });
      for (const follower of [second, third]) {
        expect(historyOf(follower)).toEqual([
          ['digest merged', 'Success: Digest was merged with other digest'],
          ['in_app merged'],
        ]);
      }
      const [opened] = await clarion.activity(first, isWaiting);
      expect(historyOf(opened!)).toEqual([['digest delayed', 'Pending: Step digested'], ['in_app pending']]);
      expect(rawOf(opened!, 0, 0)['untilDate']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const { _digestedNotificationId } = await clarion.callOk<NotificationDto>(
        'GET',
        `/v1/notifications/${second._id}`,
      );
      expect(_digestedNotificationId).toBe(opened!._id);
      await clarion.makeDue(first);
      const [done] = await clarion.activity(first, allEnded());
      expect(historyOf(done!)).toEqual([
        ['digest completed', 'Pending: Step digested', 'Success: Digest triggered events'],
        SENT,
      ]);
      expect(done!.jobs![0]!.digest).toMatchObject({
        type: 'regular',
        amount: 1,
        unit: 'hours',
        events: [{ n: 1 }, { n: 2 }, { n: 3 }],
      });
      expect(await contents(first)).toEqual(['3:123/3']);
      expect(await contents(third.transactionId)).toEqual([]);
      const [elsewhere] = await clarion.activity(other, isWaiting);
      expect(elsewhere!.jobs![0]!.status).toBe('delayed');
    });

    it('collects the first events of a window as far as their payloads are not too large, and counts all', async () => {
      await clarion.workflow('digest-large', [digest(), IN_APP(BODY)]);
      const large = 'x'.repeat(200_000);
      const start = (n: number) => clarion.trigger('digest-large', 'dan', { payload: { n, large } });
      const first = await start(1);
      await clarion.activity(first, isWaiting);
      for (const n of [2, 3, 4, 5]) await clarion.activity(await start(n), allEnded());
      await clarion.makeDue(first);
      const [done] = await clarion.activity(first, allEnded());
      expect(historyOf(done!)[0]).toEqual([
        'digest completed',
        'Pending: Step digested',
        'Warning: Digest leaves out the payloads of 3 of 5 events',
        'Success: Digest triggered events',
      ]);
      expect(rawOf(done!, 0, 2)).toEqual({ eventCount: 5, events: [] });
      expect(done!.jobs![0]!.digest!.events).toEqual([
        { n: 1, large },
        { n: 2, large },
      ]);
      expect(await contents(first)).toEqual(['5:12/5']);
      const [stored] = await clarion.database.query<{ characters: number }>(
        `SELECT length(s::text) AS characters FROM step s WHERE id = $1`,
        [done!.jobs![0]!._id],
      );
      expect(stored!.characters).toBeLessThan(3 * large.length);
    });

    it('opens a new digest window after the last one closed', async () => {
      await clarion.workflow('digest-again', [digest(), IN_APP(BODY)]);
      for (const n of [1, 2]) {
        const transactionId = await clarion.trigger('digest-again', 'dan', { payload: { n } });
        await clarion.activity(transactionId, isWaiting);
        await clarion.makeDue(transactionId);
        await clarion.activity(transactionId, allEnded());
        expect(await contents(transactionId)).toEqual([`1:${n}/1`]);
      }
    });

    it('digests events by their key, and fails an event without the key', async () => {
      await clarion.workflow('digest-key', [digest({ digestKey: 'order.id' }), IN_APP(BODY)]);
      const start = (id: string, n: number) => clarion.trigger('digest-key', 'dan', { payload: { n, order: { id } } });
      const red = await start('red', 1);
      const blue = await start('blue', 2);
      await clarion.activity(red, isWaiting);
      await clarion.activity(blue, isWaiting);
      await clarion.activity(await start('red', 3), allEnded());
      await clarion.makeDue(red);
      await clarion.makeDue(blue);
      await clarion.activity(red, allEnded());
      await clarion.activity(blue, allEnded());
      expect(await contents(red)).toEqual(['2:13/2']);
      expect(await contents(blue)).toEqual(['1:2/1']);
      const missing = await clarion.run('digest-key', 'dan', { payload: { n: 4 } });
      expect(historyOf(missing)).toEqual([
        ['digest failed', 'Failed: Digest key is missing in the payload'],
        ['in_app canceled', 'Failed: Step was canceled because a previous step failed'],
      ]);
      expect(rawOf(missing, 0, 0)).toEqual({ digestKey: 'order.id' });
    });

    it('passes the first event of a look-back window and digests the next', async () => {
      await clarion.workflow('digest-look-back', [
        digest({ lookBackWindow: { amount: 1, unit: 'hours' } }),
        IN_APP('{{payload.n}}'),
      ]);
      const first = await clarion.run('digest-look-back', 'dan', { payload: { n: 1 } });
      expect(historyOf(first)).toEqual([['digest skipped', 'Success: Digest was skipped, first backoff event'], SENT]);
      const second = await clarion.trigger('digest-look-back', 'dan', { payload: { n: 2 } });
      const [waiting] = await clarion.activity(second, isWaiting);
      expect(historyOf(waiting!)).toEqual([['digest delayed', 'Pending: Step digested'], ['in_app pending']]);
      expect(waiting!.jobs![0]!.digest).toMatchObject({ type: 'backoff', backoffAmount: 1, backoffUnit: 'hours' });
    });

    it('moves the digest window to the next event when its first event is canceled', async () => {
      await clarion.workflow('digest-cancel', [digest(), IN_APP(BODY)]);
      const transactions: string[] = [];
      for (const n of [1, 2, 3]) {
        const transactionId = await clarion.trigger('digest-cancel', 'dan', { payload: { n } });
        await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === (n === 1 ? 'delayed' : 'merged'));
        transactions.push(transactionId);
      }
      const [first, second, third] = transactions as [string, string, string];
      expect((await clarion.call('DELETE', `/v1/events/trigger/${first}`)).body).toBe(true);
      expect((await clarion.call('DELETE', `/v1/events/trigger/${first}`)).body).toBe(false);
      const [canceled] = await clarion.activity(first, allEnded());
      expect(historyOf(canceled!)).toEqual([
        ['digest canceled', 'Pending: Step digested', 'Warning: Step was canceled by request'],
        ['in_app canceled', 'Warning: Step was canceled by request'],
      ]);
      await clarion.activity(second, isWaiting);
      await clarion.makeDue(second);
      const [done] = await clarion.activity(second, allEnded());
      expect(historyOf(done!)).toEqual([
        [
          'digest completed',
          'Success: Digest was merged with other digest',
          'Pending: Step digested: it took over the digest whose first event has ended',
          'Success: Digest triggered events',
        ],
        SENT,
      ]);
      expect(done!._digestedNotificationId).toBeUndefined();
      expect(await contents(second)).toEqual(['2:23/2']);
      const [follower] = await clarion.activity(third, allEnded());
      expect(follower!._digestedNotificationId).toBe(done!._id);
    });
  });

  it('tries a step that the database rejects later and later, and ends it with the reason', async () => {
    await clarion.database.query(
      `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'rejected'; END $$;
       CREATE TRIGGER reject BEFORE INSERT ON step FOR EACH ROW
         WHEN (NEW.step_key = 'broken' AND NEW.state = 'completed') EXECUTE FUNCTION reject()`,
    );
    const hour = { type: 'regular', amount: 1, unit: 'hours' };
    await clarion.workflow('broken', [{ type: 'delay', stepId: 'broken', controlValues: hour }, IN_APP('never')]);
    await clarion.workflow('sound', [{ type: 'delay', stepId: 'sound', controlValues: hour }, IN_APP('sent')]);
    const [broken, sound] = [await clarion.trigger('broken', 'ann'), await clarion.trigger('sound', 'ann')];
    for (const transactionId of [broken, sound]) await clarion.activity(transactionId, isWaiting);
    await Promise.all([broken, sound].map((transactionId) => clarion.makeDue(transactionId)));
    await clarion.activity(sound, allEnded());
    const REASON = 'the database rejected it';
    const again = `Warning: Step could not be run and is tried again: ${REASON}`;
    const [waiting] = await clarion.activity(broken, ([one]) => one?.jobs?.[0]?.executionDetails.length === 2);
    expect(historyOf(waiting!)).toEqual([['delay delayed', 'Pending: Step delayed', again], ['in_app pending']]);
    const [row] = await clarion.database.query<{ isLater: boolean }>(
      `UPDATE work SET attempt = 9 WHERE step_key = 'broken' RETURNING due_at > updated_at AS "isLater"`,
    );
    expect(row).toEqual({ isLater: true });
    await clarion.makeDue(broken);
    const [ended] = await clarion.activity(broken, allEnded());
    expect(historyOf(ended!)).toEqual([
      ['delay failed', 'Pending: Step delayed', again, `Failed: Step could not be run in 10 attempts: ${REASON}`],
      ['in_app canceled', 'Failed: Step was canceled because a previous step failed'],
    ]);
    await clarion.database.query(`DROP FUNCTION reject CASCADE`);
  });

  it('cancels a delay and the steps behind it by request', async () => {
    await clarion.workflow('cancel-delay', [
      { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
      IN_APP('never'),
    ]);
    const transactionId = await clarion.trigger('cancel-delay', 'ann');
    await clarion.activity(transactionId, isWaiting);
    expect((await clarion.call('DELETE', `/v1/events/trigger/${transactionId}`)).body).toBe(true);
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)).toEqual([
      ['delay canceled', 'Pending: Step delayed', 'Warning: Step was canceled by request'],
      ['in_app canceled', 'Warning: Step was canceled by request'],
    ]);
    await clarion.makeDue(transactionId);
    expect(await contents(transactionId)).toEqual([]);
  });

  describe('throttle step', () => {
    it('passes as many events as the threshold allows and skips the other events', async () => {
      await clarion.workflow('throttle', [
        { type: 'throttle', controlValues: { amount: 1, unit: 'hours', threshold: 2, throttleKey: 'kind' } },
        IN_APP('{{payload.kind}}'),
      ]);
      const passed = [['throttle completed', 'Pending: Step queued', 'Success: Step completed'], SENT];
      const run = (kind: string) => clarion.run('throttle', 'ann', { payload: { kind } });
      expect(historyOf(await run('a'))).toEqual(passed);
      expect(historyOf(await run('a'))).toEqual(passed);
      const third = await run('a');
      expect(historyOf(third)).toEqual([
        ['throttle skipped', 'Pending: Step queued', 'Success: Throttle limit exceeded for the given window'],
        ['in_app skipped', 'Success: Throttle limit exceeded for the given window'],
      ]);
      expect(rawOf(third, 0, 1)).toMatchObject({ shouldSkip: true, executionCount: 3, threshold: 2 });
      expect(historyOf(await run('b'))).toEqual(passed);
    });

    it('passes events again after the throttle window has ended', async () => {
      await clarion.workflow('throttle-window', [
        { type: 'throttle', controlValues: { type: 'dynamic', dynamicKey: 'payload.until' } },
        IN_APP('x'),
      ]);
      const payload = { until: new Date(Date.now() + 3_600_000).toISOString() };
      expect((await clarion.run('throttle-window', 'ann', { payload })).jobs![0]!.status).toBe('completed');
      expect((await clarion.run('throttle-window', 'ann', { payload })).jobs![0]!.status).toBe('skipped');
      await clarion.database.query(`UPDATE step_window SET expires_at = now() WHERE step_key = 'throttle'`);
      expect((await clarion.run('throttle-window', 'ann', { payload })).jobs![0]!.status).toBe('completed');
      const past = await clarion.run('throttle-window', 'ann', { payload: { until: '2020-01-01T00:00:00.000Z' } });
      expect(historyOf(past)).toEqual([
        ['throttle failed', 'Pending: Step queued', 'Failed: Throttle window date is in the past'],
        ['in_app canceled', 'Failed: Step was canceled because a previous step failed'],
      ]);
    });
  });

  it('provides the output of a custom step to the steps behind it', async () => {
    await clarion.workflow('custom', [
      { type: 'custom', stepId: 'price', controlValues: { total: '{{payload.a | plus: 1}}', kept: { deep: true } } },
      IN_APP('{{steps.price.total}} {{steps.price.kept.deep}}'),
    ]);
    const notification = await clarion.run('custom', 'ann', { payload: { a: 41 } });
    expect(historyOf(notification)).toEqual([
      ['custom completed', 'Pending: Step queued', 'Success: Step completed'],
      SENT,
    ]);
    expect(await contents(notification.transactionId)).toEqual(['42 true']);
  });

  describe('schedule of the subscriber', () => {
    const closed = { isEnabled: true, weeklySchedule: {} };
    const day = { isEnabled: true, hours: [{ start: '12:00 AM', end: '11:59 PM' }] };
    const always = Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name) => [name, day]),
    );
    /** Available two days from now, for the whole day. */
    const later = {
      isEnabled: true,
      weeklySchedule: { [Object.keys(always).at(new Date(Date.now() + 86_400_000).getUTCDay())!]: day },
    };
    const setSchedule = (schedule: object) =>
      clarion.callOk('PATCH', '/v2/subscribers/sleeper/preferences', { schedule });

    beforeAll(() => clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'sleeper', email: 's@x.test' }));

    it('cancels steps outside the schedule except in-app steps and critical workflows', async () => {
      const steps: StepInput[] = [
        { type: 'custom', controlValues: { a: 'b' } },
        { type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } },
        IN_APP('x'),
      ];
      await clarion.workflow('scheduled', steps);
      await clarion.workflow('scheduled-critical', steps, {
        preferences: { workflow: { all: { enabled: true, readOnly: true } } },
      });
      await setSchedule(closed);
      const outside = "Success: The step was skipped as it fell outside the subscriber's schedule";
      expect(historyOf(await clarion.run('scheduled', 'sleeper'))).toEqual([
        ['custom canceled', 'Pending: Step queued', outside],
        ['email canceled', 'Pending: Step queued', outside],
        SENT,
      ]);
      const critical = await clarion.run('scheduled-critical', 'sleeper');
      expect(critical.jobs!.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
      await setSchedule({ isEnabled: true, weeklySchedule: always });
      const inside = await clarion.run('scheduled', 'sleeper');
      expect(inside.jobs!.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    });

    it('extends a delay to the next time in the schedule at most three times', async () => {
      await clarion.workflow('extended', [
        { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours', extendToSchedule: true } },
        IN_APP('x'),
      ]);
      await setSchedule(later);
      const transactionId = await clarion.trigger('extended', 'sleeper');
      await clarion.activity(transactionId, isWaiting);
      const extended = 'Pending: Step was extended to the next available time in the subscriber schedule';
      for (const count of [1, 2, 3]) {
        await clarion.makeDue(transactionId);
        const [moved] = await clarion.activity(
          transactionId,
          ([one]) => one?.jobs?.[0]?.scheduleExtensionsCount === count && one.jobs[0].status === 'delayed',
        );
        expect(detailsOf(moved!.jobs![0]!).slice(1)).toEqual(Array.from({ length: count }, () => extended));
        const { nextAvailableTime } = rawOf(moved!, 0, count);
        expect(new Date(nextAvailableTime as string).getTime()).toBeGreaterThan(Date.now());
        expect(nextAvailableTime).toMatch(/T00:00:00\.000Z$/);
      }
      await clarion.makeDue(transactionId);
      const [done] = await clarion.activity(transactionId, allEnded());
      expect(historyOf(done!)).toEqual([
        [
          'delay completed',
          'Pending: Step delayed',
          extended,
          extended,
          extended,
          'Success: Step was executed due to maximum number of subscriber schedule extensions reached',
          'Success: Delay is finished',
        ],
        SENT,
      ]);
    });
  });
});
