import type {
  AuditLogListDto,
  EnvironmentDto,
  MessageDto,
  NotificationDto,
  OutboxListDto,
  OutboxMessageDto,
  TriggerResultDto,
} from '@clarion/contracts';
import { type Clarion, historyOf, startClarion } from './harness';

const STORED = 'Success: Sandbox: the message was put into the outbox, no provider was called';
const TOKEN = 'ExponentPushToken[abcdefghijkl]';
const ADA = { subscriberId: 'ada', email: 'ada@x.test', phone: '+15550001111' };
const EMAIL = { type: 'email', controlValues: { subject: 'Hello', body: '<p>Hi</p>' } } as const;
const SMS = { type: 'sms', controlValues: { body: 'Hi' } } as const;
const CHAT = { type: 'chat', controlValues: { body: 'Hi chat' } } as const;
const PUSH = { type: 'push', controlValues: { subject: 'Title', body: 'Hi push' } } as const;

describe('environment of the kind sandbox', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion();
    await set({ kind: 'sandbox' });
    await clarion.workflow('all', [{ type: 'in_app', controlValues: { body: 'Hi' } }, EMAIL, SMS, CHAT, PUSH]);
    await clarion.workflow('mail', [EMAIL, SMS]);
  });
  beforeEach(() => clarion.provider.reset());
  afterEach(() => clarion.callOk('DELETE', '/v1/outbox'));
  afterAll(() => clarion.close());

  const set = (changes: object): Promise<EnvironmentDto> =>
    clarion.callOk('PUT', `/v1/environments/${clarion.environmentId}`, changes);
  const outbox = async (): Promise<OutboxMessageDto[]> =>
    (await clarion.callOk<OutboxListDto>('GET', '/v1/outbox?limit=100')).data.toReversed();
  const lastLines = (notification: NotificationDto): string[] => historyOf(notification).map((lines) => lines.at(-1)!);

  it('puts the messages of all channels into the outbox without any integration, as the dry run predicts', async () => {
    const event = { name: 'all', to: ADA };
    const { dryRun } = await clarion.callOk<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=true', event);
    const notification = await clarion.run('all', ADA);
    expect(lastLines(notification)).toEqual(['Success: Message sent', STORED, STORED, STORED, STORED]);
    const predicted = dryRun!.recipients[0]!.steps.map(({ details }) =>
      details.map(({ status, detail }) => `${status}: ${detail}`),
    );
    expect(predicted).toEqual(historyOf(notification).map(([, ...lines]) => lines));
    expect((await outbox()).map(({ channel, to }) => [channel, to])).toEqual([
      ['email', ['ada@x.test']],
      ['sms', ['+15550001111']],
      ['chat', []],
      ['push', []],
    ]);
    expect(clarion.provider.calls).toEqual([]);
  });

  it('calls no provider of a real integration that the trigger or the subscriber names', async () => {
    const integrations = {
      sendgrid: await clarion.integration('sendgrid', 'email'),
      resend: await clarion.integration('resend', 'email'),
      twilio: await clarion.integration('twilio', 'sms'),
      slack: await clarion.integration('slack', 'chat'),
      expo: await clarion.integration('expo', 'push'),
    };
    const credentials = (providerId: string, credentials: object): Promise<unknown> =>
      clarion.callOk('PUT', `/v1/subscribers/${ADA.subscriberId}/credentials`, { providerId, credentials });
    await credentials('slack', { webhookUrl: `${clarion.provider.url}/hook` });
    await credentials('expo', { deviceTokens: [TOKEN] });
    const overrides = {
      email: { integrationIdentifier: integrations.resend.identifier, cc: ['cc@x.test'] },
      sms: { to: '+15559999999' },
      slack: { webhookUrl: `${clarion.provider.url}/other` },
      expo: { deviceTokens: ['ExponentPushToken[other-device]'] },
    };
    const notification = await clarion.run('all', ADA, { overrides });
    expect(lastLines(notification).slice(1)).toEqual([STORED, STORED, STORED, STORED]);
    const plain = await clarion.run('all', ADA);
    expect(lastLines(plain).slice(1)).toEqual([STORED, STORED, STORED, STORED]);
    expect(clarion.provider.calls).toEqual([]);

    const stored = await outbox();
    expect(stored.slice(0, 4)).toMatchObject([
      { providerId: 'resend', to: ['ada@x.test'], more: { cc: ['cc@x.test'] } },
      { providerId: 'twilio', to: ['+15559999999'] },
      { providerId: 'slack', text: 'Hi chat' },
      { providerId: 'expo', subject: 'Title', text: 'Hi push', to: ['…ice]'] },
    ]);
    expect(stored).toHaveLength(8);
    expect(JSON.stringify(stored)).not.toContain(TOKEN);
    expect(JSON.stringify(stored)).not.toContain(clarion.provider.url);
  });

  it('needs no readable credentials and no closed circuit breaker of a provider that is not called', async () => {
    const before = await clarion.database.query<{ id: string; credentials: object }>(
      `SELECT id, credentials FROM integration WHERE environment_id = $1 AND channel IN ('email', 'sms')`,
      [clarion.environmentId],
    );
    await clarion.database.query(
      `UPDATE integration SET updated_at = now(), health = $1,
              credentials = (SELECT jsonb_object_agg(key, 'v1.other.AAAA') FROM jsonb_each(credentials))
        WHERE environment_id = $2 AND channel IN ('email', 'sms')`,
      [{ state: 'open', since: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' }, clarion.environmentId],
    );
    const event = { name: 'mail', to: ADA };
    const { dryRun } = await clarion.callOk<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=true', event);
    const notification = await clarion.run('mail', ADA);
    expect(lastLines(notification)).toEqual([STORED, STORED]);
    expect(dryRun!.recipients[0]!.steps.map(({ details }) => details.at(-1)!.detail)).toEqual(
      [STORED, STORED].map((line) => line.replace('Success: ', '')),
    );
    expect(clarion.provider.calls).toEqual([]);
    for (const { id, credentials } of before) {
      await clarion.database.query(
        `UPDATE integration SET updated_at = now(), health = NULL, credentials = $2 WHERE id = $1`,
        [id, credentials],
      );
    }
  });

  it('redirects emails and text messages to one address and nothing else', async () => {
    const changed = await set({ sandboxRedirect: { email: 'QA@x.test', phone: '+15550009999' } });
    expect(changed.sandboxRedirect).toEqual({ email: 'qa@x.test', phone: '+15550009999' });
    const overrides = {
      email: {
        to: ['other@x.test'],
        cc: ['cc@x.test'],
        bcc: ['bcc@x.test'],
        replyTo: 'reply@x.test',
        headers: { Bcc: 'header@x.test' },
        customData: { to: 'custom@x.test' },
      },
      sendgrid: { _passthrough: { body: { personalizations: [{ to: [{ email: 'raw@x.test' }] }] } } },
      twilio: { _passthrough: { body: { To: '+15557777777' } } },
    };
    const notification = await clarion.run('all', ADA, { overrides });
    expect(lastLines(notification).slice(1)).toEqual([
      'Success: Message sent',
      'Success: Message sent',
      STORED,
      STORED,
    ]);
    const [, email, sms] = historyOf(notification);
    expect(email).toContain('Warning: Sandbox: the message was redirected to qa@x.test');
    expect(sms).toContain('Warning: Sandbox: the message was redirected to +15550009999');
    const detail = notification.jobs![1]!.executionDetails.find(({ detail }) => detail.startsWith('Sandbox'));
    expect(JSON.parse(detail!.raw!)).toEqual({
      intended: ['ada@x.test', 'other@x.test', 'cc@x.test', 'bcc@x.test'],
    });

    const { calls } = clarion.provider;
    expect(calls).toHaveLength(2);
    const sent = decodeURIComponent(calls.map(({ body }) => String(body)).join('\n'));
    expect(sent).toContain('qa@x.test');
    expect(sent).toContain('[to ada@x.test, other@x.test, cc@x.test, bcc@x.test] Hello');
    for (const other of ['reply@', 'header@', 'custom@', 'raw@', '+15557777777']) expect(sent).not.toContain(other);
    const [mail] = calls.map(({ body }) => String(body)).filter((body) => body.includes('qa@x.test'));
    expect(JSON.parse(mail!)).toMatchObject({ personalizations: [{ to: [{ email: 'qa@x.test' }] }] });
    const messages = await clarion.callOk<{ data: MessageDto[] }>(
      'GET',
      `/v1/messages?transactionId=${notification.transactionId}&channel=email`,
    );
    // The record names the intended recipient.
    expect(messages.data).toMatchObject([{ email: 'ada@x.test', status: 'sent' }]);
    expect((await outbox()).map(({ channel }) => channel)).toEqual(['chat', 'push']);
  });

  it('records the changes, and forgets the redirect when the environment is no sandbox any more', async () => {
    expect(await set({ kind: 'development' })).toMatchObject({ kind: 'development', sandboxRedirect: null });
    const { data } = await clarion.callOk<AuditLogListDto>('GET', '/v1/audit-log?action=environment.updated');
    expect(data.map(({ before, after }) => ({ before, after }))).toEqual([
      {
        before: { kind: 'sandbox', sandboxEmail: 'qa@x.test', sandboxPhone: '+15550009999' },
        after: { kind: 'development' },
      },
      { before: {}, after: { sandboxEmail: 'qa@x.test', sandboxPhone: '+15550009999' } },
      { before: { kind: 'development' }, after: { kind: 'sandbox' } },
    ]);
    const refused = { sandboxRedirect: { email: 'qa@x.test' } };
    for (const [body, field] of [
      [refused, 'sandboxRedirect'],
      [{ kind: 'sandbox', sandboxRedirect: { email: 'no address' } }, 'sandboxRedirect.email'],
      [{ kind: 'sandbox', sandboxRedirect: { phone: '12' } }, 'sandboxRedirect.phone'],
    ] as const) {
      const answer = await clarion.call('PUT', `/v1/environments/${clarion.environmentId}`, body);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).toContain(field);
    }
    const created = { name: 'Test', kind: 'sandbox', sandboxRedirect: { phone: '+15550009999' } };
    expect(await clarion.callOk('POST', '/v1/environments', created)).toMatchObject({
      sandboxRedirect: { email: null, phone: '+15550009999' },
    });
    expect(await clarion.call('POST', '/v1/environments', { name: 'Prod', ...refused })).toMatchObject({ status: 422 });
  });
});
