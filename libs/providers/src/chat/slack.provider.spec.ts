import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { slack } from './slack.provider';

describe('Slack', () => {
  const rig = testProviderContract(slack, {
    credentials: { clientId: 'client-1' },
    success: { text: 'ok', headers: { 'x-slack-req-id': 'r-1' } },
    id: 'r-1',
    kinds: { 401: 'recipient', 403: 'recipient' },
    isAcceptedByStatus: (body) => body !== '' && !body.startsWith('<'),
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the text as JSON', async () => {
    await rig.send({ content: 'Grüße 👋' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
    expect(rig.calls[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(json()).toEqual({ text: 'Grüße 👋' });
  });

  it('posts blocks to the named channel and warns about an unknown override', async () => {
    const result = await rig.send(
      { blocks: [{ type: 'divider' }], channel: '#ops' },
      { iconEmoji: ':bell:', thread_ts: '1.2', colour: 'red' },
    );
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('colour')] });
    expect(json()).toEqual({
      text: 'hi',
      blocks: [{ type: 'divider' }],
      channel: '#ops',
      icon_emoji: ':bell:',
      thread_ts: '1.2',
    });
  });

  it('lets the trigger replace the blocks instead of adding to them', async () => {
    await rig.send({ blocks: [{ type: 'divider' }] }, { blocks: [{ type: 'header' }] });
    expect(json()).toMatchObject({ blocks: [{ type: 'header' }] });
  });

  it("uses Clarion's message id when the response has no request id", async () => {
    const result = await rig.answering({ text: 'ok' });
    expect(result).toMatchObject({ ok: true, id: 'message-1' });
  });

  it.each([
    [404, 'channel_not_found', 'dead-token'],
    [410, 'channel_is_archived', 'dead-token'],
    [403, 'invalid_token', 'dead-token'],
    [404, 'no_service', 'dead-token'],
    [404, 'no_active_hooks', 'dead-token'],
    [400, 'user_not_found', 'recipient'],
    [403, 'action_prohibited', 'recipient'],
    [400, 'invalid_payload', 'content'],
    [400, 'no_text', 'content'],
    [400, 'something_new', 'permanent'],
    [500, 'rollup_error', 'transient'],
  ])('classifies a %d with the text %s as %s', async (status, text, kind) => {
    expect(await rig.answering({ status, text })).toMatchObject({ ok: false, kind, message: text });
  });

  it.each([
    ['no_service', 'dead-token', 'no_service'],
    ['{"ok":false,"error":"channel_not_found"}', 'dead-token', 'channel_not_found'],
    ['{"ok":false,"error":"something_new"}', 'permanent', 'something_new'],
    ['{"ok":false}', 'permanent', 'ok: false'],
  ])('reads the error in a 200 with %s as %s', async (text, kind, message) => {
    expect(await rig.answering({ text })).toMatchObject({ ok: false, kind, message });
  });

  it('accepts the success texts of servers that imitate Slack', async () => {
    expect(await rig.answering({ text: '{"ok":true}' })).toMatchObject({ ok: true });
    expect(await rig.answering({ text: '{"success":true}' })).toMatchObject({ ok: true });
  });

  describe('to a person or a channel, with the token of the workspace', () => {
    const toChannel = { address: { type: 'slack_channel', channelId: 'C1' }, accessToken: 'xoxb-canary' } as const;
    const toUser = { ...toChannel, address: { type: 'slack_user', userId: 'U1' } } as const;
    const api = (answer: object, status = 200, headers = {}): void =>
      rig.stage.fake.always('/api/chat.postMessage', { status, headers, json: answer });

    it('calls chat.postMessage with the id of the channel or the person', async () => {
      api({ ok: true, channel: 'C1', ts: '1767268800.000100' });
      const blocks = [{ type: 'divider' }];
      expect(await rig.send({ ...toChannel, blocks }, { threadTs: '1.2', channel: '#other' })).toMatchObject({
        ok: true,
        id: '1767268800.000100',
      });
      await rig.send(toUser);
      const [first, second] = rig.calls;
      expect(first!.headers).toMatchObject({ authorization: 'Bearer xoxb-canary' });
      expect(JSON.parse(first!.body)).toEqual({ channel: 'C1', text: 'hi', blocks, thread_ts: '1.2' });
      expect(JSON.parse(second!.body)).toEqual({ channel: 'U1', text: 'hi' });
    });

    it.each([
      ['invalid_auth', 'credentials'],
      ['channel_not_found', 'recipient'],
      ['msg_too_long', 'content'],
      ['internal_error', 'transient'],
      ['something_new', 'permanent'],
    ])('reads the error %s as %s', async (error, kind) => {
      api({ ok: false, error });
      expect(await rig.send(toChannel)).toMatchObject({ ok: false, kind, message: `Slack answered: ${error}` });
    });

    it('reports an expired token, a rate limit with its wait, and an answer without a confirmation', async () => {
      api({ ok: false, error: 'token_expired' });
      expect(await rig.send(toChannel)).toMatchObject({ kind: 'credentials', isTokenRefused: true });
      api({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '30' });
      expect(await rig.send(toChannel)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 30_000 });
      api({});
      expect(await rig.send(toChannel)).toMatchObject({ kind: 'unknown-outcome' });
    });

    it('rejects an address without a token', async () => {
      const result = await rig.send({ address: toChannel.address });
      expect(result).toMatchObject({ ok: false, kind: 'recipient' });
      expect(rig.calls).toEqual([]);
    });
  });
});
