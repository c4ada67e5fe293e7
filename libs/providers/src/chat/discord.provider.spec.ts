import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { chatTo } from '../../test/samples';
import { discord } from './discord.provider';

describe('Discord', () => {
  const rig = testProviderContract(discord, {
    message: (stage) => chatTo(`${stage.fake.url}/api/webhooks/1/canary?thread_id=7`),
    success: { json: { id: '1100000000000000001', timestamp: '2026-01-01T12:00:00.000000+00:00' } },
    id: '1100000000000000001',
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('waits until Discord has saved the message and disables mentions', async () => {
    const result = await rig.send(
      { content: 'Grüße @everyone' },
      { username: 'Clarion', avatarUrl: 'https://x.example' },
    );
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/webhooks/1/canary?thread_id=7&wait=true' });
    expect(json()).toEqual({
      content: 'Grüße @everyone',
      allowed_mentions: { parse: [] },
      username: 'Clarion',
      avatar_url: 'https://x.example',
    });
  });

  it('sends blocks as embeds and warns that it does not support channels', async () => {
    const result = await rig.send({ blocks: [{ title: 'T' }], channel: 'ops' });
    expect(json()).toMatchObject({ embeds: [{ title: 'T' }] });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('channel')] });
  });

  it('lets the trigger allow mentions', async () => {
    await rig.send({}, { allowedMentions: { parse: ['users'] } });
    expect(json()).toMatchObject({ allowed_mentions: { parse: ['users'] } });
  });

  it('sets retryAfterMs from retry_after, which has fractions of a second', async () => {
    const answer = { status: 429, json: { retry_after: 0.25, message: 'slow' }, headers: { 'retry-after': '1' } };
    expect(await rig.answering(answer)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 250 });
  });

  it.each([
    [404, 10015, 'dead-token'],
    [401, 50027, 'dead-token'],
    [404, 10003, 'recipient'],
    [400, 50035, 'content'],
    [400, 50006, 'content'],
    [413, 40005, 'content'],
    [400, 220001, 'content'],
    [404, 0, 'dead-token'],
    [400, 99999, 'permanent'],
  ])('classifies a %d with code %d as %s', async (status, code, kind) => {
    expect(await rig.answering({ status, json: { code, message: 'no' } })).toMatchObject({
      ok: false,
      kind,
      message: 'no',
    });
  });
});
