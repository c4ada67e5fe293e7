import { basic } from '../call';
import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { bandwidth } from './bandwidth.provider';

describe('Bandwidth', () => {
  const rig = testProviderContract(bandwidth, {
    credentials: { from: '+15550000000', accountSid: '990/1' },
    success: { status: 202, json: { id: 'bw1', time: '2026-01-01T11:59:59.123Z', direction: 'out', segmentCount: 1 } },
    id: 'bw1',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'bw1', date: new Date('2026-01-01T11:59:59.123Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v2/users/990%2F1/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('api', 'canary-password'),
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      applicationId: 'app-1',
      to: ['+15551234567'],
      from: '+15550000000',
      text: 'hi',
      tag: 'message-1',
    });
  });

  it('uses the account id as the application id if none is set', async () => {
    await rig.send({}, {}, { applicationId: '' });
    expect(body()).toMatchObject({ applicationId: '990/1' });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const overrides = { priority: 'high', media: ['https://x.example/a.png'], applicationId: 'other' };
    expect(await rig.send({ from: '+15559999999', content: 'Grüße 👋' }, overrides)).toMatchObject({
      warnings: [expect.stringContaining('applicationId')],
    });
    expect(body()).toEqual({
      applicationId: 'app-1',
      to: ['+15551234567'],
      from: '+15559999999',
      text: 'Grüße 👋',
      tag: 'message-1',
      priority: 'high',
      media: ['https://x.example/a.png'],
    });
  });

  it.each([
    [400, { type: 'request-validation', description: 'no' }, 'permanent'],
    [401, { type: 'unauthorized', description: 'no' }, 'credentials'],
    [403, { type: 'forbidden', description: 'no' }, 'credentials'],
    [404, { status: 404, error: 'Not Found', message: 'no' }, 'permanent'],
    [415, { type: 'unsupported-content-type', description: 'no' }, 'permanent'],
    [429, { type: 'max-message-queue-size-exceeded', description: 'no' }, 'rate-limited'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the media to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/v2/users/990%2F1/media' });
    expect(rig.calls[0]!.headers.authorization).toBe(basic('api', 'canary-password'));
  });

  describe('delivery events', () => {
    testSharedKeyVerification(bandwidth);
    const report = (type: string, more: object = {}) => ({
      type,
      time: '2026-01-01T12:00:00.000Z',
      to: '+15551234567',
      description: 'as it says',
      message: { id: 'bw1', tag: 'message-1', applicationId: 'app-1', to: ['+15551234567'] },
      ...more,
    });
    const parse = (body: string | object) => eventsOf(bandwidth, inbound(body));

    it('maps the states of a message', () => {
      const known = { providerMessageId: 'bw1', messageId: 'message-1', recipient: '+15551234567' };
      const at = new Date('2026-01-01T12:00:00Z');
      expect(parse([report('message-sending'), report('message-delivered')])).toEqual([
        { id: 'bw1:message-sending', kind: 'sent', ...known, at },
        { id: 'bw1:message-delivered', kind: 'delivered', ...known, at },
      ]);
      expect(parse(report('message-failed', { errorCode: 4770 }))).toEqual([
        { id: 'bw1:message-failed', kind: 'failed', ...known, at, reason: 'as it says' },
      ]);
    });

    it.each([4303, 4406, 4720, 4721])('turns the error code %d into a permanent bounce', (errorCode) =>
      expect(parse(report('message-failed', { errorCode }))).toMatchObject([{ kind: 'bounced', isPermanent: true }]),
    );

    it.each([
      '',
      'null',
      '[]',
      '[null]',
      '{}',
      '<html>',
      '[{"type":"message-delivered"}]',
      '[{"type":"message-received","message":{"id":"bw1"}}]',
      '[{"type":"constructor","message":{"id":"bw1"}}]',
    ])('returns no event for the body %p', (text) => expect(parse(text)).toEqual([]));
  });
});
