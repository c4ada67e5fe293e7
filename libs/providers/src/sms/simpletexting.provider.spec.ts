import { bearer } from '../call';
import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { simpletexting } from './simpletexting.provider';

describe('SimpleTexting', () => {
  const rig = testProviderContract(simpletexting, {
    credentials: { from: '+1 (800) 555-1234' },
    success: { status: 201, json: { id: '507f191e810c19729de860ea', credits: 1 } },
    id: '507f191e810c19729de860ea',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts JSON with national numbers', async () => {
    await rig.send();
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v2/api/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      contactPhone: '5551234567',
      accountPhone: '8005551234',
      mode: 'SINGLE_SMS_STRICTLY',
      text: 'hi',
    });
  });

  it.each([
    ['5551234567', '5551234567'],
    ['+44 7700 900123', '447700900123'],
  ])('sends to %s as %s', async (to, contactPhone) => {
    await rig.send({ to });
    expect(body()).toMatchObject({ contactPhone });
  });

  it.each([
    ['a'.repeat(160), 'SINGLE_SMS_STRICTLY'],
    ['a'.repeat(161), 'AUTO'],
  ])('selects the mode by the length of the text (case %#)', async (content, mode) => {
    await rig.send({ content });
    expect(body()).toMatchObject({ mode });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const overrides = { mode: 'MMS_PREFERRED', media_items: ['https://x.example/a.png'], contactPhone: '1' };
    expect(await rig.send({ from: '8005559999', content: 'Grüße 👋' }, overrides)).toMatchObject({
      warnings: [expect.stringContaining('contactPhone')],
    });
    expect(body()).toEqual({
      contactPhone: '5551234567',
      accountPhone: '8005559999',
      mode: 'MMS_PREFERRED',
      text: 'Grüße 👋',
      mediaItems: ['https://x.example/a.png'],
    });
  });

  it.each([
    [401, { status: 'UNAUTHORIZED', errorCode: 'ERR_AUTH_TOKEN_MISSING', message: 'no' }, 'credentials'],
    [400, { code: 'INTERNAL_ERROR', errorCode: 'UNKNOWN_ERR', message: 'no' }, 'permanent'],
    [429, { message: 'no' }, 'rate-limited'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v2/api/tenant' });
    expect(rig.calls[0]!.headers.authorization).toBe(bearer('canary-api-key'));
  });

  describe('delivery events', () => {
    testSharedKeyVerification(simpletexting);
    const report = (type: string, values: object) => ({ reportId: 'r1', webhookId: 'w1', type, values });
    const parse = (body: string | object) => eventsOf(simpletexting, inbound(body));

    it('maps the states of a message', () => {
      const values = { messageId: 'm1', accountPhone: '8005551234', contactPhone: '5551234567', carrier: 'Verizon' };
      const known = { id: 'r1', providerMessageId: 'm1', recipient: '+15551234567' };
      expect(parse(report('DELIVERY_REPORT', values))).toEqual([{ ...known, kind: 'delivered' }]);
      expect(parse([report('NON_DELIVERED_REPORT', values)])).toEqual([{ ...known, kind: 'failed' }]);
    });

    it('reads a report without an envelope', () => {
      const values = { messageId: 'm1', accountPhone: '8005551234', contactPhone: '5551234567', category: 'SMS' };
      const known = { id: 'm1:DELIVERY_REPORT', providerMessageId: 'm1', recipient: '+15551234567' };
      expect(parse({ type: 'DELIVERY_REPORT', ...values })).toEqual([{ ...known, kind: 'delivered' }]);
      expect(parse({ trigger: 'DELIVERY_REPORT', ...values })).toEqual([{ ...known, kind: 'delivered' }]);
    });

    it('reads an unsubscribe report, which has no message', () =>
      expect(parse(report('UNSUBSCRIBE_REPORT', { contactId: 'c1', phone: '5551234567' }))).toEqual([
        { id: 'r1', kind: 'unsubscribed', recipient: '+15551234567' },
      ]));

    it.each([
      '',
      'null',
      '[]',
      '[null]',
      '{}',
      '<html>',
      report('INCOMING_MESSAGE', { messageId: 'm1', contactPhone: '5551234567' }),
      report('constructor', { messageId: 'm1' }),
      report('DELIVERY_REPORT', {}),
      { type: 'DELIVERY_REPORT', values: { contactPhone: '5551234567' } },
      { messageId: 'm1', contactPhone: '5551234567' },
    ])('returns no event for %j', (body) => expect(parse(body)).toEqual([]));
  });
});
