import type { OutboxListDto, OutboxMessageDto, TriggerResultDto } from '@clarion/contracts';
import { watchStatements, until } from '@clarion/testing';
import { allEnded, type Clarion, historyOf, startClarion } from './harness';

const EVENTS = 100;
/** Far below one statement per message, and far above the number on an idle machine. */
const MAX_INSERTS = 20;

describe('environment without provider accounts', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ demoProviders: true });
    await clarion.workflow('welcome', [
      {
        type: 'email',
        controlValues: { subject: 'Hello {{subscriber.firstName}}', body: '<p>Order {{payload.order}}</p>' },
      },
      { type: 'sms', controlValues: { body: 'Order {{payload.order}} is on its way' } },
      { type: 'chat', controlValues: { body: '*Order* {{payload.order}}' } },
    ]);
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'Mail', body: '<p>Hi</p>' } }]);
  });
  afterEach(() => clarion.callOk('DELETE', '/v1/outbox'));
  afterAll(() => clarion.close());

  const ADA = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@x.test', phone: '+15550001111' };
  const outbox = async (query = ''): Promise<OutboxMessageDto[]> =>
    (await clarion.callOk<OutboxListDto>('GET', `/v1/outbox?limit=100${query}`)).data;
  const record = (provider: string): string[] => [
    'Pending: Step queued',
    `Pending: ${provider} provider was selected`,
    'Pending: Message created',
    'Success: Message sent',
  ];

  it('delivers email, SMS and chat messages into the outbox, as the dry run predicts', async () => {
    const event = { name: 'welcome', to: ADA, payload: { order: 7 } };
    const { dryRun } = await clarion.callOk<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=true', event);
    expect(await outbox()).toEqual([]);
    const notification = await clarion.run('welcome', ADA, { payload: { order: 7 } });
    const history = historyOf(notification);
    expect(history).toEqual([
      ['email completed', ...record('Clarion Email')],
      ['sms completed', ...record('Clarion SMS')],
      ['chat completed', ...record('Clarion Slack')],
    ]);
    const predicted = dryRun!.recipients[0]!.steps.map(({ details }) =>
      details.map(({ status, detail }) => `${status}: ${detail}`),
    );
    expect(predicted).toEqual(history.map(([, ...lines]) => lines));

    const shown = await outbox(`&transactionId=${notification.transactionId}`);
    const brief = shown.map(({ channel, providerId, to, subject, text }) => ({
      channel,
      providerId,
      to,
      subject,
      text,
    }));
    expect(brief.toReversed()).toEqual([
      {
        channel: 'email',
        providerId: 'platform-email',
        to: ['ada@x.test'],
        subject: 'Hello Ada',
        text: expect.stringContaining('Order 7'),
      },
      { channel: 'sms', providerId: 'platform-sms', to: ['+15550001111'], text: 'Order 7 is on its way' },
      { channel: 'chat', providerId: 'platform-slack', to: [], text: '*Order* 7' },
    ]);
    expect(new Set(shown.map(({ _id }) => _id))).toEqual(
      new Set((await clarion.messages(notification.transactionId)).map(({ _id }) => _id)),
    );
    const mail = shown.find(({ channel }) => channel === 'email')!;
    const { html } = await clarion.callOk<OutboxMessageDto>('GET', `/v1/outbox/${mail._id}`);
    expect(html).toContain('<p>Order 7</p>');
    expect(await (await fetch(mail.previewUrl)).text()).toBe(html);
    expect(clarion.provider.calls).toEqual([]);
  });

  it('stores the mask of a secret in the outbox', async () => {
    await clarion.callOk('POST', '/v1/environment-variables', {
      key: 'COUPON',
      isSecret: true,
      values: [{ _environmentId: clarion.environmentId, value: 'hush-hush-4711' }],
    });
    const body = 'Code {{ env.COUPON | upcase }}';
    await clarion.workflow('coupon', [
      { type: 'email', controlValues: { subject: body, body, from: { email: 'a@x.test', name: '{{ env.COUPON }}' } } },
      { type: 'sms', controlValues: { body } },
      { type: 'chat', controlValues: { body } },
    ]);
    const { transactionId } = await clarion.run('coupon', ADA);
    const shown = await outbox(`&transactionId=${transactionId}`);
    expect(shown).toHaveLength(3);
    expect(JSON.stringify(shown)).not.toMatch(/hush/i);
    for (const { text } of shown) expect(text).toContain('Code ••••••••');
  });

  it('stores 100 messages in the outbox with at most 20 statements', async () => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      name: 'mail',
      to: { subscriberId: `s${index}`, email: `s${index}@x.test` },
    }));
    // The worker starts when all steps are queued: a slow engine must not make its batches small.
    await clarion.stop('email');
    const statements = watchStatements(clarion.resources.database.dataSource);
    try {
      await clarion.callOk('POST', '/v1/events/trigger/bulk', { events });
      const queued = async () => (await clarion.database.query(`SELECT 1 FROM work WHERE type = 'email'`)).length;
      await until(async () => (await queued()) === EVENTS);
      await clarion.start('email');
      await until(async () => (await outbox()).length === EVENTS);
    } finally {
      const inserts = statements().filter((text) => text.includes('INSERT INTO outbox'));
      expect(inserts.length).toBeGreaterThan(0);
      expect(inserts.length).toBeLessThanOrEqual(MAX_INSERTS);
    }
  });

  it('fails an email step when the demo provider is inactive', async () => {
    const [demo] = (await clarion.callOk<{ _id: string; providerId: string }[]>('GET', '/v1/integrations')).filter(
      ({ providerId }) => providerId === 'platform-email',
    );
    await clarion.callOk('PUT', `/v1/integrations/${demo!._id}`, { active: false });
    try {
      expect(historyOf(await clarion.run('mail', ADA))).toEqual([
        ['email failed', 'Pending: Step queued', 'Failed: Subscriber does not have an active integration'],
      ]);
    } finally {
      await clarion.callOk('PUT', `/v1/integrations/${demo!._id}`, { active: true });
    }
    expect(historyOf(await clarion.run('mail', ADA))).toEqual([['email completed', ...record('Clarion Email')]]);
  });

  describe('environment with a provider account', () => {
    let demo: string;

    beforeAll(async () => {
      expect(await clarion.integration('sendgrid', 'email')).toMatchObject({ primary: true, priority: 1 });
      const list = await clarion.callOk<{ identifier: string; providerId: string }[]>('GET', '/v1/integrations');
      demo = list.find(({ providerId }) => providerId === 'platform-email')!.identifier;
    });
    beforeEach(() => clarion.provider.reset());

    it('sends through the provider account and leaves the outbox empty', async () => {
      expect(historyOf(await clarion.run('mail', ADA))).toEqual([['email completed', ...record('SendGrid')]]);
      expect(clarion.provider.calls).toHaveLength(1);
      expect(await outbox()).toEqual([]);
    });

    it('does not fall back to the outbox when the provider account fails', async () => {
      clarion.provider.always('/v3/mail/send', { status: 400 });
      const [notification] = await clarion.activity(await clarion.trigger('mail', ADA), allEnded());
      expect(historyOf(notification!)[0]!.at(0)).toBe('email failed');
      expect(await outbox()).toEqual([]);
    });

    it('delivers into the outbox when the trigger names the demo provider', async () => {
      const overrides = { email: { integrationIdentifier: demo } };
      expect(historyOf(await clarion.run('mail', ADA, { overrides }))).toEqual([
        ['email completed', ...record('Clarion Email')],
      ]);
      expect(clarion.provider.calls).toEqual([]);
      expect(await outbox()).toHaveLength(1);
    });
  });
});
