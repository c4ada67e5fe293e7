import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { firetext } from './firetext.provider';

describe('FireText', () => {
  const rig = testProviderContract(firetext, {
    credentials: { from: 'Clarion' },
    success: {
      text: '0:1 SMS successfully queued',
      headers: { 'X-Message': 'ft-1', Date: 'Thu, 01 Jan 2026 11:59:59 GMT' },
    },
    id: 'ft-1',
    check: { text: '0:42 SMS credits' },
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a form with the key in the body', async () => {
    const result = await rig.send();
    expect(result).toMatchObject({ ok: true, id: 'ft-1', date: new Date('2026-01-01T11:59:59Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/sendsms' });
    expect(rig.calls[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form()).toEqual({
      apiKey: 'canary-api-key',
      to: '15551234567',
      from: 'Clarion',
      message: 'hi',
      reference: 'message-1',
    });
  });

  it('lets FireText detect the encoding of a text outside the GSM alphabet', async () => {
    await rig.send({ content: 'Grüße 🙂' });
    expect(form()).toMatchObject({ message: 'Grüße 🙂', unicode: '2' });
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    await firetext.send(SMS, CREDENTIALS, { ...rig.stage.context('firetext'), callbackUrl });
    expect(form()).toMatchObject({ receipt: callbackUrl });
  });

  it('uses the sender of the message, applies overrides and ignores those of recipient and key', async () => {
    const result = await rig.send(
      { from: 'Own' },
      { schedule: '2026-05-22 17:00', unicode: 1, to: '1,2', apiKey: 'x' },
    );
    expect(form()).toMatchObject({ from: 'Own', schedule: '2026-05-22 17:00', unicode: '1', to: '15551234567' });
    expect(form()).toMatchObject({ apiKey: 'canary-api-key' });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('to'), expect.stringContaining('apiKey')] });
  });

  it.each([
    ['1:0 Authentication error', 'credentials'],
    ['2:0 Destination number(s) error', 'recipient'],
    ['3:0 From error', 'credentials'],
    ['4:0 Group not recognised', 'recipient'],
    ['5:0 Message error', 'content'],
    ['6:0 Send time error', 'content'],
    ['7:0 Insufficient credit', 'quota'],
    ['8:0 Invalid delivery receipt URL', 'content'],
    ['9:0 Sub-account error', 'credentials'],
    ['12:0 Message loop detected', 'content'],
    ['99:0 Another', 'permanent'],
  ])('classifies %p in a 200 as %s', async (text, kind) => {
    const result = await rig.answering({ text });
    expect(result).toMatchObject({ ok: false, kind, message: text.slice(text.indexOf(':') + 1), status: 200 });
  });

  it.each(['0', 'x0:1 SMS', '0 1', '{"code":0}'])('reports an unknown outcome for the body %p', async (text) => {
    expect(await rig.answering({ text })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('reads a JSON response', async () => {
    const responseOf = (code: number, description: string) => ({ json: { code, description, responseData: null } });
    expect(await rig.answering(responseOf(0, '1 SMS successfully queued'))).toMatchObject({ ok: true });
    expect(await rig.answering(responseOf(7, 'Insufficient credit'))).toMatchObject({
      ok: false,
      kind: 'quota',
      message: 'Insufficient credit',
    });
  });

  it('accepts a success without an id', async () => {
    const result = await rig.answering({ text: '0:1 SMS successfully queued' });
    expect(result).toMatchObject({ ok: true });
    expect(result).not.toHaveProperty('id');
  });

  it('reads the credit to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/credit' });
    expect(form()).toEqual({ apiKey: 'canary-api-key' });
    rig.stage.fake.always('/', { text: '1:0 Authentication error' });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
    rig.stage.fake.always('/', { status: 404 });
    expect(await rig.check()).toMatchObject({ ok: true });
  });

  describe('delivery events', () => {
    const REPORT = { mobile: '15551234567', reference: 'message-1', time: '2026-01-01 11:58:00' };
    const posted = (fields: Record<string, string>) =>
      inbound(new URLSearchParams({ ...REPORT, ...fields }).toString());

    testSharedKeyVerification(firetext);

    it.each([
      ['0', '000', 'delivered'],
      ['1', '102', 'bounced'],
      ['2', '103', 'deferred'],
    ])('maps the status %s with code %s to the event %s', (status, code, kind) => {
      expect(eventsOf(firetext, posted({ status, code }))).toEqual([
        {
          id: `message-1:${status}:2026-01-01 11:58:00`,
          kind,
          messageId: 'message-1',
          recipient: '15551234567',
          at: new Date('2026-01-01T11:58:00Z'),
          ...(status === '1' && { reason: `Code ${code}` }),
        },
      ]);
    });

    it.each(['101', '201'])('turns a failure with code %s into a permanent bounce', (code) => {
      expect(eventsOf(firetext, posted({ status: '1', code }))).toMatchObject([{ kind: 'bounced', isPermanent: true }]);
      expect(eventsOf(firetext, posted({ status: '2', code }))[0]).not.toHaveProperty('isPermanent');
    });

    it('skips an unknown status', () => {
      expect(eventsOf(firetext, posted({ status: '7' }))).toEqual([]);
    });

    testUnreadableEvents(firetext);
  });
});
