import type { OutboxListDto, OutboxMessageDto, TriggerResultDto } from '@clarion/contracts';
import { watchStatements } from '@clarion/testing';
import { allEnded, type Clarion, eventually, startClarion, storyOf } from './harness';

const EVENTS = 100;
/** Far below one for each message, and far above what it takes when the machine is not busy. */
const PUTS = 20;

describe('an environment without any account', () => {
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
  afterEach(() => clarion.must('DELETE', '/v1/outbox'));
  afterAll(() => clarion.close());

  const ADA = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@x.test', phone: '+15550001111' };
  const outbox = async (query = ''): Promise<OutboxMessageDto[]> =>
    (await clarion.must<OutboxListDto>('GET', `/v1/outbox?limit=100${query}`)).data;
  const record = (provider: string): string[] => [
    'Pending: Step queued',
    `Pending: ${provider} provider was selected`,
    'Pending: Message created',
    'Success: Message sent',
  ];

  it('delivers email, text and chat messages into the outbox, as the dry run says', async () => {
    const event = { name: 'welcome', to: ADA, payload: { order: 7 } };
    const { dryRun } = await clarion.must<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=true', event);
    expect(await outbox()).toEqual([]);
    const notification = await clarion.run('welcome', ADA, { payload: { order: 7 } });
    const story = storyOf(notification);
    expect(story).toEqual([
      ['email completed', ...record('Clarion Email')],
      ['sms completed', ...record('Clarion SMS')],
      ['chat completed', ...record('Clarion Slack')],
    ]);
    const told = dryRun!.recipients[0]!.steps.map(({ details }) =>
      details.map(({ status, detail }) => `${status}: ${detail}`),
    );
    expect(told).toEqual(story.map(([, ...lines]) => lines));

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
    const { html } = await clarion.must<OutboxMessageDto>('GET', `/v1/outbox/${mail._id}`);
    expect(html).toContain('<p>Order 7</p>');
    expect(await (await fetch(mail.previewUrl)).text()).toBe(html);
    expect(clarion.provider.calls).toEqual([]);
  });

  it(`puts many messages in with few statements`, async () => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      name: 'mail',
      to: { subscriberId: `s${index}`, email: `s${index}@x.test` },
    }));
    const statements = watchStatements(clarion.resources.database.dataSource);
    try {
      await clarion.must('POST', '/v1/events/trigger/bulk', { events });
      expect(await eventually(async () => (await outbox()).length === EVENTS)).toBe(true);
    } finally {
      const puts = statements().filter((text) => text.includes('INSERT INTO outbox'));
      expect(puts.length).toBeGreaterThan(0);
      expect(puts.length).toBeLessThanOrEqual(PUTS);
    }
  });

  it('fails as before where the demo provider is switched off', async () => {
    const [demo] = (await clarion.must<{ _id: string; providerId: string }[]>('GET', '/v1/integrations')).filter(
      ({ providerId }) => providerId === 'platform-email',
    );
    await clarion.must('PUT', `/v1/integrations/${demo!._id}`, { active: false });
    try {
      expect(storyOf(await clarion.run('mail', ADA))).toEqual([
        ['email failed', 'Pending: Step queued', 'Failed: Subscriber does not have an active integration'],
      ]);
    } finally {
      await clarion.must('PUT', `/v1/integrations/${demo!._id}`, { active: true });
    }
    expect(storyOf(await clarion.run('mail', ADA))).toEqual([['email completed', ...record('Clarion Email')]]);
  });

  describe('once it has one', () => {
    let demo: string;

    beforeAll(async () => {
      expect(await clarion.integration('sendgrid', 'email')).toMatchObject({ primary: true, priority: 1 });
      const list = await clarion.must<{ identifier: string; providerId: string }[]>('GET', '/v1/integrations');
      demo = list.find(({ providerId }) => providerId === 'platform-email')!.identifier;
    });
    beforeEach(() => clarion.provider.reset());

    it('delivers through it, and the outbox stays empty', async () => {
      expect(storyOf(await clarion.run('mail', ADA))).toEqual([['email completed', ...record('SendGrid')]]);
      expect(clarion.provider.calls).toHaveLength(1);
      expect(await outbox()).toEqual([]);
    });

    it('does not turn its failure into a success in the outbox', async () => {
      clarion.provider.always('/v3/mail/send', { status: 401 });
      const [notification] = await clarion.activity(await clarion.trigger('mail', ADA), allEnded());
      expect(storyOf(notification!)[0]!.at(0)).toBe('email failed');
      expect(await outbox()).toEqual([]);
    });

    it('still shows a message that asks for it', async () => {
      const overrides = { email: { integrationIdentifier: demo } };
      expect(storyOf(await clarion.run('mail', ADA, { overrides }))).toEqual([
        ['email completed', ...record('Clarion Email')],
      ]);
      expect(clarion.provider.calls).toEqual([]);
      expect(await outbox()).toHaveLength(1);
    });
  });
});
