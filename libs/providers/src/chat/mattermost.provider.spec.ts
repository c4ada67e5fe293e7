import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { mattermost } from './mattermost.provider';

describe('Mattermost', () => {
  const rig = testProviderContract(mattermost, {
    success: { text: 'ok', headers: { 'x-request-id': 'r-1', date: 'Thu, 01 Jan 2026 12:00:00 GMT' } },
    id: 'r-1',
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts the text to the default channel of the webhook', async () => {
    expect(await rig.send({ content: 'Grüße' })).toMatchObject({ ok: true, date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
    expect(json()).toEqual({ text: 'Grüße' });
  });

  it("uses Clarion's message id when the server returns no request id", async () => {
    expect(await rig.answering({ text: 'ok' })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it('posts attachments to the named channel', async () => {
    await rig.send({ channel: 'town-square', blocks: [{ title: 'T' }] }, { iconUrl: 'https://x.example/i.png' });
    expect(json()).toEqual({
      text: 'hi',
      channel: 'town-square',
      attachments: [{ title: 'T' }],
      icon_url: 'https://x.example/i.png',
    });
  });

  it.each([
    [400, 'web.incoming_webhook.invalid.app_error', 'recipient'],
    [404, 'web.incoming_webhook.channel.app_error', 'recipient'],
    [500, 'web.incoming_webhook.channel.app_error', 'transient'],
    [403, 'web.incoming_webhook.channel_locked.app_error', 'recipient'],
    [501, 'web.incoming_webhook.disabled.app_error', 'permanent'],
    [400, 'web.incoming_webhook.parse.app_error', 'content'],
    [400, 'web.incoming_webhook.text.app_error', 'content'],
    [400, 'web.something.new', 'permanent'],
  ])('classifies a %d with the error %s as %s', async (status, id, kind) => {
    const json = { id, message: 'Invalid webhook', status_code: status };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'Invalid webhook' });
  });
});
