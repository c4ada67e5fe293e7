import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts';
import { NOW, testProviderContract } from '../../test/contract';
import { chatWebhook } from './chat-webhook.provider';

describe('Chat Webhook', () => {
  const rig = testProviderContract(chatWebhook, {
    success: { json: { id: 'theirs-1' } },
    id: 'theirs-1',
    isAcceptedByStatus: true,
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the message without the webhook URL, and unsigned if there is no secret', async () => {
    await rig.send({ channel: 'ops', phoneNumber: '+1555' }, { extra: 1 }, { secretKey: '' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
    expect(json()).toEqual({ id: 'message-1', content: 'hi', channel: 'ops', phoneNumber: '+1555', extra: 1 });
    expect(rig.calls[0]!.headers['webhook-signature']).toBeUndefined();
    expect(rig.calls[0]!.headers['webhook-id']).toBe('message-1');
  });

  it('posts blocks and custom data of the trigger', async () => {
    await rig.send({ content: 'Grüße', blocks: [{ a: 1 }], customData: { b: 2 } });
    expect(json()).toEqual({ id: 'message-1', content: 'Grüße', blocks: [{ a: 1 }], customData: { b: 2 } });
  });

  it('signs the body with the secret of the integration', async () => {
    rig.stage.fake.next('/', { status: 204 });
    expect(await rig.send()).toMatchObject({ ok: true, id: 'message-1' });
    const { headers, body } = rig.calls[0]!;
    const expected = createHmac('sha256', 'canary-secret-key')
      .update(`message-1.${NOW.getTime() / 1000}.${body}`)
      .digest('base64');
    expect(headers).toMatchObject({
      'webhook-timestamp': String(NOW.getTime() / 1000),
      'webhook-signature': `v1,${expected}`,
    });
  });
});
