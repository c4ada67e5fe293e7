import { bearer } from '../call';
import { believesTheSharedKey, eventsOf, inbound, keepsTheContract } from '../../test/contract';
import { simpletexting } from './simpletexting.provider';

const rig = keepsTheContract(simpletexting, {
  credentials: { from: '+1 (800) 555-1234' },
  success: { status: 201, json: { id: '507f191e810c19729de860ea', credits: 1 } },
  id: '507f191e810c19729de860ea',
});
const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

it('posts JSON, with numbers as they are written at home', async () => {
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
])('leaves to it how a longer text is sent: %#', async (content, mode) => {
  await rig.send({ content });
  expect(body()).toMatchObject({ mode });
});

it('takes a sender, any text and overrides', async () => {
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
])('understands a %d with %j', async (status, json, kind) => {
  expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
});

it('looks at the account to check the credentials', async () => {
  await rig.check();
  expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v2/api/tenant' });
  expect(rig.calls[0]!.headers.authorization).toBe(bearer('canary-api-key'));
});

describe('what it tells', () => {
  believesTheSharedKey(simpletexting);
  const report = (type: string, values: object) => ({ reportId: 'r1', webhookId: 'w1', type, values });
  const told = (body: string | object) => eventsOf(simpletexting, inbound(body));

  it('is where a message has got to', () => {
    const values = { messageId: 'm1', accountPhone: '8005551234', contactPhone: '5551234567', carrier: 'Verizon' };
    const known = { id: 'r1', providerMessageId: 'm1', recipient: '+15551234567' };
    expect(told(report('DELIVERY_REPORT', values))).toEqual([{ ...known, kind: 'delivered' }]);
    expect(told([report('NON_DELIVERED_REPORT', values)])).toEqual([{ ...known, kind: 'failed' }]);
  });

  it('may stand without its envelope', () => {
    const values = { messageId: 'm1', accountPhone: '8005551234', contactPhone: '5551234567', category: 'SMS' };
    const known = { id: 'm1:DELIVERY_REPORT', providerMessageId: 'm1', recipient: '+15551234567' };
    expect(told({ type: 'DELIVERY_REPORT', ...values })).toEqual([{ ...known, kind: 'delivered' }]);
    expect(told({ trigger: 'DELIVERY_REPORT', ...values })).toEqual([{ ...known, kind: 'delivered' }]);
  });

  it('is who wants no more', () =>
    expect(told(report('UNSUBSCRIBE_REPORT', { contactId: 'c1', phone: '5551234567' }))).toEqual([
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
  ])('is nothing in %j', (body) => expect(told(body)).toEqual([]));
});
