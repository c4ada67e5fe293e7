import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { brevoSms } from './brevo-sms.provider';

describe('Brevo SMS', () => {
  const rig = testProviderContract(brevoSms, {
    credentials: { from: 'Clarion' },
    // The id has more digits than a JavaScript number can hold.
    success: { status: 201, text: '{"messageId": 9151188290017622001}' },
    id: '9151188290017622001',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    await rig.send();
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v3/transactionalSMS/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      'api-key': 'canary-api-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      sender: 'Clarion',
      recipient: '15551234567',
      content: 'hi',
      type: 'transactional',
      tag: 'message-1',
    });
  });

  it('calls the former endpoint when the current one answers 404', async () => {
    rig.stage.fake.always('/v3/transactionalSMS/send', { status: 404, json: { code: 'not_found', message: 'no' } });
    expect(await rig.send()).toMatchObject({ ok: true, id: '9151188290017622001' });
    expect(rig.calls.map(({ path }) => path)).toEqual(['/v3/transactionalSMS/send', '/v3/transactionalSMS/sms']);
    expect(rig.calls[1]!.body).toBe(rig.calls[0]!.body);
  });

  it('uses the sender of the message, sends any text, applies overrides and requests reports', async () => {
    const context = {
      ...rig.stage.context('brevo-sms', { type: 'marketing', organisation_prefix: 'Shop', recipient: '1' }),
      callbackUrl: 'https://clarion.example/hook?token=canary-key',
    };
    const result = await brevoSms.send(
      { ...SMS, from: 'Other', content: 'Привет 👋' },
      { ...CREDENTIALS, from: 'Clarion' },
      context,
    );
    expect(result).toMatchObject({ warnings: [expect.stringContaining('recipient')] });
    expect(body()).toEqual({
      sender: 'Other',
      recipient: '15551234567',
      content: 'Привет 👋',
      type: 'marketing',
      tag: 'message-1',
      unicodeEnabled: true,
      webUrl: 'https://clarion.example/hook?token=canary-key',
      organisationPrefix: 'Shop',
    });
  });

  it.each([
    [400, 'invalid_parameter', 'permanent'],
    [400, 'not_enough_credits', 'quota'],
    [402, 'not_enough_credits', 'quota'],
    [402, 'anything', 'quota'],
    [401, 'unauthorized', 'credentials'],
    [400, 'permission_denied', 'credentials'],
    [403, 'account_under_validation', 'credentials'],
    [429, 'too_many_requests', 'rate-limited'],
    [201, 'not_enough_credits', 'quota'],
    [201, 'invalid_parameter', 'permanent'],
  ])('classifies a %d with code %s as %s', async (status, code, kind) => {
    expect(await rig.answering({ status, json: { code, message: 'no' } })).toMatchObject({
      ok: false,
      kind,
      message: 'no',
    });
  });

  it('reports an unknown outcome for a 201 without an id', async () => {
    const json = { reference: 'ab1', remainingCredits: 82.85 };
    expect(await rig.answering({ status: 201, json })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v3/account' });
    expect(rig.calls[0]!.headers['api-key']).toBe('canary-api-key');
  });

  describe('delivery events', () => {
    testSharedKeyVerification(brevoSms);
    const parse = (body: string | object) => eventsOf(brevoSms, inbound(body));

    it('keeps all digits of the message id', () => {
      const text =
        '{"id":26570,"to":"15551234567","messageId":9151188290017622001,"msg_status":"delivered",' +
        '"ts_event":1767268800,"tag":"message-1","type":"transactional"}';
      const event = {
        id: '9151188290017622001:delivered',
        kind: 'delivered',
        providerMessageId: '9151188290017622001',
        messageId: 'message-1',
        recipient: '15551234567',
        at: new Date('2026-01-01T12:00:00Z'),
      };
      expect(parse(text)).toEqual([event]);
      expect(parse(`[${text},${text.replaceAll('1767268800', '1767268801')}]`)).toEqual([
        event,
        { ...event, at: new Date('2026-01-01T12:00:01Z') },
      ]);
    });

    it.each([
      ['sent', 'sent', undefined],
      ['accepted', 'sent', undefined],
      ['delivered', 'delivered', undefined],
      ['soft_bounce', 'bounced', undefined],
      ['softBounce', 'bounced', undefined],
      ['hard_bounce', 'bounced', true],
      ['hardBounce', 'bounced', true],
      ['rejected', 'rejected', undefined],
      ['blacklisted', 'rejected', undefined],
      ['unsubscribe', 'unsubscribed', undefined],
    ])('maps the status %s to the event %s', (msg_status, kind, isPermanent) => {
      const [event] = parse({ messageId: 1, msg_status, description: 'as it says' });
      expect(event).toMatchObject({ kind, providerMessageId: '1', reason: 'as it says' });
      expect(event!.isPermanent).toBe(isPermanent);
    });

    it('reads the status and the reason from alternative members', () => {
      expect(parse({ messageId: 1, status: 'hard_bounce', errorCode: 21 })).toEqual([
        { id: '1:hardbounce', kind: 'bounced', providerMessageId: '1', isPermanent: true, reason: '21' },
      ]);
      expect(parse({ messageId: 1, msg_status: 'delivered', status: 'OK' })).toMatchObject([{ kind: 'delivered' }]);
    });

    it.each([
      '',
      'null',
      '[]',
      '[null]',
      '{}',
      '<html>',
      '{"messageId":1}',
      '{"msg_status":"sent"}',
      '{"messageId":1,"msg_status":"replied"}',
      '{"messageId":1,"msg_status":"constructor"}',
    ])('returns no event for the body %p', (text) => expect(parse(text)).toEqual([]));
  });
});
