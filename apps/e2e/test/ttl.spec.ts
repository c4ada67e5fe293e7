import type { HoldDto, NotificationDto } from '@clarion/contracts';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, detailsOf, historyOf, startClarion } from './harness';

const ANN = { subscriberId: 'ann', email: 'ann@x.test' };
const EXPIRED = 'Warning: Message was not sent: its time to live of 60 seconds has ended';

describe('the time to live of a trigger', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email', 'in_app'] });
    await clarion.integration('resend', 'email', { name: 'Mail' });
    const mail = { type: 'email', controlValues: { subject: '{{payload.n}}', body: 'B' } } as const;
    await clarion.workflow('mail', [mail, { type: 'in_app', controlValues: { body: 'x' } }]);
    await clarion.workflow('later', [
      { type: 'delay', controlValues: { type: 'regular', amount: 2, unit: 'hours' } },
      mail,
    ]);
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());
  afterEach(() => jest.restoreAllMocks());

  const isHeld = ([notification]: NotificationDto[]) =>
    notification?.jobs?.[0]?.executionDetails.some(({ detail }) => detail.startsWith('Step held')) === true;
  /** Moves the acceptance of a trigger into the past. */
  const age = (transactionId: string, seconds: number) =>
    clarion.database.query(
      `UPDATE trigger SET created_at = now() - $3 * interval '1 second' WHERE environment_id = $1 AND transaction_id = $2`,
      [clarion.environmentId, transactionId, seconds],
    );
  const calls = () => clarion.provider.calls.length;

  it('ends steps that waited for a hold longer than that, and sends the others', async () => {
    const hold = await clarion.callOk<HoldDto>('POST', '/v1/holds', { target: 'channel', id: 'email' });
    const late = await clarion.trigger('mail', ANN, { payload: { n: 'late' }, ttl: 60 });
    const events = [{ name: 'mail', to: ANN, payload: { n: 'in time' }, ttl: 600 }];
    const [inTime] = await clarion.callOk<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', { events });
    for (const transactionId of [late, inTime!.transactionId]) {
      await clarion.activity(transactionId, isHeld);
      await age(transactionId, 61);
    }
    await clarion.callOk('DELETE', `/v1/holds/${hold._id}`);
    const [skipped] = await clarion.activity(late, allEnded());
    expect(skipped!.jobs!.map(({ type, status }) => `${type} ${status}`)).toEqual(['email skipped', 'in_app skipped']);
    expect(detailsOf(skipped!.jobs![0]!).at(-1)).toBe(EXPIRED);
    const [sent] = await clarion.activity(inTime!.transactionId, allEnded());
    expect(sent!.jobs!.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(calls()).toBe(1);
  });

  it('ends a step behind a longer delay, as the dry run said', async () => {
    const event = { payload: { n: 'x' }, ttl: 60 };
    const dryRun = await clarion.callOk('POST', '/v1/events/trigger?dryRun=true', { name: 'later', to: ANN, ...event });
    expect(dryRun).toMatchObject({
      dryRun: { recipients: [{ steps: [{}, { outcome: 'would_skip', why: EXPIRED.slice('Warning: '.length) }] }] },
    });
    const transactionId = await clarion.trigger('later', ANN, event);
    await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    await age(transactionId, 7_200);
    await clarion.makeDue(transactionId);
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)[1]).toEqual(['email skipped', 'Pending: Step queued', EXPIRED]);
    expect(calls()).toBe(0);
  });

  it('ends a step whose next attempt would come too late', async () => {
    clarion.provider.always('/emails', { status: 429, headers: { 'retry-after': '7200' } });
    const { jobs } = await clarion.run('mail', ANN, { payload: { n: 'x' }, ttl: 3_600 });
    expect(jobs![0]!.status).toBe('failed');
    expect(detailsOf(jobs![0]!).at(-1)).toContain('its time to live of 3600 seconds ends before the next attempt');
    expect(calls()).toBe(1);
  });

  it('counts the ttl as part of the event, and refuses one that is no whole number of seconds', async () => {
    const event = { name: 'mail', to: ANN, transactionId: 'same', ttl: 60 };
    const post = (more: object) => clarion.call('POST', '/v1/events/trigger', { ...event, ...more });
    expect((await post({})).body).toMatchObject({ status: 'processed' });
    expect((await post({})).body).toMatchObject({ status: 'processed' });
    expect((await post({ ttl: 61 })).body).toMatchObject({ status: 'error' });
    for (const ttl of [0, -1, 1.5, '60', 31_536_001]) {
      const answer = await post({ ttl, transactionId: undefined });
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining('ttl')]);
    }
  });

  it('measures the time to the end of a step by the clock of the database', async () => {
    const now = Date.now.bind(Date);
    const read = async (value: 'sum' | 'count') => {
      const text = await clarion.context.metrics.expose();
      const name = `clarion_stage_seconds_${value}{stage="end_to_end",channel="in_app",lane="normal"} `;
      return Number(text.split(name)[1]!.split('\n')[0]);
    };
    // A step of the test before may end meanwhile, and be counted too.
    const before = { sum: await read('sum'), count: await read('count') };
    await clarion.stop('email', 'in_app');
    const transactionId = await clarion.trigger('mail', ANN, { payload: { n: 'x' } });
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    await clarion.start('email', 'in_app');
    await clarion.activity(transactionId, allEnded());
    await until(async () => (await read('count')) >= before.count + 1);
    expect((await read('sum')) - before.sum).toBeLessThan(1_800);
  });
});
