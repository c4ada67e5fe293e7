import type { IntegrationDto, JobDto, NotificationDto } from '@clarion/contracts';
import { allEnded, type Clarion, eventually, recordOf, startClarion, storyOf } from './harness';

const SENDGRID = '/v3/mail/send';
const RESEND = '/emails';
const BEGUN = ['Pending: Step queued', 'Pending: SendGrid provider was selected', 'Pending: Message created'];
const TROUBLE = 'Warning: Unexpected provider error';

describe('a provider that fails', () => {
  let clarion: Clarion;
  let integrations: IntegrationDto[];

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email'] });
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } }]);
    await clarion.must('POST', '/v2/subscribers', { subscriberId: 'ann', email: 'ann@x.test' });
  });
  afterAll(() => clarion.close());

  beforeEach(() => {
    clarion.provider.reset();
    integrations = [];
  });
  afterEach(async () => {
    for (const { _id } of integrations) await clarion.must('DELETE', `/v1/integrations/${_id}`);
  });

  const use = async (providerId: string, more: object = {}) => {
    integrations.push(await clarion.integration(providerId, 'email', more));
  };
  const trigger = () => clarion.trigger('mail', 'ann');
  const details = (count: number) => (notifications: NotificationDto[]) =>
    notifications.length === 1 && recordOf(notifications[0]!.jobs![0]!).length >= count;
  /** The next try without the wait before it. */
  const retryAfter = async (transactionId: string, count: number) => {
    await clarion.activity(transactionId, details(count));
    await clarion.hurry(transactionId);
  };
  const ended = async (transactionId: string) => (await clarion.activity(transactionId, allEnded()))[0]!;
  const called = (path: string) => clarion.provider.calls.filter((call) => call.path === path);
  const rawOf = (job: JobDto, at: number) => JSON.parse(job.executionDetails[at]!.raw!) as Record<string, unknown>;

  it('is asked again after a failure that may pass', async () => {
    await use('sendgrid');
    clarion.provider.next(SENDGRID, { status: 503, text: 'busy' });
    const transactionId = await trigger();
    await clarion.activity(transactionId, details(4));
    const [waiting] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'queued');
    expect(storyOf(waiting!)).toEqual([['email queued', ...BEGUN, TROUBLE]]);
    const raw = rawOf(waiting!.jobs![0]!, 3);
    expect(raw).toMatchObject({ kind: 'transient', status: 503, answer: 'busy', try: 1, of: 8 });
    expect(raw['nextTryInMs']).toBeGreaterThanOrEqual(4_000);
    expect(raw['nextTryInMs']).toBeLessThanOrEqual(6_000);
    expect(await clarion.messages(transactionId)).toMatchObject([{ status: 'warning' }]);
    await clarion.hurry(transactionId);
    expect(storyOf(await ended(transactionId))).toEqual([
      ['email completed', ...BEGUN, TROUBLE, 'Success: Message sent (retry)'],
    ]);
    const messages = await clarion.messages(transactionId);
    expect(messages).toMatchObject([{ status: 'sent' }]);
    expect(messages[0]!.errorId).toBeUndefined();
    expect(called(SENDGRID)).toHaveLength(2);
  });

  it('is left alone for as long as it asks, which costs no try', async () => {
    await use('sendgrid');
    clarion.provider.next(SENDGRID, { status: 429, headers: { 'retry-after': '1' }, json: {} });
    const transactionId = await trigger();
    const notification = await ended(transactionId);
    expect(storyOf(notification)).toEqual([['email completed', ...BEGUN, TROUBLE, 'Success: Message sent (retry)']]);
    const [first, second] = called(SENDGRID);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_000);
    const [step] = await clarion.database.query<{ attempt: number }>(
      `SELECT attempt FROM step WHERE transaction_id = $1`,
      [transactionId],
    );
    expect(step!.attempt).toBe(1);
  });

  it('is not asked again after an answer that will stay', async () => {
    await use('sendgrid');
    clarion.provider.next(SENDGRID, { status: 400, json: { errors: [{ message: 'bad address' }] } });
    const notification = await ended(await trigger());
    expect(storyOf(notification)).toEqual([['email failed', ...BEGUN, 'Failed: Unexpected provider error']]);
    expect(rawOf(notification.jobs![0]!, 3)).toMatchObject({ kind: 'permanent', message: 'bad address', status: 400 });
    expect(await clarion.messages(notification.transactionId)).toMatchObject([
      { status: 'error', errorId: 'mail_unexpected_error', errorText: 'bad address' },
    ]);
    expect(called(SENDGRID)).toHaveLength(1);
  });

  it('gives way to the next one at once when its account does not work', async () => {
    await use('sendgrid');
    await use('resend');
    clarion.provider.next(SENDGRID, { status: 401, json: {} });
    const notification = await ended(await trigger());
    expect(storyOf(notification)).toEqual([
      ['email completed', ...BEGUN, TROUBLE, 'Pending: Resend provider was selected (retry)', 'Success: Message sent'],
    ]);
    expect(notification.jobs![0]!.providerId).toBe('resend');
    expect(await clarion.messages(notification.transactionId)).toMatchObject([
      { status: 'sent', providerId: 'resend' },
    ]);
  });

  it('fails when the account of the last one does not work either', async () => {
    await use('sendgrid');
    await use('resend');
    clarion.provider.next(/./, { status: 401, json: {} }, { status: 403, json: {} });
    const notification = await ended(await trigger());
    expect(storyOf(notification)).toEqual([
      [
        'email failed',
        ...BEGUN,
        TROUBLE,
        'Pending: Resend provider was selected (retry)',
        'Failed: Unexpected provider error',
      ],
    ]);
  });

  it('gives way to the next one after its second failure that may pass', async () => {
    await use('sendgrid');
    await use('resend');
    clarion.provider.next(SENDGRID, { status: 500, text: '' }, { status: 502, text: '' });
    const transactionId = await trigger();
    await retryAfter(transactionId, 4);
    expect(storyOf(await ended(transactionId))).toEqual([
      [
        'email completed',
        ...BEGUN,
        TROUBLE,
        `${TROUBLE} (retry)`,
        'Pending: Resend provider was selected (retry)',
        'Success: Message sent (retry)',
      ],
    ]);
    expect([called(SENDGRID).length, called(RESEND).length]).toEqual([2, 1]);
  });

  it('is asked again when nobody knows what became of the message, under the same key', async () => {
    await use('resend');
    clarion.provider.next(RESEND, { close: 'after-reading' });
    const transactionId = await trigger();
    await retryAfter(transactionId, 4);
    const notification = await ended(transactionId);
    expect(storyOf(notification)).toEqual([
      [
        'email completed',
        'Pending: Step queued',
        'Pending: Resend provider was selected',
        'Pending: Message created',
        TROUBLE,
        'Success: Message sent (retry)',
      ],
    ]);
    expect(rawOf(notification.jobs![0]!, 3)).toMatchObject({ kind: 'unknown-outcome' });
    const keys = called(RESEND).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toBeTruthy();
  });

  it('ends the message when the plan of retries is used up', async () => {
    await use('sendgrid');
    clarion.provider.always(SENDGRID, { status: 503, text: 'busy' });
    const transactionId = await trigger();
    for (let tried = 1; tried < 8; tried += 1) {
      await clarion.activity(transactionId, details(3 + tried));
      // Eight failures in a row are no reason for the breaker; the spec of the breaker is another one.
      await clarion.hurry(transactionId);
    }
    const notification = await ended(transactionId);
    expect(storyOf(notification)).toEqual([
      [
        'email failed',
        ...BEGUN,
        TROUBLE,
        ...Array.from({ length: 6 }, () => `${TROUBLE} (retry)`),
        'Failed: Unexpected provider error (retry)',
      ],
    ]);
    expect(await clarion.messages(transactionId)).toMatchObject([{ status: 'error', errorText: expect.any(String) }]);
    expect(called(SENDGRID)).toHaveLength(8);
  });

  it('is kept out by its breaker, which shows in the interface, and let in again when it works', async () => {
    await use('sendgrid');
    clarion.provider.always(SENDGRID, { status: 503, text: 'busy' });
    const events = Array.from({ length: 20 }, () => ({ name: 'mail', to: 'ann' }));
    await clarion.must('POST', '/v1/events/trigger/bulk', { events });
    const healthOf = async () => {
      const list = await clarion.must<IntegrationDto[]>('GET', '/v1/integrations');
      return list.find(({ _id }) => _id === integrations[0]!._id)!.health;
    };
    expect(await eventually(async () => (await healthOf())?.state === 'open')).toBe(true);
    expect(await healthOf()).toMatchObject({ since: expect.any(String), until: expect.any(String) });

    clarion.provider.reset();
    const transactionId = await trigger();
    await clarion.activity(transactionId, details(2));
    const [kept] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'queued');
    expect(storyOf(kept!)).toEqual([
      ['email queued', 'Pending: Step queued', 'Warning: SendGrid is not available at the moment'],
    ]);
    expect(kept!.jobs![0]!.executionDetails[1]!.raw).toContain('circuit breaker open');
    expect(clarion.provider.count).toBe(0);

    // Half a minute later.
    await clarion.database.query(
      `UPDATE integration SET updated_at = now(), health = health || jsonb_build_object('until', now() - interval '1 second')
        WHERE id = $1`,
      [integrations[0]!._id],
    );
    await clarion.hurry(transactionId);
    expect(storyOf(await ended(transactionId))).toEqual([
      [
        'email completed',
        'Pending: Step queued',
        'Warning: SendGrid is not available at the moment',
        ...BEGUN.slice(1),
        'Success: Message sent',
      ],
    ]);
    expect(await eventually(async () => (await healthOf()) === undefined)).toBe(true);
  });

  it('gives way to the next one while its breaker is open', async () => {
    await use('sendgrid');
    await use('resend');
    const until = new Date(Date.now() + 60_000).toISOString();
    const health = { state: 'open', since: new Date().toISOString(), until, reason: 'busy' };
    await clarion.database.query(`UPDATE integration SET updated_at = now(), health = $2 WHERE id = $1`, [
      integrations[0]!._id,
      JSON.stringify(health),
    ]);
    const notification = await ended(await trigger());
    expect(storyOf(notification)).toEqual([
      [
        'email completed',
        'Pending: Step queued',
        'Warning: SendGrid is not available at the moment',
        'Pending: Resend provider was selected',
        'Pending: Message created',
        'Success: Message sent',
      ],
    ]);
    expect(called(SENDGRID)).toHaveLength(0);
  });

  it('holds nobody back who sends in another way', async () => {
    await use('sendgrid', { identifier: 'slow' });
    await use('resend', { identifier: 'quick' });
    clarion.provider.always(SENDGRID, { hang: true });
    const slow = await clarion.trigger('mail', 'ann', { overrides: { email: { integrationIdentifier: 'slow' } } });
    const quick = await clarion.trigger('mail', 'ann', { overrides: { email: { integrationIdentifier: 'quick' } } });
    await ended(quick);
    const [waiting] = await clarion.activity(slow, () => true);
    expect(waiting!.jobs![0]!.status).toBe('running');
  });
});
