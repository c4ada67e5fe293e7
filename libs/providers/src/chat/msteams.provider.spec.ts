import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { chatTo, CREDENTIALS } from '../../test/samples';
import { msteams } from './msteams.provider';

describe('Microsoft Teams', () => {
  const rig = testProviderContract(msteams, {
    message: (stage) => chatTo(`${stage.fake.url}/workflows/canary?sig=canary`),
    success: { status: 202 },
    id: 'message-1',
    isAcceptedByStatus: (body) => !body.startsWith('<'),
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts an adaptive card to a workflow', async () => {
    const result = await rig.send({
      content: 'Grüße',
      blocks: [{ type: 'Image', url: 'https://x.example' }],
      channel: 'ops',
    });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('channel')] });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/workflows/canary?sig=canary' });
    expect(json()).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: 'Grüße', wrap: true },
              { type: 'Image', url: 'https://x.example' },
            ],
          },
        },
      ],
    });
  });

  it('uses the request id of the response as the message id', async () => {
    expect(await rig.answering({ status: 202, headers: { 'request-id': 'r-1' } })).toMatchObject({
      ok: true,
      id: 'r-1',
    });
  });

  it.each(['contoso.webhook.office.com', 'outlook.office.com', 'outlook.office365.com'])(
    'posts plain text to a legacy connector at %s',
    async (host) => {
      const asked: string[] = [];
      const context = rig.stage.context('msteams');
      await msteams.send(chatTo(`https://${host}/webhookb2/x`), CREDENTIALS, {
        ...context,
        http: {
          ...context.http,
          request: ({ body }) => {
            asked.push(String(body));
            return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('1') });
          },
        },
      });
      expect(asked).toEqual(['{"text":"hi"}']);
    },
  );

  it.each([
    ['{"type":"message","text":"own"}', { type: 'message', text: 'own' }],
    ['"quoted"', { type: 'message' }],
    ['7', { type: 'message' }],
  ])('uses %s as the card only if it is a JSON object', async (content, body) => {
    await rig.send({ content });
    expect(json()).toMatchObject(body);
    expect('attachments' in json()).toBe(!('text' in body));
  });

  it('sends a text with more levels than the stack reaches as a text', async () => {
    const content = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    await rig.send({ content });
    expect(rig.calls[0]!.body).toContain(JSON.stringify(content));
  });

  it('lets the trigger set the title and the color of a card', async () => {
    await rig.send({ content: '{"text":"own"}' }, { themeColor: 'ff0000', title: 'T' });
    expect(json()).toEqual({ text: 'own', themeColor: 'ff0000', title: 'T' });
  });

  it.each([
    [429, 'rate-limited'],
    [404, 'recipient'],
    [410, 'dead-token'],
    [403, 'recipient'],
    [413, 'content'],
    [502, 'transient'],
  ])('reads the status %d of Teams from the text of a 200 as %s', async (status, kind) => {
    const text =
      'Webhook message delivery failed with error: ' +
      `Microsoft Teams endpoint returned HTTP error ${status} with ContextId x`;
    expect(await rig.answering({ text })).toMatchObject({ ok: false, kind });
  });

  it('reports the error text of a workflow', async () => {
    const answer = { status: 400, json: { error: { code: 'TriggerInputSchemaMismatch', message: 'No card' } } };
    expect(await rig.answering(answer)).toMatchObject({ ok: false, kind: 'permanent', message: 'No card' });
  });

  describe('to a person or a channel, with the token of the bot', () => {
    const common = { accessToken: 'canary-bot-token', workspaceId: 'tenant-1' };
    const toUser = { ...common, address: { type: 'ms_teams_user', userId: 'user-1' } } as const;
    const toChannel = {
      ...common,
      address: { type: 'ms_teams_channel', teamId: 'team-1', channelId: '19:a@thread.tacv2' },
    } as const;
    const bodies = (): unknown[] => rig.calls.map(({ path, body }) => [path, JSON.parse(body) as unknown]);

    it('opens the conversation with the person and posts in it', async () => {
      rig.stage.fake.next(/conversations$/, { status: 201, json: { id: 'a:1/2' } });
      rig.stage.fake.next(/activities$/, { status: 201, json: { id: 'activity-1' } });
      expect(await rig.send(toUser, {}, { clientId: 'bot-1' })).toMatchObject({ ok: true, id: 'activity-1' });
      expect(rig.calls[0]!.headers).toMatchObject({ authorization: 'Bearer canary-bot-token' });
      expect(bodies()).toEqual([
        [
          '/teams/v3/conversations',
          {
            bot: { id: '28:bot-1' },
            tenantId: 'tenant-1',
            isGroup: false,
            members: [{ id: 'user-1' }],
            channelData: { tenant: { id: 'tenant-1' } },
          },
        ],
        ['/teams/v3/conversations/a%3A1%2F2/activities', { type: 'message', text: 'hi' }],
      ]);
    });

    it('begins a thread in the channel', async () => {
      rig.stage.fake.next(/conversations$/, { status: 201, json: { id: '19:a;messageid=1', activityId: '1' } });
      expect(await rig.send(toChannel, {}, { clientId: 'bot-1' })).toMatchObject({ ok: true, id: '1' });
      expect(bodies()).toEqual([
        [
          '/teams/v3/conversations',
          expect.objectContaining({
            isGroup: true,
            channelData: { channel: { id: '19:a@thread.tacv2' }, tenant: { id: 'tenant-1' } },
            activity: { type: 'message', text: 'hi' },
          }),
        ],
      ]);
    });

    it.each([
      [401, 'Unauthorized', { kind: 'credentials', isTokenRefused: true }],
      [403, 'BotNotInConversationRoster', { kind: 'recipient' }],
      [404, 'ConversationNotFound', { kind: 'recipient' }],
      [413, 'MessageSizeTooBig', { kind: 'content' }],
      [502, 'BadGateway', { kind: 'transient' }],
    ])('reads %i %s', async (status, code, expected) => {
      rig.stage.fake.always(/conversations$/, { status, json: { error: { code, message: 'Words of Teams' } } });
      expect(await rig.send(toUser)).toMatchObject({ ok: false, message: 'Words of Teams', ...expected });
    });

    it('is not in doubt when the conversation could not be opened', async () => {
      rig.stage.fake.always(/conversations$/, { close: 'after-reading' });
      expect(await rig.send(toUser)).toMatchObject({ ok: false, kind: 'transient' });
    });
  });
});
