import { basic } from '../call';
import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { burstSms } from './burst-sms.provider';

describe('Burst SMS', () => {
  const SUCCESS = '"recipients":1,"cost":1,"error":{"code":"SUCCESS","description":"OK"}}';

  const rig = testProviderContract(burstSms, {
    credentials: { from: '' },
    success: { text: `{"message_id":9007199254740993,"send_at":"2026-01-01 11:59:59",${SUCCESS}` },
    // The id has more digits than a JavaScript number can hold.
    id: '9007199254740993',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a message as a form with the documented headers', async () => {
    const result = await rig.send({ content: 'Grüße 🙂' });
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T11:59:59Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/send-sms.json' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('canary-api-key', 'canary-secret-key'),
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form()).toEqual({ to: '15551234567', message: 'Grüße 🙂' });
  });

  it("requests reports with Clarion's message id in the callback URL", async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    await burstSms.send(SMS, CREDENTIALS, { ...rig.stage.context('burst-sms'), callbackUrl });
    expect(form()).toMatchObject({ dlr_callback: `${callbackUrl}&reference=message-1` });
  });

  it('uses the sender of the message, applies overrides and ignores those of the recipient', async () => {
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
  ])('classifies a %d with code %s as %s', async (status, code, kind) => {
    const result = await rig.answering({ status, json: { error: { code, description: 'no' } } });
    expect(result).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it.each([
    [200, { message_id: 1, fails: ['15551234567'], error: { code: 'SUCCESS' } }],
    [200, { message_id: 1, optouts: ['15551234567'], error: { code: 'SUCCESS' } }],
    [400, { error: { code: 'RECIPIENTS_ERROR', description: { fails: ['15551234567'], optouts: [] } } }],
  ])('classifies a %d with %j, which lists the number as rejected, as a recipient failure', async (status, json) => {
    expect(await rig.answering({ status, json })).toMatchObject({
      ok: false,
      kind: 'recipient',
      message: expect.stringContaining('number') as string,
    });
  });

  it('reports the code of an error without a text', async () => {
    const json = { error: { code: 'SOMETHING_NEW', description: {} } };
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'permanent', message: 'SOMETHING_NEW' });
  });

  it('reports an unknown outcome for a success without an id', async () => {
    expect(await rig.answering({ text: `{${SUCCESS}` })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('reads the balance to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/get-balance.json' });
    expect(rig.calls[0]!.headers.authorization).toBe(basic('canary-api-key', 'canary-secret-key'));
  });

  describe('delivery events', () => {
    const REPORT = {
      message_id: '9007199254740993',
      mobile: '15551234567',
      datetime: '2026-01-01 11:58:00',
      user_id: '1',
    };
    const got = (fields: Record<string, string>) =>
      inbound('', { method: 'GET', url: `https://clarion.example/hook?${new URLSearchParams(fields).toString()}` });

    testSharedKeyVerification(burstSms);

    it.each([
      ['delivered', 'delivered', undefined],
      ['pending', 'deferred', undefined],
      ['soft-bounce', 'bounced', undefined],
      ['hard-bounce', 'bounced', true],
    ])('maps the status %s to the event %s', (status, kind, isPermanent) => {
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

    it('skips an unknown status', () => {
      expect(eventsOf(burstSms, got({ ...REPORT, status: 'other' }))).toEqual([]);
    });

    testUnreadableEvents(burstSms);
  });
});
