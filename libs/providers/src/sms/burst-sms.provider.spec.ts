import { basic } from '../call';
import {
  believesTheSharedKey,
  eventsOf,
  inbound,
  keepsTheContract,
  readsNothingIntoGarbage,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { burstSms } from './burst-sms.provider';

const SUCCESS = '"recipients":1,"cost":1,"error":{"code":"SUCCESS","description":"OK"}}';

const rig = keepsTheContract(burstSms, {
  credentials: { from: '' },
  success: { text: `{"message_id":9007199254740993,"send_at":"2026-01-01 11:59:59",${SUCCESS}` },
  // A number that JavaScript cannot hold.
  id: '9007199254740993',
});
const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

it('posts a form', async () => {
  const result = await rig.send({ content: 'Grüße 🙂' });
  expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T11:59:59Z') });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/send-sms.json' });
  expect(rig.calls[0]!.headers).toMatchObject({
    authorization: basic('canary-api-key', 'canary-secret-key'),
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(form()).toEqual({ to: '15551234567', message: 'Grüße 🙂' });
});

it('asks for reports that bring our id back', async () => {
  const callbackUrl = 'https://clarion.example/hook?token=canary-key';
  await burstSms.send(SMS, CREDENTIALS, { ...rig.stage.context('burst-sms'), callbackUrl });
  expect(form()).toMatchObject({ dlr_callback: `${callbackUrl}&reference=message-1` });
});

it('takes a sender and overrides, but nobody else to write to', async () => {
  const result = await rig.send(
    { from: 'Own' },
    { validity: 5, replyCallback: 'https://x.example', to: '1,2', list_id: 9 },
  );
  expect(form()).toEqual({
    to: '15551234567',
    from: 'Own',
    message: 'hi',
    validity: '5',
    reply_callback: 'https://x.example',
  });
  expect(result).toMatchObject({ warnings: [expect.stringContaining('to'), expect.stringContaining('list_id')] });
});

it.each([
  [401, 'AUTH_FAILED', 'credentials'],
  [401, 'AUTH_FAILED_NO_DATA', 'credentials'],
  [404, 'NOT_IMPLEMENTED', 'permanent'],
  [400, 'FIELD_EMPTY', 'content'],
  [400, 'FIELD_INVALID', 'content'],
  [400, 'NO_ACCESS', 'credentials'],
  [400, 'KEY_EXISTS', 'permanent'],
  [400, 'LEDGER_ERROR', 'quota'],
  [400, 'BAD_CALLER_ID', 'credentials'],
  [400, 'RECIPIENTS_ERROR', 'recipient'],
  [400, 'LIST_EMPTY', 'recipient'],
  [429, 'OVER_LIMIT', 'rate-limited'],
  [200, 'LEDGER_ERROR', 'quota'],
  [200, 'SOMETHING_NEW', 'permanent'],
])('understands a %d with %s: %s', async (status, code, kind) => {
  const result = await rig.answering({ status, json: { error: { code, description: 'no' } } });
  expect(result).toMatchObject({ ok: false, kind, message: 'no' });
});

it.each([
  [200, { message_id: 1, fails: ['15551234567'], error: { code: 'SUCCESS' } }],
  [200, { message_id: 1, optouts: ['15551234567'], error: { code: 'SUCCESS' } }],
  [400, { error: { code: 'RECIPIENTS_ERROR', description: { fails: ['15551234567'], optouts: [] } } }],
])('sees in a %d with %j that the number was left out', async (status, json) => {
  expect(await rig.answering({ status, json })).toMatchObject({
    ok: false,
    kind: 'recipient',
    message: expect.stringContaining('number') as string,
  });
});

it('has the code where there are no words', async () => {
  const json = { error: { code: 'SOMETHING_NEW', description: {} } };
  expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'permanent', message: 'SOMETHING_NEW' });
});

it('does not believe in a message without an id', async () => {
  expect(await rig.answering({ text: `{${SUCCESS}` })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
});

it('looks at the balance to check the credentials', async () => {
  await rig.check();
  expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/get-balance.json' });
  expect(rig.calls[0]!.headers.authorization).toBe(basic('canary-api-key', 'canary-secret-key'));
});

describe('reports', () => {
  const REPORT = {
    message_id: '9007199254740993',
    mobile: '15551234567',
    datetime: '2026-01-01 11:58:00',
    user_id: '1',
  };
  const got = (fields: Record<string, string>) =>
    inbound('', { method: 'GET', url: `https://clarion.example/hook?${new URLSearchParams(fields).toString()}` });

  believesTheSharedKey(burstSms);

  it.each([
    ['delivered', 'delivered', undefined],
    ['pending', 'deferred', undefined],
    ['soft-bounce', 'bounced', undefined],
    ['hard-bounce', 'bounced', true],
  ])('say %s: %s', (status, kind, isPermanent) => {
    expect(eventsOf(burstSms, got({ ...REPORT, status, reference: 'message-1' }))).toEqual([
      {
        id: `9007199254740993:${status}:2026-01-01 11:58:00`,
        kind,
        providerMessageId: '9007199254740993',
        messageId: 'message-1',
        recipient: '15551234567',
        at: new Date('2026-01-01T11:58:00Z'),
        ...(isPermanent && { isPermanent }),
      },
    ]);
  });

  it('of an unknown state are left out', () => {
    expect(eventsOf(burstSms, got({ ...REPORT, status: 'other' }))).toEqual([]);
  });

  readsNothingIntoGarbage(burstSms);
});
