import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { imedia } from './imedia.provider';

describe('iMedia', () => {
  const rig = testProviderContract(imedia, {
    credentials: { from: 'Clarion' },
    success: {
      json: { sendMessage: {}, msgLength: 2, mtCount: 1, errorCode: '000', errorMessage: 'ok', referentId: 'r-1' },
    },
    id: 'r-1',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with its id as the request id', async () => {
    expect(await rig.send({ content: 'Xin chào' })).toMatchObject({ ok: true, id: 'r-1' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/SMSBrandname/SendSMS' });
    expect(rig.calls[0]!.headers).toMatchObject({ token: 'canary-token', 'content-type': 'application/json' });
    expect(json()).toEqual({
      to: '+15551234567',
      from: 'Clarion',
      message: 'Xin chào',
      scheduled: '',
      requestId: 'message-1',
      useUnicode: 1,
      type: 1,
    });
  });

  it('applies overrides and ignores an override of the request id', async () => {
    const result = await rig.send({}, { use_unicode: 2, telco: 'viettel', ext: { a: 1 }, requestId: 'x' });
    expect(json()).toMatchObject({ useUnicode: 2, telco: 'viettel', ext: { a: 1 }, requestId: 'message-1' });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('requestId')] });
  });

  it.each([
    [{ errorCode: '101', errorMessage: 'no' }, 'permanent', 'no'],
    [{ errorCode: '101', referentId: 'r-1' }, 'permanent', '101'],
    [{ errorCode: 0, referentId: 'r-1' }, 'permanent', '0'],
    [{ errorCode: '000' }, 'unknown-outcome', expect.any(String)],
    [{ referentId: 'r-1' }, 'unknown-outcome', expect.any(String)],
  ])('classifies a 200 with %j as %s', async (json, kind, message) => {
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind, message: message as string });
  });

  describe('delivery events', () => {
    testSharedKeyVerification(imedia);

    it.each([
      ['sent', 'sent'],
      ['delivered', 'delivered'],
      ['DELIVERED', 'delivered'],
      ['undelivered', 'bounced'],
      ['failed', 'failed'],
      ['error', 'failed'],
    ])('maps the status %s to the event %s', (status, kind) => {
      const report = { referentId: 'r-1', status };
      const [event, ...others] = eventsOf(imedia, inbound([report]));
      expect([event, others]).toEqual([{ id: expect.any(String) as string, kind, providerMessageId: 'r-1' }, []]);
      expect(eventsOf(imedia, inbound(report))).toEqual([event]);
    });

    it.each(['', 'nonsense', 'null', '[null]', '{}', { referentId: 'r-1', status: 'queued' }, { status: 'delivered' }])(
      'returns no event for %j',
      (body) => {
        expect(eventsOf(imedia, inbound(body))).toEqual([]);
      },
    );
  });
});
