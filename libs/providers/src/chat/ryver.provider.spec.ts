import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { ryver } from './ryver.provider';

describe('Ryver', () => {
  const rig = testProviderContract(ryver, {
    success: { json: {} },
    id: 'message-1',
    isAcceptedByStatus: (body) => !body.startsWith('<'),
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the text as the body of the webhook', async () => {
    await rig.send({ content: 'Grüße 👋' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
    expect(rig.calls[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(json()).toEqual({ body: 'Grüße 👋' });
  });

  it('lets the trigger set the name and picture of the source', async () => {
    const from = { displayName: 'Clarion', avatar: 'https://x.example/a.png' };
    await rig.send({ customData: { is_ephemeral: true } }, { create_source: from });
    expect(json()).toEqual({ body: 'hi', createSource: from, isEphemeral: true });
  });

  it('warns that it supports neither blocks nor channels', async () => {
    expect(await rig.send({ blocks: [{ a: 1 }], channel: 'ops' })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('blocks'), expect.stringContaining('channel')],
    });
    expect(json()).toEqual({ body: 'hi' });
  });

  it.each([
    [404, 'recipient'],
    [410, 'dead-token'],
    [422, 'permanent'],
  ])('classifies a %d as %s', async (status, kind) => {
    expect(await rig.answering({ status, json: { message: 'no' } })).toMatchObject({ ok: false, kind, message: 'no' });
  });
});
