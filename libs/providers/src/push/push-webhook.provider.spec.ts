import type { JsonObject } from '@clarion/contracts';
import { NOW, testProviderContract } from '../../test/contract';
import { signature } from '../webhook';
import { pushWebhook } from './push-webhook.provider';

describe('Push Webhook', () => {
  const rig = testProviderContract(pushWebhook, {
    success: { json: { id: 'theirs' } },
    id: 'theirs',
    // An endpoint of the tenant: any 2xx means that it has the message.
    isAcceptedByStatus: true,
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the message with its payload, subscriber and step', async () => {
    expect(await rig.send({}, { sound: 'ping' })).toMatchObject({ ok: true, id: 'theirs' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/canary-hook' });
    expect(json()).toEqual({
      id: 'message-1',
      target: ['device-token-1'],
      title: 'Hello',
      content: 'hi',
      overrides: { sound: 'ping' },
      payload: { order: 7, nested: { a: true }, subscriber: { subscriberId: 'bob' }, step: { digest: false } },
    });
  });

  it("uses Clarion's message id when the endpoint returns none", async () => {
    expect(await rig.answering({ status: 204 })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it('signs the body including passed-through members', async () => {
    await rig.send({ title: 'Grüße' }, { _passthrough: { body: { extra: '✓' } } });
    const { headers, body } = rig.calls[0]!;
    const time = String(NOW.getTime() / 1000);
    expect(headers).toMatchObject({
      'webhook-id': 'message-1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature('canary-secret-key', `message-1.${time}.${body}`)}`,
    });
    expect(json()).toMatchObject({ title: 'Grüße', extra: '✓' });
  });

  it('rejects a message without a device token', async () => {
    expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });
});
