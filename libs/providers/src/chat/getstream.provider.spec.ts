import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { getstream } from './getstream.provider';

describe('Stream', () => {
  const rig = testProviderContract(getstream, {
    credentials: (stage) => ({ baseUrl: stage.fake.url }),
    success: { headers: { 'X-Webhook-ID': 'w-1' } },
    id: 'w-1',
    isAcceptedByStatus: (body) => !body.startsWith('<'),
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the text with the API key in a header only', async () => {
    await rig.send({ content: 'Grüße 👋' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
    expect(rig.calls[0]!.headers['x-api-key']).toBe('canary-api-key');
    expect(json()).toEqual({ text: 'Grüße 👋' });
  });

  it('posts blocks, the channel and any override', async () => {
    await rig.send({ blocks: [{ type: 'image' }], channel: 'messaging:ops' }, { silent: true });
    expect(json()).toEqual({ text: 'hi', attachments: [{ type: 'image' }], channel: 'messaging:ops', silent: true });
  });

  it("uses Clarion's message id when the receiver returns none", async () => {
    expect(await rig.answering({ status: 204 })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it('rejects an API key that would break out of its header', async () => {
    expect(await rig.send({}, {}, { apiKey: 'a\r\nx-b: c' })).toMatchObject({ ok: false, kind: 'content' });
    expect(rig.calls).toEqual([]);
  });

  it('sends its API key to no host but that of the integration', async () => {
    const elsewhere = rig.stage.fake.url.replace('127.0.0.1', 'localhost');
    expect(await rig.send({}, {}, { baseUrl: '' })).toMatchObject({ kind: 'credentials' });
    expect(await rig.send({ webhookUrl: elsewhere })).toMatchObject({ kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });

  it.each([
    [404, 'recipient'],
    [410, 'dead-token'],
  ])('classifies a %d as %s', async (status, kind) => {
    expect(await rig.answering({ status, json: { message: 'no' } })).toMatchObject({ ok: false, kind, message: 'no' });
  });
});
