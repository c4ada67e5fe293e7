import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { chatTo } from '../../test/samples';
import { zulip } from './zulip.provider';

describe('Zulip', () => {
  const PATH = '/api/v1/external/slack_incoming?api_key=canary-key&stream=general';

  const rig = testProviderContract(zulip, {
    message: (stage) => chatTo(stage.fake.url + PATH),
    success: { json: { result: 'success', msg: '', ok: true } },
    id: 'message-1',
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it("posts text in Slack's format", async () => {
    await rig.send({ content: 'Grüße 👋' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: PATH });
    // With any other content type Zulip expects a form.
    expect(rig.calls[0]!.headers['content-type']).toBe('application/json');
    expect(json()).toEqual({ text: 'Grüße 👋' });
  });

  it('posts blocks to a topic', async () => {
    await rig.send({ blocks: [{ type: 'divider' }], channel: 'releases' }, { iconEmoji: ':bell:' });
    expect(json()).toEqual({ text: 'hi', blocks: [{ type: 'divider' }], channel: 'releases', icon_emoji: ':bell:' });
  });

  it('rejects an empty message, for which Zulip would report success', async () => {
    expect(await rig.send({ content: ' \n' })).toMatchObject({ ok: false, kind: 'content' });
    expect(rig.calls).toEqual([]);
    expect(await rig.send({ content: '', blocks: [{ type: 'divider' }] })).toMatchObject({ ok: true });
    expect(await rig.send({ content: '' }, { text: 'instead' })).toMatchObject({ ok: true });
  });

  it('makes no call and no other attempt for an override that cannot be read', async () => {
    expect(await rig.send({}, { text: { toString: 1 } })).toMatchObject({ ok: false, kind: 'content' });
    expect(rig.calls).toEqual([]);
  });

  it('redacts the API key of the URL', async () => {
    const result = await rig.answering({ status: 401, json: { code: 'X', msg: 'canary-key is wrong' } });
    expect(result).toMatchObject({ ok: false, message: '[redacted] is wrong' });
  });

  it.each([
    [401, { result: 'error', code: 'INVALID_API_KEY', msg: 'no' }, 'dead-token'],
    [401, { result: 'error', code: 'USER_DEACTIVATED', msg: 'no' }, 'dead-token'],
    [401, { result: 'error', code: 'UNAUTHORIZED', msg: 'no' }, 'recipient'],
    [400, { result: 'error', code: 'BAD_REQUEST', msg: 'no' }, 'permanent'],
    [400, { ok: false, error: 'no' }, 'permanent'],
    [200, { result: 'error', code: 'BAD_REQUEST', msg: 'no' }, 'permanent'],
    [200, { ok: false, error: 'no' }, 'permanent'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the wait from the body', async () => {
    const json = { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'slow', 'retry-after': 28.7 };
    expect(await rig.answering({ status: 429, json })).toMatchObject({ kind: 'rate-limited', retryAfterMs: 28_700 });
  });
});
