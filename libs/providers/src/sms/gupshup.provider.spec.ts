import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { gupshup } from './gupshup.provider';

describe('Gupshup', () => {
  const rig = testProviderContract(gupshup, {
    credentials: { user: '2000190745', from: '' },
    success: { text: 'success | 15551234567 | 3562707498794989059-328736121207676738' },
    id: '3562707498794989059-328736121207676738',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a message as a form with the documented headers', async () => {
    await rig.send();
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/GatewayAPI/rest' });
    expect(rig.calls[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form()).toEqual({
      method: 'SendMessage',
      send_to: '15551234567',
      msg: 'hi',
      msg_type: 'TEXT',
      auth_scheme: 'plain',
      v: '1.1',
      format: 'text',
      userid: '2000190745',
      password: 'canary-password',
    });
  });

  it('sends text outside the GSM alphabet as Unicode', async () => {
    await rig.send({ content: 'नमस्ते' });
    expect(form()).toMatchObject({ msg: 'नमस्ते', msg_type: 'Unicode_text' });
  });

  it('uses the sender of the message, applies overrides and ignores those of recipient and user', async () => {
    const result = await rig.send(
      { from: 'TESTIN', customData: { principalEntityId: 'p', dltTemplateId: 't' } },
      { override_dnd: true, send_to: '1,2', userid: 'x' },
    );
    expect(form()).toMatchObject({ mask: 'TESTIN', principalEntityId: 'p', dltTemplateId: 't', override_dnd: 'true' });
    expect(form()).toMatchObject({ send_to: '15551234567', userid: '2000190745' });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('send_to'), expect.stringContaining('userid')] });
  });

  it.each([
    ['100', 'transient'],
    ['101', 'permanent'],
    ['102', 'credentials'],
    ['103', 'credentials'],
    ['104', 'credentials'],
    ['105', 'recipient'],
    ['106', 'credentials'],
    ['108', 'credentials'],
    ['175', 'credentials'],
  ])('classifies code %s in a 200 as %s', async (code, kind) => {
    const result = await rig.answering({ text: `error | ${code} | It was | not sent.\n` });
    expect(result).toMatchObject({ ok: false, kind, message: 'It was | not sent.', status: 200 });
  });

  it.each(['success', 'success | 1555', 'success | 1555 | ', 'fine | 1 | 2'])(
    'reports an unknown outcome for the body %p',
    async (text) => {
      expect(await rig.answering({ text })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
    },
  );

  it('redacts the password in all its encodings', async () => {
    const password = 'canary & co+ü/"ß"';
    rig.stage.fake.always('/', ({ body }) => ({
      status: 400,
      text: `${body} ${password} ${body.replaceAll('+', '%20')}`,
    }));
    const result = await rig.send({}, {}, { password });
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(JSON.stringify(result)).toContain('[redacted]');
  });

  describe('delivery events', () => {
    const FIELDS = {
      externalId: '3562-17',
      deliveredTS: '1767268680000',
      phoneNo: '15551234567',
      noOfFrags: '1',
      mask: 'X',
    };
    const EVENT = {
      externalId: '3562-17',
      eventTs: 1767268680000,
      destAddr: 919892488888,
      srcAddr: 'TESTIN',
      channel: 'SMS',
      noOfFrags: 1,
    };
    const got = (fields: Record<string, string>) =>
      inbound('', { method: 'GET', url: `https://clarion.example/hook?${new URLSearchParams(fields).toString()}` });
    const posted = (events: object[]) => inbound(new URLSearchParams({ response: JSON.stringify(events) }).toString());
    const AT = new Date('2026-01-01T11:58:00Z');

    testSharedKeyVerification(gupshup);

    it.each([
      ['SUCCESS', 'SUCCESS', '000', 'delivered'],
      ['Success', 'SUCCESS', '000', 'delivered'],
      ['FAILURE', 'SERVICE_DOWN', '004', 'failed'],
      ['FAILURE', 'ABSENT_SUBSCRIBER', '001', 'bounced'],
      ['FAILURE', 'DND_FAIL', '006', 'rejected'],
    ])('maps the status %s with the cause %s of a GET', (status, cause, errCode, kind) => {
      expect(eventsOf(gupshup, got({ ...FIELDS, status, cause, errCode }))).toEqual([
        {
          id: `3562-17:${status.toUpperCase()}:1767268680000`,
          kind,
          providerMessageId: '3562-17',
          recipient: '15551234567',
          at: AT,
          ...(kind !== 'delivered' && { reason: cause }),
        },
      ]);
    });

    it('reads a list of events from a form field', () => {
      const events = [
        { ...EVENT, eventType: 'DELIVERED', cause: 'SUCCESS', errCode: '000' },
        { ...EVENT, externalId: '3798-25', eventType: 'FAILED', cause: 'UNKNOWN_SUBSCRIBER', errCode: '003' },
        null,
        { ...EVENT, eventType: 'SUBMITTED' },
      ];
      expect(eventsOf(gupshup, posted(events as object[]))).toEqual([
        {
          id: '3562-17:DELIVERED:1767268680000',
          kind: 'delivered',
          providerMessageId: '3562-17',
          recipient: '919892488888',
          at: AT,
        },
        {
          id: '3798-25:FAILED:1767268680000',
          kind: 'bounced',
          isPermanent: true,
          providerMessageId: '3798-25',
          recipient: '919892488888',
          at: AT,
          reason: 'UNKNOWN_SUBSCRIBER',
        },
      ]);
    });

    it('reads a list of events from JSON', () => {
      const event = { externalId: '3562-1', eventType: 'DELIVERED', eventTs: AT.getTime() };
      for (const body of [[event, event], { response: [event, event] }]) {
        expect(eventsOf(gupshup, inbound(body))).toMatchObject([
          { kind: 'delivered', providerMessageId: '3562-1', at: AT },
          { kind: 'delivered' },
        ]);
      }
    });

    it('skips an unknown status and a body without a list', () => {
      expect(eventsOf(gupshup, got({ ...FIELDS, status: 'UNKNOWN' }))).toEqual([]);
      expect(eventsOf(gupshup, inbound('response={"a":1}'))).toEqual([]);
    });

    testUnreadableEvents(gupshup);
  });
});
