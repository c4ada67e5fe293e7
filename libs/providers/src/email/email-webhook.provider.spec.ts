import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts';
import { NOW, testProviderContract } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { emailWebhook } from './email-webhook.provider';

describe('Email Webhook', () => {
  const rig = testProviderContract(emailWebhook, {
    success: { status: 204 },
    id: 'message-1',
    isAcceptedByStatus: true,
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;
  const signatureBy = (key: string, text: string): string =>
    `v1,${createHmac('sha256', key).update(text).digest('base64')}`;

  it('posts the whole message and signs it', async () => {
    const result = await rig.send({ ...FULL_EMAIL, ipPoolName: 'pool' }, { customData: { a: 1 } });
    expect(result).toMatchObject({ ok: true, id: 'message-2' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/canary-hook' });
    expect(json()).toEqual({
      id: 'message-2',
      to: ['bob@example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      from: 'ann@example.com',
      senderName: 'Ann "Boss" Ü',
      replyTo: 'reply@example.com',
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'hi',
      headers: { 'X-Campaign': 'spring' },
      attachments: [
        { name: 'a.txt', mime: 'text/plain', file: Buffer.from('content').toString('base64') },
        { name: 'b.png', mime: 'image/png', file: 'AQID', cid: 'logo', disposition: 'inline' },
      ],
      ipPoolName: 'pool',
      customData: { a: 1 },
    });
    const { body, headers } = rig.calls[0]!;
    expect(headers).toMatchObject({ 'webhook-id': 'message-2', 'webhook-timestamp': String(NOW.getTime() / 1000) });
    expect(headers['webhook-signature']).toBe(
      signatureBy('canary-secret-key', `message-2.${String(headers['webhook-timestamp'])}.${body}`),
    );
  });

  it('signs with the decoded bytes of a whsec_ secret', async () => {
    await rig.send({}, {}, { secretKey: `whsec_${Buffer.from('raw key').toString('base64')}` });
    const { body, headers } = rig.calls[0]!;
    expect(headers['webhook-signature']).toBe(
      signatureBy('raw key', `message-1.${String(headers['webhook-timestamp'])}.${body}`),
    );
  });

  it('signs passed-through members too', async () => {
    await rig.send({}, { _passthrough: { body: { extra: 'yes' } } });
    const { body, headers } = rig.calls[0]!;
    expect(json()).toMatchObject({ extra: 'yes', subject: 'Hello' });
    expect(headers['webhook-signature']).toBe(
      signatureBy('canary-secret-key', `message-1.${String(headers['webhook-timestamp'])}.${body}`),
    );
  });
});
