import { generateKeyPairSync } from 'node:crypto';
import type { MessageDto } from '@clarion/contracts';
import { until, watchStatements } from '@clarion/testing';
import { type Clarion, historyOf, startClarion } from './harness';

type Mail = {
  personalizations: { to: { email: string }[] }[];
  from: { email: string; name?: string };
  subject: string;
  content: { type: string; value: string }[];
  attachments?: { content: string; filename: string; type: string }[];
};

describe('channel steps', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion();
    await clarion.integration('sendgrid', 'email');
    await clarion.integration('twilio', 'sms');
    await clarion.integration('slack', 'chat');
    await clarion.integration('discord', 'chat');
    await clarion.integration('expo', 'push');
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  const bodies = <T>(path: string): T[] =>
    clarion.provider.calls.filter((call) => call.path.startsWith(path)).map(({ body }) => JSON.parse(body) as T);
  const connect = (subscriberId: string, providerId: string, credentials: object) =>
    clarion.callOk('PUT', `/v1/subscribers/${subscriberId}/credentials`, { providerId, credentials });
  const html = (mail: Mail): string => mail.content.find(({ type }) => type === 'text/html')!.value;

  describe('in-app step', () => {
    it('stores a sanitised in-app message with its call to action, data and avatar', async () => {
      await clarion.workflow('welcome', [
        {
          type: 'in_app',
          controlValues: {
            subject: 'Hello {{subscriber.firstName}}',
            body: '<b>Order {{payload.order}}</b><script>alert(1)</script>',
            avatar: 'https://cdn.test/a.png',
            redirect: { url: 'https://shop.test/{{payload.order}}', target: '_blank' },
            primaryAction: { label: 'Open', redirect: { url: '/open' } },
            secondaryAction: { label: 'Later' },
            data: { order: '{{payload.order}}' },
          },
        },
      ]);
      const notification = await clarion.run(
        'welcome',
        { subscriberId: 'ann', firstName: 'Ann' },
        { payload: { order: '7' }, actor: { subscriberId: 'bob', avatar: 'https://cdn.test/bob.png' } },
      );
      expect(historyOf(notification)).toEqual([
        ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
      ]);
      const [message, ...others] = await clarion.messages(notification.transactionId);
      expect(others).toEqual([]);
      expect(message).toMatchObject({
        channel: 'in_app',
        status: 'sent',
        subject: 'Hello Ann',
        content: '<b>Order 7</b>',
        seen: false,
        read: false,
        deliveredAt: [expect.any(String)],
        cta: {
          type: 'redirect',
          data: { url: 'https://shop.test/7', target: '_blank' },
          action: {
            status: 'pending',
            buttons: [
              { type: 'primary', content: 'Open', url: '/open' },
              { type: 'secondary', content: 'Later' },
            ],
          },
        },
      });
      const feed = await clarion.callOk<{ data: object[] }>('GET', '/v1/subscribers/ann/notifications/feed');
      expect(feed.data).toMatchObject([
        { data: { order: '7' }, actor: { type: 'system_custom', data: 'https://cdn.test/a.png' } },
      ]);
    });

    it('fails an in-app step without an active in-app integration', async () => {
      const list = await clarion.callOk<{ _id: string; channel: string }[]>('GET', '/v1/integrations');
      const { _id } = list.find(({ channel }) => channel === 'in_app')!;
      await clarion.callOk('PUT', `/v1/integrations/${_id}`, { active: false });
      try {
        const notification = await clarion.run('welcome', 'ann', { payload: { order: '8' } });
        expect(historyOf(notification)).toEqual([
          ['in_app failed', 'Pending: Step queued', 'Failed: Subscriber does not have an active integration'],
        ]);
        expect(await clarion.messages(notification.transactionId)).toEqual([]);
      } finally {
        await clarion.callOk('PUT', `/v1/integrations/${_id}`, { active: true });
      }
    });
  });

  describe('email step', () => {
    const SENT = [
      'Pending: Step queued',
      'Pending: SendGrid provider was selected',
      'Pending: Message created',
      'Success: Message sent',
    ];

    it('sends an email as HTML with a preheader and a text part', async () => {
      await clarion.workflow('mail', [
        {
          type: 'email',
          controlValues: {
            subject: 'Hi {{payload.name}}',
            body: '<html><body><p>Dear {{payload.name}}, <a href="https://a.test">see</a></p></body></html>',
            preheader: 'Soon {{payload.name}}',
          },
        },
      ]);
      const notification = await clarion.run(
        'mail',
        { subscriberId: 'ann', email: 'ann@x.test' },
        { payload: { name: 'A&B' } },
      );
      expect(historyOf(notification)).toEqual([['email completed', ...SENT]]);
      const [mail] = bodies<Mail>('/v3/mail/send');
      expect(mail).toMatchObject({
        personalizations: [{ to: [{ email: 'ann@x.test' }] }],
        from: { email: 'hello@clarion.test', name: 'Clarion' },
        subject: 'Hi A&B',
      });
      expect(html(mail!)).toMatch(/<body[^>]*><span style="display:none[^>]*>Soon A&amp;B<\/span>/);
      expect(mail!.content.find(({ type }) => type === 'text/plain')!.value).toContain('https://a.test');
      expect(await clarion.messages(notification.transactionId)).toMatchObject([
        { status: 'sent', channel: 'email', email: 'ann@x.test', subject: 'Hi A&B', providerId: 'sendgrid' },
      ]);
      expect(notification.jobs![0]!.providerId).toBe('sendgrid');
    });

    it('sends an email made of blocks and stores the blocks', async () => {
      const body = [
        { type: 'text', content: 'Dear {{payload.name}}' },
        { type: 'button', content: 'Go', url: 'https://a.test/go' },
      ];
      await clarion.workflow('blocks', [
        { type: 'email', controlValues: { subject: 'S', body: JSON.stringify(body) } },
      ]);
      const notification = await clarion.run('blocks', 'ann', { payload: { name: '<Ann>' } });
      expect(historyOf(notification)).toEqual([['email completed', ...SENT]]);
      expect(html(bodies<Mail>('/v3/mail/send')[0]!)).toContain('Dear &lt;Ann&gt;');
      expect((await clarion.messages(notification.transactionId))[0]!.content).toEqual([
        { type: 'text', content: 'Dear <Ann>' },
        { type: 'button', content: 'Go', url: 'https://a.test/go' },
      ]);
    });

    it('sends the attachments of the payload and does not store them with the notification', async () => {
      const attachments = [
        { name: 'one.txt', mime: 'text/plain', file: Buffer.from('one').toString('base64') },
        { name: 'two.bin', mime: 'application/octet-stream', file: Buffer.from([0, 255, 1]).toString('base64') },
      ];
      const notification = await clarion.run('mail', 'ann', { payload: { name: 'A', attachments } });
      expect(historyOf(notification)).toEqual([['email completed', ...SENT]]);
      expect(bodies<Mail>('/v3/mail/send')[0]!.attachments).toMatchObject([
        { filename: 'one.txt', type: 'text/plain', content: attachments[0]!.file },
        { filename: 'two.bin', type: 'application/octet-stream', content: attachments[1]!.file },
      ]);
      expect(JSON.stringify(notification.payload)).not.toContain(attachments[1]!.file);
    });

    it('renders an email in the layout of the trigger, the step or the environment', async () => {
      await clarion.callOk('POST', '/v2/layouts', { layoutId: 'plain', name: 'Plain' });
      await clarion.callOk('POST', '/v2/layouts', { layoutId: 'framed', name: 'Framed' });
      for (const layoutId of ['plain', 'framed']) {
        await clarion.callOk('PUT', `/v2/layouts/${layoutId}`, {
          name: layoutId,
          controlValues: { email: { body: `<h1>${layoutId}</h1>{{content}}`, editorType: 'html' } },
        });
      }
      const framed = ['email completed', SENT[0], 'Pending: Layout selected', ...SENT.slice(1)];
      await clarion.workflow('laid-out', [
        { type: 'email', stepId: 'note', controlValues: { subject: 'S', body: '<p>Body</p>', layoutId: 'framed' } },
      ]);
      const cases: [string, object | undefined, string | undefined][] = [
        ['mail', undefined, 'plain'],
        ['laid-out', undefined, 'framed'],
        ['laid-out', { steps: { note: { layoutId: 'plain' } } }, 'plain'],
        ['laid-out', { channels: { email: { layoutId: 'plain' } } }, 'plain'],
        ['laid-out', { layoutIdentifier: 'plain' }, 'plain'],
        ['laid-out', { layoutIdentifier: null }, undefined],
      ];
      for (const [name, overrides, layout] of cases) {
        clarion.provider.reset();
        const notification = await clarion.run(name, 'ann', {
          payload: { name: 'A' },
          ...(overrides && { overrides }),
        });
        expect(historyOf(notification)).toEqual([layout ? framed : ['email completed', ...SENT]]);
        const [mail] = bodies<Mail>('/v3/mail/send');
        expect(/<h1>(\w+)<\/h1>/.exec(html(mail!))?.[1]).toBe(layout);
      }
      const unknown = await clarion.run('laid-out', 'ann', { overrides: { layoutIdentifier: 'nowhere' } });
      expect(historyOf(unknown)).toEqual([['email failed', 'Pending: Step queued', 'Failed: Layout not found ']]);
      expect(unknown.jobs![0]!.executionDetails[1]!.raw).toContain('nowhere');
      await clarion.callOk('PUT', '/v2/workflows/laid-out', {
        name: 'laid-out',
        active: true,
        steps: [],
      });
      await clarion.call('DELETE', '/v2/layouts/framed');
      await clarion.call('DELETE', '/v2/layouts/plain');
    });

    it('applies email overrides of the trigger, the most specific one last', async () => {
      await clarion.workflow('overridden', [
        { type: 'email', stepId: 'note', controlValues: { subject: 'S', body: '<p>B</p>' } },
      ]);
      const notification = await clarion.run('overridden', 'ann', {
        overrides: {
          email: { subject: 'of the channel', senderName: 'of the channel', cc: ['cc@x.test'], to: ['more@x.test'] },
          sendgrid: { subject: 'of the provider', replyTo: 'reply@x.test' },
          providers: { sendgrid: { subject: 'of the providers', from: 'from@x.test' } },
          steps: { note: { providers: { sendgrid: { subject: 'of the step', ipPoolName: 'pool' } } } },
        },
      });
      const sent = notification.jobs![0]!.executionDetails.map(({ detail }) => detail);
      expect(sent.at(-1)).toBe('Message sent');
      expect(bodies('/v3/mail/send')).toMatchObject([
        {
          personalizations: [{ to: [{ email: 'ann@x.test' }, { email: 'more@x.test' }], cc: [{ email: 'cc@x.test' }] }],
          subject: 'of the step',
          from: { email: 'from@x.test', name: 'of the channel' },
          reply_to: { email: 'reply@x.test' },
          ip_pool_name: 'pool',
        },
      ]);
      expect((await clarion.messages(notification.transactionId))[0]!.subject).toBe('of the step');
    });

    it('sends an email to the overridden address instead of that of the subscriber', async () => {
      const notification = await clarion.run('overridden', 'without-address', {
        overrides: { email: { toRecipient: 'other@x.test' } },
      });
      expect(notification.jobs![0]!.status).toBe('completed');
      expect(bodies('/v3/mail/send')).toMatchObject([{ personalizations: [{ to: [{ email: 'other@x.test' }] }] }]);
    });

    it('cancels an email step and stores a warning when the subscriber has no address', async () => {
      const notification = await clarion.run('overridden', 'without-email');
      expect(historyOf(notification)).toEqual([
        ['email canceled', 'Pending: Step queued', 'Failed: Subscriber missing email address'],
      ]);
      expect(await clarion.messages(notification.transactionId)).toMatchObject([
        {
          status: 'warning',
          errorId: 'mail_unexpected_error',
          errorText: 'Subscriber does not have an email address',
        },
      ]);
      expect(clarion.provider.calls).toEqual([]);
    });

    it('fails steps whose template does not compile or renders to nothing', async () => {
      await clarion.workflow('broken', [
        { type: 'email', stepId: 'broken', controlValues: { subject: 'S', body: '{% if payload.x %}' } },
        { type: 'sms', stepId: 'empty', controlValues: { body: '{{payload.nothing}}' } },
        { type: 'in_app', stepId: 'after', controlValues: { body: 'still here' } },
      ]);
      const notification = await clarion.run('broken', { subscriberId: 'cat', email: 'cat@x.test', phone: '+15551' });
      const failed = ['Pending: Step queued', 'Failed: Message content could not be generated'];
      expect(historyOf(notification)).toEqual([
        ['email failed', ...failed],
        ['sms failed', ...failed],
        ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
      ]);
      const [broken, empty] = notification.jobs!.map(({ executionDetails }) => executionDetails[1]!);
      expect(broken).toMatchObject({ source: 'Payload', raw: expect.stringContaining('body') as string });
      expect(JSON.parse(empty!.raw!)).toEqual({ path: 'body', message: 'is empty' });
      expect((await clarion.messages(notification.transactionId)).map(({ channel }) => channel)).toEqual(['in_app']);
    });
  });

  describe('SMS step', () => {
    it('sends an SMS and applies the overrides of the trigger', async () => {
      await clarion.workflow('text', [{ type: 'sms', controlValues: { body: 'Code {{payload.code}}' } }]);
      const notification = await clarion.run(
        'text',
        { subscriberId: 'sam', phone: '+15552' },
        { payload: { code: 12 } },
      );
      expect(historyOf(notification)).toEqual([
        [
          'sms completed',
          'Pending: Step queued',
          'Pending: Twilio provider was selected',
          'Pending: Message created',
          'Success: Message sent',
        ],
      ]);
      expect(await clarion.messages(notification.transactionId)).toMatchObject([
        { status: 'sent', channel: 'sms', phone: '+15552', content: 'Code 12', providerId: 'twilio' },
      ]);
      await clarion.run('text', 'sam', {
        payload: { code: 12 },
        overrides: { sms: { to: '+15553', from: '+15559', content: 'instead' } },
      });
      const forms = clarion.provider.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
      expect(forms).toMatchObject([
        { To: '+15552', From: '+15550000000', Body: 'Code 12' },
        { To: '+15553', From: '+15559', Body: 'instead' },
      ]);
    });

    it('cancels an SMS step and stores a warning when the subscriber has no phone number', async () => {
      const notification = await clarion.run('text', 'without-phone', { payload: { code: 1 } });
      expect(historyOf(notification)).toEqual([
        ['sms canceled', 'Pending: Step queued', 'Failed: Subscriber missing phone number'],
      ]);
      expect(await clarion.messages(notification.transactionId)).toMatchObject([
        { status: 'warning', errorId: 'no_subscriber_phone' },
      ]);
    });
  });

  describe('chat step', () => {
    const hook = (path: string): string => clarion.provider.url + path;
    const sent = (provider: string): string[] => [
      `Pending: ${provider} provider was selected`,
      'Pending: Message created',
      'Success: Message sent',
    ];

    beforeAll(() => clarion.workflow('chat', [{ type: 'chat', controlValues: { body: 'Hi {{payload.name}}' } }]));

    it('sends a chat message to the webhook of the subscriber', async () => {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'one-hook' });
      await connect('one-hook', 'slack', { webhookUrl: hook('/services/one') });
      const notification = await clarion.run('chat', 'one-hook', { payload: { name: 'A' } });
      expect(historyOf(notification)).toEqual([['chat completed', 'Pending: Step queued', ...sent('Slack')]]);
      expect(bodies('/services/one')).toEqual([{ text: 'Hi A' }]);
      const [message] = await clarion.messages(notification.transactionId);
      expect(message).toMatchObject({ status: 'sent', channel: 'chat', providerId: 'slack', content: 'Hi A' });
      expect(message!.directWebhookUrl).toBe(hook('/services/one'));
    });

    it('completes a chat step when one of several webhooks accepts the message', async () => {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'two-hooks' });
      await connect('two-hooks', 'slack', { webhookUrl: hook('/services/gone') });
      await connect('two-hooks', 'discord', { webhookUrl: hook('/api/webhooks/ok') });
      clarion.provider.always('/services/gone', { status: 404, text: 'no_service' });
      const notification = await clarion.run('chat', 'two-hooks', { payload: { name: 'A' } });
      // The messages are sent at the same time, and each detail has its own.
      const [state, queued, ...history] = historyOf(notification)[0]!;
      expect([state, queued]).toEqual(['chat completed', 'Pending: Step queued']);
      expect(history.toSorted()).toEqual(
        [...sent('Slack').slice(0, 2), 'Failed: Unexpected provider error', ...sent('Discord')].toSorted(),
      );
      const byStatus = (one: MessageDto, other: MessageDto) => one.status.localeCompare(other.status);
      expect((await clarion.messages(notification.transactionId)).sort(byStatus)).toMatchObject([
        { status: 'error', providerId: 'slack', errorId: 'unexpected_chat_error' },
        { status: 'sent', providerId: 'discord' },
      ]);
    });

    it('lets the next step run while one of several webhooks is tried again', async () => {
      const next = { type: 'in_app' as const, controlValues: { body: 'next' } };
      await clarion.workflow('chat-then', [{ type: 'chat', controlValues: { body: 'Hi' } }, next]);
      clarion.provider.next('/services/gone', { status: 503, text: 'busy' });
      const transactionId = await clarion.trigger('chat-then', 'two-hooks');
      const statuses = (...wanted: string[]) =>
        clarion.activity(transactionId, ([one]) => one?.jobs?.map(({ status }) => status).join() === wanted.join());
      await statuses('queued', 'completed');
      await clarion.makeDue(transactionId);
      await statuses('completed', 'completed');
      expect(bodies('/api/webhooks/ok')).toHaveLength(1);
    });

    it('fails a chat step when no webhook accepts the message', async () => {
      clarion.provider.always(/./, { status: 404, text: 'no_service' });
      const notification = await clarion.run('chat', 'two-hooks', { payload: { name: 'A' } });
      const [history] = historyOf(notification);
      expect(history![0]).toBe('chat failed');
      expect(history!.at(-1)).toBe('Failed: All chat channels failed to send the message');
      expect((await clarion.messages(notification.transactionId)).map(({ status }) => status)).toEqual([
        'error',
        'error',
      ]);
    });

    it('cancels a chat step and stores a warning when the webhook is missing', async () => {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'no-hook' });
      await connect('no-hook', 'slack', { channel: '#general' });
      const notification = await clarion.run('chat', 'no-hook', { payload: { name: 'A' } });
      expect(historyOf(notification)).toEqual([
        [
          'chat canceled',
          'Pending: Step queued',
          'Failed: Webhook URL for the chat channel is missing',
          'Warning: Some chat channels skipped to send the message',
        ],
      ]);
      expect(await clarion.messages(notification.transactionId)).toMatchObject([
        { status: 'warning', errorId: 'no_subscriber_chat_channel_id' },
      ]);
    });

    it('stores a warning when a subscriber of WhatsApp has no phone number', async () => {
      const credentials = { apiToken: 't', phoneNumberIdentification: '1' };
      const { _id } = await clarion.integration('whatsapp-business', 'chat', { credentials });
      try {
        const notification = await clarion.run('chat', 'phoneless', { payload: { name: 'A' } });
        expect(historyOf(notification)[0]).toContain('Failed: Subscriber is missing a phone number');
        expect(await clarion.messages(notification.transactionId)).toMatchObject([
          { status: 'warning', providerId: 'whatsapp-business', errorId: 'no_subscriber_chat_phone_number' },
        ]);
      } finally {
        await clarion.callOk('DELETE', `/v1/integrations/${_id}`);
      }
    });

    it('sends nothing to the suppressed phone number of a channel endpoint', async () => {
      const credentials = { apiToken: 't', phoneNumberIdentification: '1' };
      const { _id, identifier } = await clarion.integration('whatsapp-business', 'chat', { credentials });
      try {
        await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'suppressed' });
        await clarion.callOk('POST', '/v1/channel-endpoints', {
          subscriberId: 'suppressed',
          integrationIdentifier: identifier,
          type: 'phone',
          endpoint: { phoneNumber: '+4520123456' },
        });
        await clarion.callOk('POST', '/v1/suppressions', { channel: 'chat', address: '+45 20 12 34 56' });
        const notification = await clarion.run('chat', 'suppressed', { payload: { name: 'A' } });
        expect(historyOf(notification)[0]).toContain('Failed: Recipient is suppressed');
        expect(await clarion.messages(notification.transactionId)).toMatchObject([
          { status: 'warning', errorId: 'recipient_suppressed' },
        ]);
      } finally {
        await clarion.callOk('DELETE', `/v1/integrations/${_id}`);
      }
    });

    it('cancels a chat step with a warning and without a message when the subscriber has no channel', async () => {
      const notification = await clarion.run('chat', 'no-chat', { payload: { name: 'A' } });
      expect(historyOf(notification)).toEqual([
        ['chat canceled', 'Pending: Step queued', 'Warning: Subscriber does not have a configured channel'],
      ]);
      expect(await clarion.messages(notification.transactionId)).toEqual([]);
      const inContext = await clarion.run('chat', 'no-chat', { payload: { name: 'A' }, context: { region: 'eu' } });
      expect(historyOf(inContext)[0]!.at(-1)).toBe(
        'Warning: Subscriber does not have a configured channel with the given context',
      );
    });

    it('sends a chat message to the webhook in the overrides of the trigger', async () => {
      const notification = await clarion.run('chat', 'no-chat', {
        payload: { name: 'A' },
        overrides: { providers: { slack: { webhookUrl: hook('/services/named'), content: 'instead' } } },
      });
      expect(historyOf(notification)).toEqual([['chat completed', 'Pending: Step queued', ...sent('Slack')]]);
      expect(bodies('/services/named')).toEqual([{ text: 'instead' }]);
      expect(await clarion.messages(notification.transactionId)).toMatchObject([{ content: 'instead' }]);
    });

    it('sends a chat message to the webhook in the payload only when the subscriber has a channel', async () => {
      await clarion.run('chat', 'one-hook', { payload: { name: 'A', webhookUrl: hook('/services/brought-along') } });
      await clarion.run('chat', 'no-chat', { payload: { name: 'A', webhookUrl: hook('/services/unused') } });
      expect(clarion.provider.calls.map(({ path }) => path)).toEqual(['/services/brought-along']);
    });

    it('stores and uses the channel credentials of a recipient', async () => {
      const channels = [{ providerId: 'slack', credentials: { webhookUrl: hook('/services/brought') } }];
      const notification = await clarion.run('chat', { subscriberId: 'bringer', channels }, { payload: { name: 'A' } });
      expect(historyOf(notification)).toEqual([['chat completed', 'Pending: Step queued', ...sent('Slack')]]);
      expect(bodies('/services/brought')).toEqual([{ text: 'Hi A' }]);
      const stored = await clarion.callOk<{ channels: object[] }>('GET', '/v2/subscribers/bringer');
      expect(stored.channels).toMatchObject([
        { providerId: 'slack', credentials: { webhookUrl: hook('/services/brought') } },
      ]);
      const unusable = await clarion.run(
        'chat',
        { subscriberId: 'bringer-2', channels: [{ providerId: 'zulip', credentials: { webhookUrl: hook('/z') } }] },
        { payload: { name: 'A' } },
      );
      expect(historyOf(unusable)[0]).toContain('Warning: Channel credentials of the recipient could not be stored');
    });

    const quiet = [{ type: 'in_app' as const, controlValues: { body: 'Hi' } }];
    const broughtBy = (subscriberId: string) => ({
      subscriberId,
      channels: ['slack', 'discord', 'zulip'].flatMap((providerId) =>
        [1, 2, 3].map((part) => ({ providerId, credentials: { webhookUrl: hook(`/${subscriberId}/${part}`) } })),
      ),
    });

    it('stores the channels of all recipients of an event with one statement', async () => {
      await clarion.workflow('quiet', quiet);
      const to = Array.from({ length: 50 }, (_, index) => broughtBy(`many-${index}`));
      const statements = watchStatements(clarion.resources.database.dataSource);
      const transactionId = await clarion.trigger('quiet', to);
      await until(async () => (await clarion.messages(transactionId)).length === to.length);
      const texts = statements();
      const count = (part: string) => texts.filter((text) => text.includes(part)).length;
      expect(count('INSERT INTO subscriber_channel')).toBe(1);
      expect(count('FROM integration\n          WHERE environment_id = $1 AND provider_id = ANY')).toBe(1);
      const { channels } = await clarion.callOk<{ channels: object[] }>('GET', '/v2/subscribers/many-7');
      const credentials = { webhookUrl: hook('/many-7/3') };
      expect(channels).toHaveLength(2);
      for (const providerId of ['slack', 'discord']) {
        expect(channels).toContainEqual(expect.objectContaining({ providerId, credentials }));
      }
      // Of each recipient, the three channels of the missing integration have the same fault.
      const warnings = () =>
        clarion.database.query(
          `SELECT 1 FROM execution_detail d JOIN notification n ON n.id = d.notification_id
             JOIN trigger t ON t.id = n.trigger_id
            WHERE t.transaction_id = $1 AND d.detail = 'Channel credentials of the recipient could not be stored'`,
          [transactionId],
        );
      await until(async () => (await warnings()).length === to.length);
    });

    it('runs other events while channels of recipients wait to be stored', async () => {
      await clarion.workflow('quiet', quiet);
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'locked' });
      const transactionIds: string[] = [];
      const runner = clarion.resources.database.dataSource.createQueryRunner();
      try {
        await runner.startTransaction();
        await runner.query(`SELECT 1 FROM subscriber WHERE subscriber_id = 'locked' FOR UPDATE`);
        const waiting = async () =>
          (
            await clarion.database.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
              AND wait_event_type = 'Lock' AND query LIKE '%ORDER BY subscriber_id FOR UPDATE'`)
          ).length;
        // More than the batches that an engine runs at a time.
        for (const count of [1, 2, 3]) {
          transactionIds.push(await clarion.trigger('quiet', broughtBy('locked')));
          await until(async () => (await waiting()) === count);
        }
        const { transactionId } = await clarion.run('quiet', 'free');
        expect(await clarion.messages(transactionId)).toHaveLength(1);
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
      for (const id of transactionIds) await until(async () => (await clarion.messages(id)).length === 1);
    });
  });

  describe('push step', () => {
    beforeAll(() =>
      clarion.workflow('push', [{ type: 'push', controlValues: { subject: 'T', body: 'Hi {{payload.name}}' } }]),
    );

    it('sends a push message to every device and removes a dead device token', async () => {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'devices' });
      await connect('devices', 'expo', { deviceTokens: ['ExponentPushToken[alive]', 'ExponentPushToken[dead]'] });
      clarion.provider.always(/push\/send/, ({ body }) => ({
        json: {
          data: (JSON.parse(body) as { to: string }[]).map(({ to }) =>
            to.includes('[dead]')
              ? { status: 'error', message: 'gone', details: { error: 'DeviceNotRegistered' } }
              : { status: 'ok', id: `ticket of ${to}` },
          ),
        },
      }));
      const notification = await clarion.run('push', 'devices', { payload: { name: 'A' } });
      const [history] = historyOf(notification);
      expect(history!.slice(0, 2)).toEqual(['push completed', 'Pending: Step queued']);
      expect(history!.slice(2).toSorted()).toEqual([
        'Failed: Unexpected provider error',
        'Pending: Expo Push provider was selected',
        'Pending: Expo Push provider was selected',
        'Pending: Message created',
        'Pending: Message created',
        'Success: Invalid push device token was removed from subscriber',
        'Success: Message sent',
      ]);
      const messages = await clarion.messages(notification.transactionId);
      expect(messages.map(({ status }) => status).sort()).toEqual(['error', 'sent']);
      const { channels } = await clarion.callOk<{ channels: { credentials: object }[] }>(
        'GET',
        '/v2/subscribers/devices',
      );
      expect(channels).toMatchObject([{ credentials: { deviceTokens: ['ExponentPushToken[alive]'] } }]);
      const again = await clarion.run('push', 'devices', { payload: { name: 'B' } });
      expect(again.jobs![0]!.executionDetails).toHaveLength(4);
    });

    it('sends a push message once to the FCM topic of the trigger, with and without devices', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const serviceAccount = JSON.stringify({
        project_id: 'p',
        client_email: 'a@p.example',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      });
      const { _id } = await clarion.integration('fcm', 'push', { credentials: { serviceAccount } });
      try {
        await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'reader' });
        await connect('reader', 'fcm', { deviceTokens: ['one', 'two'] });
        for (const subscriberId of ['reader', 'no-devices']) {
          clarion.provider.reset();
          const overrides = { providers: { fcm: { topic: 'news' } } };
          const notification = await clarion.run('push', subscriberId, { payload: { name: 'A' }, overrides });
          expect(notification.jobs![0]!.status).toBe('completed');
          expect(bodies('/v1/projects/p/messages:send')).toEqual([
            { message: { topic: 'news', notification: { title: 'T', body: 'Hi A' } } },
          ]);
          const [message] = await clarion.messages(notification.transactionId);
          expect(message).not.toHaveProperty('deviceTokens');
        }
      } finally {
        await clarion.callOk('DELETE', `/v1/integrations/${_id}`);
      }
    });

    it('fails a push step when no device accepts the message', async () => {
      clarion.provider.always(/push\/send/, {
        json: { data: [{ status: 'error', message: 'too big', details: { error: 'MessageTooBig' } }] },
      });
      const notification = await clarion.run('push', 'devices', { payload: { name: 'A' } });
      expect(historyOf(notification)).toEqual([
        [
          'push failed',
          'Pending: Step queued',
          'Pending: Expo Push provider was selected',
          'Pending: Message created',
          'Failed: Unexpected provider error',
          'Failed: There was one or more errors when trying to execute the notification',
        ],
      ]);
    });

    it('cancels a push step with a warning when the subscriber has no device or no channel', async () => {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'no-device' });
      await connect('no-device', 'expo', { deviceTokens: [] });
      const noDevice = await clarion.run('push', 'no-device', { payload: { name: 'A' } });
      expect(historyOf(noDevice)).toEqual([
        [
          'push canceled',
          'Pending: Step queued',
          'Failed: Subscriber credentials is missing the tokens for sending a push notification message',
          'Warning: Some push channels skipped to send the message',
        ],
      ]);
      const noChannel = await clarion.run('push', 'no-push', { payload: { name: 'A' } });
      expect(historyOf(noChannel)).toEqual([
        ['push canceled', 'Pending: Step queued', 'Warning: Subscriber does not have a configured channel'],
      ]);
      expect(await clarion.messages(noDevice.transactionId)).toEqual([]);
    });
  });
});
