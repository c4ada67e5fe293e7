import {
  eventsOf,
  inbound,
  inboundContext,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { smsCentral } from './sms-central.provider';

describe('SMS Central', () => {
  const rig = testProviderContract(smsCentral, {
    credentials: { user: 'ann', from: 'shared', baseUrl: '' },
    success: { text: '0' },
    // The provider returns no id, so Clarion's is used.
    id: 'message-1',
    check: { text: '<balance>125.34</balance>' },
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a form with field names in upper case', async () => {
    await rig.send({ content: 'Grüße & 🙂' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v3.2' });
    expect(rig.calls[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form()).toEqual({
      USERNAME: 'ann',
      PASSWORD: 'canary-password',
      ACTION: 'send',
      ORIGINATOR: 'shared',
      RECIPIENT: '15551234567',
      MESSAGE_TEXT: 'Grüße & 🙂',
      REFERENCE: 'message-1',
    });
  });

  it('calls the base URL of the integration', async () => {
    await rig.send({}, {}, { baseUrl: 'https://sms.example.com/wrapper/sms' });
    expect(rig.calls[0]).toMatchObject({ path: '/wrapper/sms' });
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    const context = { ...rig.stage.context('sms-central'), callbackUrl };
    await smsCentral.send(SMS, { ...CREDENTIALS, baseUrl: '' }, context);
    expect(form()).toMatchObject({ URL: callbackUrl });
  });

  it('uses the sender of the message, applies overrides and ignores those of recipient and user', async () => {
    const overrides = { CAMPAIGN: 'spring', REPLYTYPE: ['HTTP'], RECIPIENT: '1', USERNAME: 'x' };
    const result = await rig.send({ from: 'Own' }, overrides);
    expect(form()).toMatchObject({ ORIGINATOR: 'Own', RECIPIENT: '15551234567', USERNAME: 'ann' });
    expect(form()).toMatchObject({ CAMPAIGN: 'spring', REPLYTYPE: 'HTTP' });
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('RECIPIENT'), expect.stringContaining('USERNAME')],
    });
  });

  it.each([
    [200, '511 Username or Password incorrect', 'credentials', 'Username or Password incorrect'],
    [200, '511\nUsername or Password incorrect\n', 'credentials', 'Username or Password incorrect'],
    [200, '599 Something else', 'permanent', 'Something else'],
    [200, '599', 'permanent', 'Code 599'],
    [500, 'Out of order', 'transient', 'The provider answered with status 500'],
    [500, '599 Something else', 'transient', 'Something else'],
    [200, '0 or so', 'unknown-outcome', undefined],
    [200, '00', 'unknown-outcome', undefined],
  ])('classifies a %d with the text %p as %s', async (status, text, kind, message) => {
    expect(await rig.answering({ status, text })).toMatchObject({ ok: false, kind, ...(message && { message }) });
  });

  it('accepts a success code with a trailing line break', async () => {
    expect(await rig.answering({ text: '0\n' })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it('reads the balance to check the credentials', async () => {
    rig.stage.fake.always('/', { text: '<balance>1</balance>' });
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v3.2' });
    expect(form()).toEqual({ USERNAME: 'ann', PASSWORD: 'canary-password', ACTION: 'balance' });
    rig.stage.fake.always('/', { text: '511 Username or Password incorrect' });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
    rig.stage.fake.always('/', { text: '0' });
    expect(await rig.check()).toMatchObject({ ok: true });
  });

  describe('delivery events', () => {
    const REPORT = {
      USER_NAME: 'x',
      PASSWORD: 'right',
      ORIGINATOR: '61435748922',
      RECIPIENT: '15551234567',
      PROVIDER: 'default',
      ID: '17',
      REFERENCE: 'message-1',
      RESULT: '0',
      UDH: '0500038A0302',
    };
    const got = (fields: Record<string, string>) =>
      inbound('', { method: 'GET', url: `https://clarion.example/hook?${new URLSearchParams(fields).toString()}` });

    testSharedKeyVerification(smsCentral);

    it('accepts a report with the password of the callback URL', async () => {
      expect(await verdictOf(smsCentral, got(REPORT), inboundContext('right'))).toBe(true);
      expect(await verdictOf(smsCentral, got(REPORT), inboundContext('wrong'))).toBe(false);
      expect(await verdictOf(smsCentral, got({ ...REPORT, PASSWORD: '' }), inboundContext())).toBe(false);
    });

    it.each([
      ['DELIVERD', 'delivered'],
      ['DELIVERED', 'delivered'],
      ['BUFFRED', 'deferred'],
      ['BUFFERED', 'deferred'],
      ['FAILED', 'failed'],
    ])('maps the status %s to the event %s', (STATUS, kind) => {
      expect(eventsOf(smsCentral, got({ ...REPORT, STATUS, STATUSDESCRIPTION: 'no route' }))).toEqual([
        {
          id: `message-1:${STATUS}:17:0500038A0302`,
          kind,
          providerMessageId: 'message-1',
          messageId: 'message-1',
          recipient: '15551234567',
          ...(STATUS === 'FAILED' && { reason: 'no route' }),
        },
      ]);
    });

    it('skips an unknown status', () => {
      expect(eventsOf(smsCentral, got({ ...REPORT, STATUS: 'OTHER' }))).toEqual([]);
    });

    testUnreadableEvents(smsCentral);
  });
});
