import { createHmac } from 'node:crypto';
import {
  type InboundEventDto,
  type IntegrationDto,
  newId,
  type NotificationDto,
  type SuppressionListDto,
} from '@clarion/contracts';
import { type Clarion, historyOf, startOwnClarion } from './harness';

const SIGNING_KEY = 'a key of some length';
const CONFIGURATIONS = { inboundWebhookEnabled: true, inboundWebhookSigningKey: SIGNING_KEY };

/** From the webhook of a provider to the effect on later messages. */
describe('delivery events', () => {
  let clarion: Clarion;
  let mail: IntegrationDto;

  beforeAll(async () => {
    clarion = await startOwnClarion({
      roles: ['engine', 'email', 'sms'],
      environment: { CLARION_PUBLIC_URL: 'https://public.example/clarion/' },
    });
    mail = await clarion.integration('resend', 'email', { configurations: CONFIGURATIONS });
    await clarion.integration('twilio', 'sms', { configurations: { inboundWebhookEnabled: true } });
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: 'B' } }]);
    await clarion.workflow('text', [{ type: 'sms', controlValues: { body: 'B' } }]);
  });
  afterAll(() => clarion.close());
  beforeEach(() => {
    clarion.provider.reset();
    clarion.provider.always('/emails', () => ({ json: { id: newId() } }));
  });

  /** Sends a webhook of Resend: without an API key, but signed. */
  async function sendEvent(type: string, data: object): Promise<InboundEventDto[]> {
    const body = JSON.stringify({ type, created_at: new Date().toISOString(), data });
    const [id, timestamp] = [newId(), String(Math.floor(Date.now() / 1000))];
    const signature = createHmac('sha256', SIGNING_KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
    const path = `/v2/inbound-webhooks/delivery-providers/${mail._environmentId}/${mail._id}`;
    const response = await fetch(clarion.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'svix-id': id,
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${signature}`,
      },
      body,
    });
    expect(response.status).toBe(200);
    return (await response.json()) as InboundEventDto[];
  }
  /** The id of the message of a notification at the provider. */
  const providerMessageId = async ({ _id }: NotificationDto): Promise<string> => {
    const [row] = await clarion.database.query<{ id: string }>(
      `SELECT provider_message_id AS id FROM message WHERE notification_of(step_id) = $1`,
      [_id],
    );
    return row!.id;
  };
  const reload = ({ _id }: NotificationDto): Promise<NotificationDto> =>
    clarion.callOk('GET', `/v1/notifications/${_id}`);
  const recipients = (): string[][] =>
    clarion.provider.calls.map(({ body }) => (JSON.parse(body) as { to: string[] }).to);

  const SENT = [
    'Pending: Step queued',
    'Pending: Resend provider was selected',
    'Pending: Message created',
    'Success: Message sent',
  ];
  const SUPPRESSED = [['email canceled', 'Pending: Step queued', 'Failed: Recipient is suppressed']];

  it('records delivery events, and suppresses a bounced address until the suppression is deleted', async () => {
    const ann = { subscriberId: 'ann', email: 'ann@example.com' };
    const first = await clarion.run('mail', ann);
    expect(historyOf(first)).toEqual([['email completed', ...SENT]]);
    const email_id = await providerMessageId(first);
    expect(await sendEvent('email.delivered', { email_id, to: ['ann@example.com'] })).toMatchObject([
      { applied: true },
    ]);
    await sendEvent('email.opened', { email_id, to: ['ann@example.com'] });
    await sendEvent('email.bounced', {
      email_id,
      to: ['Ann@Example.com'],
      bounce: { type: 'Permanent', message: 'no such user' },
    });
    expect(historyOf(await reload(first))).toEqual([
      [
        'email completed',
        ...SENT,
        'Success: Message delivered',
        'ReadConfirmation: Message read',
        'Failed: Message bounced',
      ],
    ]);
    expect(await clarion.messages(first.transactionId)).toMatchObject([
      { status: 'error', errorId: 'message_bounced', errorText: 'no such user', read: true, seen: true },
    ]);

    const second = await clarion.run('mail', ann);
    expect(historyOf(second)).toEqual(SUPPRESSED);
    expect(JSON.parse(second.jobs![0]!.executionDetails.at(-1)!.raw!)).toMatchObject({
      recipients: [
        {
          address: 'ann@example.com',
          reason: 'bounce',
          since: expect.stringMatching(/Z$/) as string,
          liftWith: 'DELETE /v1/suppressions/email/ann%40example.com',
        },
      ],
    });
    expect(await clarion.messages(second.transactionId)).toMatchObject([
      { status: 'warning', errorId: 'recipient_suppressed', email: 'ann@example.com' },
    ]);
    expect(recipients()).toEqual([['ann@example.com']]);

    await clarion.callOk('DELETE', '/v1/suppressions/email/ann@example.com');
    expect(historyOf(await clarion.run('mail', ann))).toEqual([['email completed', ...SENT]]);
    expect(recipients()).toEqual([['ann@example.com'], ['ann@example.com']]);
  });

  it('drops a suppressed recipient from the overrides and sends to the others', async () => {
    const bob = { subscriberId: 'bob', email: 'bob@example.com' };
    const copied = await clarion.run('mail', bob, { overrides: { email: { cc: 'Gone <GONE@example.com>' } } });
    const email_id = await providerMessageId(copied);
    await sendEvent('email.complained', { email_id, to: ['never-written-to@example.com'] });
    await sendEvent('email.complained', { email_id: newId(), to: ['bob@example.com'] });
    await sendEvent('email.complained', { email_id, to: ['gone@example.com'] });
    clarion.provider.reset();
    clarion.provider.always('/emails', () => ({ json: { id: newId() } }));
    const dropped = await clarion.run('mail', bob, {
      overrides: {
        email: { to: ['GONE@example.com', 'carl@example.com'], cc: ['gone@example.com'], bcc: ['d@x.test'] },
      },
    });
    expect(historyOf(dropped)).toEqual([
      ['email completed', 'Pending: Step queued', 'Warning: Recipient is suppressed', ...SENT.slice(1)],
    ]);
    const [sent] = clarion.provider.calls.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(sent).toMatchObject({ to: ['bob@example.com', 'carl@example.com'], bcc: ['d@x.test'] });
    expect(sent).not.toHaveProperty('cc');

    const overrides = { email: { toRecipient: 'Gone <gone@example.com>' } };
    expect(historyOf(await clarion.run('mail', bob, { overrides }))).toEqual(SUPPRESSED);
    expect(clarion.provider.calls).toHaveLength(1);
    const { data } = await clarion.callOk<SuppressionListDto>('GET', '/v1/suppressions?channel=email');
    expect(data.map(({ address }) => address)).toEqual(['gone@example.com']);
  });

  it('shows a suppressed recipient in a dry run like in a real run', async () => {
    const event = { name: 'mail', to: { subscriberId: 'dora', email: 'dora@example.com' } };
    await clarion.callOk('POST', '/v1/suppressions', { channel: 'email', address: 'dora@example.com' });
    const { dryRun } = await clarion.callOk<{ dryRun: { recipients: { steps: { details: object[] }[] }[] } }>(
      'POST',
      '/v1/events/trigger?dryRun=true',
      event,
    );
    const run = await clarion.run('mail', event.to);
    const details = run.jobs![0]!.executionDetails.map(({ status, detail, raw }) => ({
      status,
      detail,
      ...(raw && { raw: JSON.parse(raw) as object }),
    }));
    expect(dryRun.recipients[0]!.steps[0]!.details).toEqual(details);
  });

  it('accepts delivery events at the callback URL that was sent with the message', async () => {
    const fred = await clarion.run('text', { subscriberId: 'fred', phone: '+15550200' });
    const [call] = clarion.provider.calls;
    const callback = new URLSearchParams(call!.body).get('StatusCallback')!;
    expect(callback).toMatch(/^https:\/\/public\.example\/clarion\/v2\/inbound-webhooks\/delivery-providers\//);
    const form = {
      MessageSid: await providerMessageId(fred),
      MessageStatus: 'undelivered',
      ErrorCode: '30005',
      To: '+15550200',
    };
    const fields = Object.entries(form).toSorted().flat().join('');
    // A reverse proxy replaces the public part of the URL.
    const response = await fetch(callback.replace('https://public.example/clarion', clarion.url), {
      method: 'POST',
      headers: {
        'x-twilio-signature': createHmac('sha1', 'twilio-token')
          .update(callback + fields)
          .digest('base64'),
      },
      body: new URLSearchParams(form),
    });
    expect([response.status, await response.json()]).toMatchObject([200, [{ applied: true }]]);
    expect(historyOf(await reload(fred))[0]!.at(-1)).toBe('Failed: Message bounced');
    expect(historyOf(await clarion.run('text', 'fred'))[0]!.at(-1)).toBe('Failed: Recipient is suppressed');
  });

  it('suppresses an address on its channel only', async () => {
    await clarion.callOk('POST', '/v1/suppressions', { channel: 'sms', address: '+1 555 0100' });
    const eve = { subscriberId: 'eve', email: 'eve@example.com', phone: '0015550100' };
    expect(historyOf(await clarion.run('text', eve))).toEqual([
      ['sms canceled', 'Pending: Step queued', 'Failed: Recipient is suppressed'],
    ]);
    expect(historyOf(await clarion.run('mail', eve))).toEqual([['email completed', ...SENT]]);
  });
});
