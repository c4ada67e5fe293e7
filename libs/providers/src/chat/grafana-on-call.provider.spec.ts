import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { grafanaOnCall } from './grafana-on-call.provider';

describe('Grafana OnCall', () => {
  const rig = testProviderContract(grafanaOnCall, {
    success: { text: '"Ok."', headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' } },
    id: 'message-1',
    kinds: { 401: 'recipient', 403: 'recipient' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('raises a separate alert for each message', async () => {
    expect(await rig.send({ content: 'Grüße' })).toMatchObject({ ok: true, date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/hooks/canary-hook' });
    expect(json()).toEqual({ alert_uid: 'message-1', message: 'Grüße' });
  });

  it.each(['Ok.', '"Ok."', 'ok'])('accepts the success text %s', async (text) => {
    expect(await rig.answering({ text })).toMatchObject({ ok: true });
  });

  const INTEGRATION = {
    alertUid: 'uid-1',
    title: 'Integration',
    imageUrl: 'https://x.example/1.png',
    state: 'alerting',
    externalLink: 'https://x.example/1',
  };

  it('uses the alert settings of the integration', async () => {
    await rig.send({}, {}, INTEGRATION);
    expect(json()).toEqual({
      alert_uid: 'uid-1',
      title: 'Integration',
      image_url: 'https://x.example/1.png',
      state: 'alerting',
      link_to_upstream_details: 'https://x.example/1',
      message: 'hi',
    });
  });

  it('prefers the alert settings of the subscriber over those of the integration', async () => {
    const alert = {
      uid: 'uid-2',
      title: 'Subscriber',
      imageUrl: 'https://x.example/2.png',
      state: 'ok',
      externalUrl: 'https://x.example/2',
    };
    await rig.send({ alert }, {}, INTEGRATION);
    expect(json()).toEqual({
      alert_uid: 'uid-2',
      title: 'Subscriber',
      image_url: 'https://x.example/2.png',
      state: 'ok',
      link_to_upstream_details: 'https://x.example/2',
      message: 'hi',
    });
  });

  it('prefers overrides over all settings and passes unknown ones through', async () => {
    const result = await rig.send(
      { blocks: [{ a: 1 }], channel: 'ops' },
      { imageUrl: 'https://y', runbook: { step: 1 } },
    );
    expect(json()).toEqual({ alert_uid: 'message-1', image_url: 'https://y', message: 'hi', runbook: { step: 1 } });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('blocks'), expect.stringContaining('channel')] });
  });

  it.each([
    [400, '{"detail":"invalid"}', 'permanent', 'invalid'],
    [403, 'Integration key was not found. Permission denied.', 'dead-token', 'Integration key was not found.'],
    [403, 'Forbidden', 'recipient', 'Forbidden'],
    [429, 'Rate limited', 'rate-limited', 'Rate limited'],
  ])('classifies a %d with the body %s as %s', async (status, text, kind, message) => {
    expect(await rig.answering({ status, text })).toMatchObject({
      ok: false,
      kind,
      message: expect.stringContaining(message) as string,
    });
  });
});
