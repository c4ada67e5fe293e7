import { basic } from '../call';
import { hmac } from '../events';
import {
  eventsOf,
  inbound,
  inboundContext,
  keepsTheContract,
  readsNothingIntoGarbage,
  verdictOf,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { plivo } from './plivo.provider';

const rig = keepsTheContract(plivo, {
  credentials: { accountSid: 'MA/1', from: '+15550000000' },
  success: { status: 202, json: { api_id: 'a', message: 'message(s) queued', message_uuid: ['uuid-1'] } },
  id: 'uuid-1',
});
const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

it('posts JSON to the account', async () => {
  await rig.send({ content: 'Grüße 🙂' });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v1/Account/MA%2F1/Message/' });
  expect(rig.calls[0]!.headers).toMatchObject({
    authorization: basic('MA/1', 'canary-token'),
    'content-type': 'application/json',
  });
  expect(body()).toEqual({ src: '+15550000000', dst: '+15551234567', text: 'Grüße 🙂' });
});

it('asks for reports where the integration wants them', async () => {
  const callbackUrl = 'https://clarion.example/hook';
  await plivo.send(SMS, CREDENTIALS, { ...rig.stage.context('plivo'), callbackUrl });
  expect(body()).toMatchObject({ url: callbackUrl, method: 'POST' });
});

it('takes a sender and overrides, but nobody else to write to', async () => {
  const result = await rig.send({ from: 'Own', customData: { dltEntityId: 'e' } }, { log: false, dst: '1<2' });
  expect(body()).toEqual({ src: 'Own', dst: '+15551234567', text: 'hi', dlt_entity_id: 'e', log: false });
  expect(result).toMatchObject({ warnings: [expect.stringContaining('dst')] });
});

it('lets a powerpack choose the sender', async () => {
  await rig.send({}, { powerpackUuid: 'p-1' });
  expect(body()).toEqual({ dst: '+15551234567', text: 'hi', powerpack_uuid: 'p-1' });
});

it.each([
  [400, { error: 'src parameter not present' }, 'permanent', 'src parameter not present'],
  [401, { error: 'authentication_failed' }, 'credentials', 'authentication_failed'],
  [402, { error: 'no credit' }, 'quota', 'no credit'],
  [404, { error: 'not found' }, 'permanent', 'not found'],
  [202, { error: 'surprise' }, 'permanent', 'surprise'],
  [202, { message: 'message(s) queued', message_uuid: [] }, 'unknown-outcome', undefined],
  [202, { message: 'message(s) queued', message_uuid: [], invalid_number: ['1'] }, 'recipient', undefined],
])('understands a %d with %j: %s', async (status, json, kind, message) => {
  const result = await rig.answering({ status, json: { api_id: 'a', ...json } });
  expect(result).toMatchObject({ ok: false, kind, ...(message !== undefined && { message }) });
});

it('looks at the account to check the credentials', async () => {
  await rig.check();
  expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v1/Account/MA%2F1/' });
});

describe('reports', () => {
  const URL_CALLED = 'https://clarion.example/hook';
  const signature = hmac('sha256', 'canary-token', `${URL_CALLED}05429567804466091622`, 'base64');
  const context = inboundContext(undefined, { token: 'canary-token' });
  const signed = (headers: Record<string, string>, url = `${URL_CALLED}?a=b`) =>
    inbound('Status=sent', { url, headers: { 'x-plivo-signature-v2-nonce': '05429567804466091622', ...headers } });

  it('are believed with the signature of the account or of its main account', async () => {
    expect(await verdictOf(plivo, signed({ 'x-plivo-signature-v2': signature }), context)).toBe(true);
    expect(await verdictOf(plivo, signed({ 'x-plivo-signature-ma-v2': signature }), context)).toBe(true);
  });

  it('are not believed without it, at another address or with another token', async () => {
    const right = { 'x-plivo-signature-v2': signature };
    expect(await verdictOf(plivo, signed({}), context)).toBe(false);
    expect(await verdictOf(plivo, signed({ ...right, 'x-plivo-signature-v2-nonce': '1' }), context)).toBe(false);
    expect(await verdictOf(plivo, signed(right, 'https://clarion.example/other'), context)).toBe(false);
    expect(await verdictOf(plivo, signed(right), inboundContext(undefined, { token: 'other' }))).toBe(false);
    expect(await verdictOf(plivo, signed(right), inboundContext('canary-token'))).toBe(false);
    const bare = hmac('sha256', 'canary-token', URL_CALLED, 'base64');
    const call = inbound('', { url: URL_CALLED, headers: { 'x-plivo-signature-v2': bare } });
    expect(await verdictOf(plivo, call, context)).toBe(false);
  });

  const REPORT = {
    MessageUUID: 'uuid-1',
    To: '15551234567',
    From: '15550000000',
    Type: 'sms',
    SentTime: '2026-01-01 11:58:00.123456',
  };

  it.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['undelivered', 'bounced'],
    ['failed', 'failed'],
    ['rejected', 'rejected'],
    ['read', 'read'],
  ])('say %s: %s', (Status, kind) => {
    const form = new URLSearchParams({ ...REPORT, Status }).toString();
    const expected = [
      {
        id: `uuid-1:${Status}`,
        kind,
        providerMessageId: 'uuid-1',
        recipient: '15551234567',
        at: new Date('2026-01-01T11:58:00.123Z'),
      },
    ];
    expect(eventsOf(plivo, inbound(form))).toEqual(expected);
    expect(eventsOf(plivo, inbound('', { method: 'GET', url: `${URL_CALLED}?${form}` }))).toEqual(expected);
  });

  it('take the time of the carrier where it is there', () => {
    const form = new URLSearchParams({
      ...REPORT,
      Status: 'delivered',
      DeliveryReportTime: '2026-01-01 11:59:00.000000',
    });
    expect(eventsOf(plivo, inbound(form.toString()))).toMatchObject([{ at: new Date('2026-01-01T11:59:00Z') }]);
  });

  it.each([
    ['50', true],
    ['70', true],
    ['80', undefined],
    ['30', undefined],
    ['200', undefined],
  ])('with error %s end the number: %s', (ErrorCode, isPermanent) => {
    const form = new URLSearchParams({ ...REPORT, Status: 'failed', ErrorCode }).toString();
    const [event] = eventsOf(plivo, inbound(form));
    expect(event).toMatchObject({ kind: isPermanent ? 'bounced' : 'failed', reason: `Error code ${ErrorCode}` });
    expect(event!.isPermanent).toBe(isPermanent);
  });

  it('of what is only queued are left out', () => {
    expect(eventsOf(plivo, inbound('MessageUUID=uuid-1&Status=queued'))).toEqual([]);
  });

  readsNothingIntoGarbage(plivo);
});
