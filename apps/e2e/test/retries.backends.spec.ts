import { type IntegrationDto, type JobDto, LIMITS, type NotificationDto, RETRY_WAITS_MS } from '@clarion/contracts';
import { type FakeAnswer, until } from '@clarion/testing';
import { allEnded, type Clarion, detailsOf, historyOf, startClarion, type StepInput } from './harness';

const SENDGRID = '/v3/mail/send';
const RESEND = '/emails';
const BEGUN = ['Pending: Step queued', 'Pending: SendGrid provider was selected', 'Pending: Message created'];
const PROVIDER_ERROR = 'Warning: Unexpected provider error';

describe('failures of a provider', () => {
  let clarion: Clarion;
  let integrations: IntegrationDto[];

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email'] });
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } }]);
    await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'ann', email: 'ann@x.test' });
  });
  afterAll(() => clarion.close());

  beforeEach(() => {
    clarion.provider.reset();
    integrations = [];
  });
  afterEach(async () => {
    for (const { _id } of integrations) await clarion.callOk('DELETE', `/v1/integrations/${_id}`);
  });

  const use = async (providerId: string, more: object = {}) => {
    integrations.push(await clarion.integration(providerId, 'email', more));
  };
  const trigger = () => clarion.trigger('mail', 'ann');
  const details = (count: number) => (notifications: NotificationDto[]) =>
    notifications.length === 1 && detailsOf(notifications[0]!.jobs![0]!).length >= count;
  /** Waits for this many details and makes the next attempt due now. */
  const retryAfter = async (transactionId: string, count: number) => {
    await clarion.activity(transactionId, details(count));
    await clarion.makeDue(transactionId);
  };
  const ended = async (transactionId: string) => (await clarion.activity(transactionId, allEnded()))[0]!;
  const called = (path: string) => clarion.provider.calls.filter((call) => call.path === path);
  const retrieve = async ({ _id }: NotificationDto) =>
    (await clarion.callOk<NotificationDto>('GET', `/v1/notifications/${_id}`)).jobs!;
  const rawOf = (job: JobDto, at: number) => JSON.parse(job.executionDetails[at]!.raw!) as Record<string, unknown>;

  /** Triggers a message. When the provider gives this answer, the worker takes no further step: the retry waits. */
  const triggerAndStop = async (answer: FakeAnswer): Promise<string> => {
    let release = (): void => undefined;
    const after = new Promise<void>((resolve) => (release = resolve));
    clarion.provider.next(SENDGRID, { ...answer, after });
    const transactionId = await trigger();
    await until(() => called(SENDGRID).length > 0);
    const stopped = clarion.stop('email');
    release();
    await stopped;
    return transactionId;
  };

  it('retries a message after a 503 from the provider', async () => {
    await use('sendgrid');
    const transactionId = await triggerAndStop({ status: 503, text: 'busy' });
    const [waiting] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'queued');
    expect(historyOf(waiting!)).toEqual([['email queued', ...BEGUN, PROVIDER_ERROR]]);
    const raw = rawOf(waiting!.jobs![0]!, 3);
    expect(raw).toMatchObject({ kind: 'transient', status: 503, answer: 'busy', try: 1, of: LIMITS.deliveryAttempts });
    expect(raw['nextTryInMs']).toBeGreaterThanOrEqual(RETRY_WAITS_MS[0]! * 0.8);
    expect(raw['nextTryInMs']).toBeLessThanOrEqual(RETRY_WAITS_MS[0]! * 1.2);
    expect(await clarion.messages(transactionId)).toMatchObject([{ status: 'warning' }]);
    const { waitingFor } = (await retrieve(waiting!))[0]!;
    expect(waitingFor).toMatchObject({
      kind: 'retry',
      attempt: 1,
      attempts: LIMITS.deliveryAttempts,
      reason: 'The provider answered with status 503',
    });
    expect(Date.parse(waitingFor!.until!)).toBeGreaterThan(Date.parse(waitingFor!.since));
    const tookMs = 400;
    clarion.provider.next(SENDGRID, { status: 202, delayMs: tookMs });
    await clarion.start('email');
    await clarion.makeDue(transactionId);
    expect(historyOf(await ended(transactionId))).toEqual([
      ['email completed', ...BEGUN, PROVIDER_ERROR, 'Success: Message sent (retry)'],
    ]);
    const messages = await clarion.messages(transactionId);
    expect(messages).toMatchObject([{ status: 'sent' }]);
    expect(messages[0]!.errorId).toBeUndefined();
    expect(called(SENDGRID)).toHaveLength(2);
    const [job] = await retrieve(waiting!);
    expect(job!.waitingFor).toBeNull();
    const spans = job!.spans!;
    expect(new Set(spans.map(({ kind }) => kind))).toEqual(new Set(['queue', 'provider', 'retry', 'render']));
    // The call of the second attempt has no detail and is not taken for a wait. A timer may end early.
    const { kind, from, to } = spans.at(-1)!;
    expect(kind).toBe('provider');
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThanOrEqual(tookMs - 20);
    expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => to));
    expect(spans.at(-1)!.to).toBe(job!.executionDetails.at(-1)!.createdAt);
  });

  it.each([202, 503])('gives each detail and the message the time at which it happened (%i)', async (status) => {
    await use('sendgrid');
    const tookMs = 400;
    clarion.provider.next(SENDGRID, { status, delayMs: tookMs });
    const transactionId = await trigger();
    const [notification] = await clarion.activity(transactionId, details(4));
    const at = notification!.jobs![0]!.executionDetails.map(({ createdAt }) => Date.parse(createdAt!));
    const [queued, selected, created, answered] = at as [number, number, number, number];
    expect([...at].sort((one, other) => one - other)).toEqual(at);
    expect(selected).toBeGreaterThanOrEqual(queued);
    // A timer of the fake may end a moment early.
    const latest = answered - tookMs + 20;
    expect(created).toBeLessThanOrEqual(latest);
    const [message] = await clarion.messages(transactionId);
    expect(Date.parse(message!.createdAt)).toBeLessThanOrEqual(latest);
    await clarion.makeDue(transactionId);
    await ended(transactionId);
  });

  describe('steps behind a step that is tried again', () => {
    const EMAIL = { type: 'email' as const, stepId: 'mail', controlValues: { subject: 'S', body: '<p>B</p>' } };
    const note = (stepId: string, body = 'B') => ({ type: 'in_app' as const, stepId, controlValues: { body } });
    const statusesOf = ([one]: NotificationDto[]) => one?.jobs?.map(({ status }) => status) ?? [];

    beforeAll(() => clarion.start('in_app'));
    afterAll(() => clarion.stop('in_app'));

    const start = async (steps: StepInput[], more: object = {}) => {
      await use('sendgrid');
      const name = `behind-${String(++workflows)}`;
      await clarion.workflow(name, steps, more);
      clarion.provider.always(SENDGRID, { status: 503, text: 'down' });
      return clarion.trigger(name, 'ann');
    };
    const recover = (transactionId: string) => {
      clarion.provider.reset();
      return clarion.makeDue(transactionId);
    };
    let workflows = 0;
    const reach = (transactionId: string, ...statuses: string[]) =>
      clarion.activity(transactionId, (found) => statusesOf(found).join() === statuses.join());
    /** Waits until the email waits for a retry. */
    const untilRetry = (transactionId: string) => clarion.activity(transactionId, details(4));

    it('runs them at once, and those behind a delay after the step', async () => {
      const delay = { type: 'delay' as const, stepId: 'later', controlValues: { amount: 1, unit: 'hours' } };
      const transactionId = await start([EMAIL, note('first'), note('second'), delay, note('third')]);
      const [waiting] = await reach(transactionId, 'queued', 'completed', 'completed', 'pending', 'pending');
      expect(detailsOf(waiting!.jobs![0]!).at(-1)).toBe(PROVIDER_ERROR);
      expect(await clarion.messages(transactionId)).toHaveLength(3);
      await recover(transactionId);
      const [delayed] = await reach(transactionId, 'completed', 'completed', 'completed', 'delayed', 'pending');
      expect((await retrieve(delayed!)).map(({ waitingFor }) => waitingFor?.kind)).toEqual([
        undefined,
        undefined,
        undefined,
        'delay',
        'earlier_step',
      ]);
      await clarion.makeDue(transactionId);
      await reach(transactionId, 'completed', 'completed', 'completed', 'completed', 'completed');
    });

    it.each([
      ['the workflow says so', [EMAIL, note('first')], { whileRetrying: 'wait' }],
      ['the step stops the workflow when it fails', [{ ...EMAIL, shouldStopOnFail: true }, note('first')], {}],
      ['they read its state', [EMAIL, note('first', '{{steps.mail.status}}')], {}],
    ])('lets them wait when %s', async (_, steps, more) => {
      const transactionId = await start(steps, more);
      await untilRetry(transactionId);
      const [waiting] = await reach(transactionId, 'queued', 'pending');
      expect((await retrieve(waiting!))[1]!.waitingFor).toMatchObject({
        kind: 'earlier_step',
        reason: expect.stringContaining('has not ended'),
      });
      await recover(transactionId);
      await reach(transactionId, 'completed', 'completed');
    });
  });

  it('waits for Retry-After after a 429 without counting an attempt', async () => {
    await use('sendgrid');
    const transactionId = await triggerAndStop({ status: 429, headers: { 'retry-after': '3' }, json: {} });
    const waiting = await clarion.database.query(
      `SELECT w.attempt FROM work w JOIN trigger t ON t.id = w.trigger_id
        WHERE t.transaction_id = $1 AND w.progress ? 'error'`,
      [transactionId],
    );
    expect(waiting).toEqual([{ attempt: 0 }]);
    await clarion.start('email');
    const notification = await ended(transactionId);
    expect(historyOf(notification)).toEqual([
      ['email completed', ...BEGUN, PROVIDER_ERROR, 'Success: Message sent (retry)'],
    ]);
    const [first, second] = called(SENDGRID);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(3_000);
  });

  it('fails a message without a retry after a 400 from the provider', async () => {
    await use('sendgrid');
    clarion.provider.next(SENDGRID, { status: 400, json: { errors: [{ message: 'bad address' }] } });
    const notification = await ended(await trigger());
    expect(historyOf(notification)).toEqual([['email failed', ...BEGUN, 'Failed: Unexpected provider error']]);
    expect(rawOf(notification.jobs![0]!, 3)).toMatchObject({ kind: 'permanent', message: 'bad address', status: 400 });
    expect(await clarion.messages(notification.transactionId)).toMatchObject([
      { status: 'error', errorId: 'mail_unexpected_error', errorText: 'bad address' },
    ]);
    expect(called(SENDGRID)).toHaveLength(1);
  });

  it('fails over to the next integration at once after a 401', async () => {
    await use('sendgrid');
    await use('resend');
    clarion.provider.next(SENDGRID, { status: 401, json: {} });
    const overrides = { providers: { sendgrid: { subject: 'one' }, resend: { subject: 'two', html: '<p>2</p>' } } };
    const notification = await ended(await clarion.trigger('mail', 'ann', { overrides }));
    expect(historyOf(notification)).toEqual([
      [
        'email completed',
        ...BEGUN,
        PROVIDER_ERROR,
        'Pending: Resend provider was selected (retry)',
        'Success: Message sent',
      ],
    ]);
    expect(notification.jobs![0]!.providerId).toBe('resend');
    expect(await clarion.messages(notification.transactionId)).toMatchObject([
      { status: 'sent', providerId: 'resend' },
    ]);
    // The texts that the second provider was given.
    expect(await clarion.messages(notification.transactionId)).toMatchObject([{ subject: 'two', content: '<p>2</p>' }]);
  });

  it('keeps the messages of an account that its provider rejects until the credentials are changed', async () => {
    await use('sendgrid');
    await clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, { eventLog: true });
    clarion.provider.always(SENDGRID, { status: 401, json: { errors: [{ message: 'The key was revoked' }] } });
    const transactions = [await trigger(), await trigger(), await trigger()];
    const path = `/v1/integrations/${integrations[0]!._id}`;
    const state = async () => (await clarion.callOk<IntegrationDto>('GET', path)).health?.state;
    await until(async () => (await state()) === 'open');
    const late = await trigger();
    await clarion.activity(late, details(2));
    expect(called(SENDGRID)).toHaveLength(3);

    clarion.provider.reset();
    await clarion.callOk('PUT', path, { credentials: { apiKey: 'SG.new', from: 'a@clarion.test', senderName: 'A' } });
    expect(await state()).toBeUndefined();
    for (const transactionId of [...transactions, late]) {
      if (transactionId !== late) await clarion.makeDue(transactionId);
      expect((await ended(transactionId)).jobs![0]!.status).toBe('completed');
    }
    const types = await clarion.database.query<{ type: string }>(
      `SELECT type FROM (SELECT environment_id, type FROM new_log_entry
                         UNION ALL SELECT environment_id, type FROM event_log_entry) entries
        WHERE environment_id = $1 AND type LIKE 'integration.%' ORDER BY type DESC`,
      [clarion.environmentId],
    );
    expect(types.map(({ type }) => type)).toEqual(['integration.unavailable', 'integration.available']);
  });

  it('fails a message that the provider rejects while it sends others', async () => {
    await use('sendgrid');
    clarion.provider.next(SENDGRID, { status: 403, json: {} }, { status: 403, json: {} });
    const transactionId = await trigger();
    await retryAfter(transactionId, 4);
    await clarion.activity(transactionId, details(5));
    await ended(await trigger());
    clarion.provider.next(SENDGRID, { status: 403, json: {} });
    await clarion.makeDue(transactionId);
    expect((await ended(transactionId)).jobs![0]!.status).toBe('failed');
  });

  it('fails over to the next integration after the second transient failure', async () => {
    await use('sendgrid');
    await use('resend');
    clarion.provider.next(SENDGRID, { status: 500, text: '' }, { status: 502, text: '' });
    const transactionId = await trigger();
    await retryAfter(transactionId, 4);
    expect(historyOf(await ended(transactionId))).toEqual([
      [
        'email completed',
        ...BEGUN,
        PROVIDER_ERROR,
        `${PROVIDER_ERROR} (retry)`,
        'Pending: Resend provider was selected (retry)',
        'Success: Message sent (retry)',
      ],
    ]);
    expect([called(SENDGRID).length, called(RESEND).length]).toEqual([2, 1]);
  });

  it('retries under the same idempotency key when the connection closes without a response', async () => {
    await use('resend');
    clarion.provider.next(RESEND, { close: 'after-reading' });
    const transactionId = await trigger();
    await retryAfter(transactionId, 4);
    const notification = await ended(transactionId);
    expect(historyOf(notification)).toEqual([
      [
        'email completed',
        'Pending: Step queued',
        'Pending: Resend provider was selected',
        'Pending: Message created',
        PROVIDER_ERROR,
        'Success: Message sent (retry)',
      ],
    ]);
    expect(rawOf(notification.jobs![0]!, 3)).toMatchObject({ kind: 'unknown-outcome' });
    const keys = called(RESEND).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toBeTruthy();
  });

  it('fails a message after the last attempt of the retry plan', async () => {
    await use('sendgrid');
    clarion.provider.always(SENDGRID, { status: 503, text: 'busy' });
    const transactionId = await trigger();
    for (let tried = 1; tried < LIMITS.deliveryAttempts; tried += 1) {
      await clarion.activity(transactionId, details(3 + tried));
      // So few failures in a row do not open the circuit breaker; a later test covers the breaker.
      await clarion.makeDue(transactionId);
    }
    const notification = await ended(transactionId);
    expect(historyOf(notification)).toEqual([
      [
        'email failed',
        ...BEGUN,
        PROVIDER_ERROR,
        ...Array.from({ length: LIMITS.deliveryAttempts - 2 }, () => `${PROVIDER_ERROR} (retry)`),
        'Failed: Unexpected provider error (retry)',
      ],
    ]);
    expect(await clarion.messages(transactionId)).toMatchObject([{ status: 'error', errorText: expect.any(String) }]);
    expect(called(SENDGRID)).toHaveLength(LIMITS.deliveryAttempts);
  });

  it('stops calling a failing provider by its circuit breaker, shows that state and recovers', async () => {
    await use('sendgrid');
    clarion.provider.always(SENDGRID, { status: 503, text: 'busy' });
    const events = Array.from({ length: 20 }, () => ({ name: 'mail', to: 'ann' }));
    const failing = await clarion.callOk<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', { events });
    const healthOf = async () => {
      const list = await clarion.callOk<IntegrationDto[]>('GET', '/v1/integrations');
      return list.find(({ _id }) => _id === integrations[0]!._id)!.health;
    };
    await until(async () => (await healthOf())?.state === 'open');
    expect(await healthOf()).toMatchObject({ since: expect.any(String), until: expect.any(String) });

    clarion.provider.reset();
    const transactionId = await trigger();
    await clarion.activity(transactionId, details(2));
    const [blocked] = await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'queued');
    expect(historyOf(blocked!)).toEqual([
      ['email queued', 'Pending: Step queued', 'Warning: SendGrid is not available at the moment'],
    ]);
    expect(blocked!.jobs![0]!.executionDetails[1]!.raw).toContain('circuit breaker open');
    expect(clarion.provider.count).toBe(0);

    // Ends the open state now instead of in half a minute.
    await clarion.database.query(
      `UPDATE integration
          SET updated_at = now(), health = health || jsonb_build_object('until', now() - interval '1 second')
        WHERE id = $1`,
      [integrations[0]!._id],
    );
    // It waits for the account, and so comes back by itself; also to find that another message tries the account.
    const [history] = historyOf(await ended(transactionId));
    expect([...new Set(history)]).toEqual([
      'email completed',
      'Pending: Step queued',
      'Warning: SendGrid is not available at the moment',
      ...BEGUN.slice(1),
      'Success: Message sent',
    ]);
    await until(async () => (await healthOf()) === undefined);
    // They are tried again for minutes, and would call the accounts of the other tests.
    for (const { transactionId: one } of failing) await clarion.callOk('DELETE', `/v1/events/trigger/${one}`);
    for (const { transactionId: one } of failing) await ended(one);
  });

  it('uses the next integration while the circuit breaker of the first is open', async () => {
    await use('sendgrid');
    await use('resend');
    const until = new Date(Date.now() + 60_000).toISOString();
    const health = { state: 'open', since: new Date().toISOString(), until, reason: 'busy' };
    await clarion.database.query(`UPDATE integration SET updated_at = now(), health = $2 WHERE id = $1`, [
      integrations[0]!._id,
      JSON.stringify(health),
    ]);
    const notification = await ended(await trigger());
    expect(historyOf(notification)).toEqual([
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

  it('sends through another integration while one provider does not respond', async () => {
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
