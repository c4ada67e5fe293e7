import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { SMS } from '../../test/samples';
import { africasTalking } from './africas-talking.provider';

describe("Africa's Talking", () => {
  const answer = (recipient: Record<string, unknown>) => ({
    status: 201,
    json: { SMSMessageData: { Message: 'Sent to 1/1 Total Cost: KES 0.8000', Recipients: [recipient] } },
  });
  const rig = testProviderContract(africasTalking, {
    credentials: { from: 'Clarion', user: 'shop' },
    success: answer({ statusCode: 101, number: '+15551234567', status: 'Success', messageId: 'ATXid_1' }),
    id: 'ATXid_1',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a message as a form with the documented headers', async () => {
    await rig.send();
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/version1/messaging' });
    expect(rig.calls[0]!.headers).toMatchObject({
      apikey: 'canary-api-key',
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form()).toEqual({
      username: 'shop',
      to: '+15551234567',
      message: 'hi',
      from: 'Clarion',
      bulkSMSMode: '1',
    });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const overrides = { enqueue: 1, linkId: 'l', retry_duration_in_hours: 2, username: 'other' };
    expect(await rig.send({ from: 'Other', content: 'Habari 👋+' }, overrides)).toMatchObject({
      warnings: [expect.stringContaining('username')],
    });
    expect(form()).toEqual({
      username: 'shop',
      to: '+15551234567',
      message: 'Habari 👋+',
      from: 'Other',
      bulkSMSMode: '1',
      enqueue: '1',
      linkId: 'l',
      retryDurationInHours: '2',
    });
  });

  it.each([
    ['shop', 'https://api.africastalking.com/version1/'],
    ['Sandbox', 'https://api.sandbox.africastalking.com/version1/'],
  ])('calls the live or sandbox API for the user %s', async (user, api) => {
    const urls: string[] = [];
    const http = {
      request: ({ url }: { url: string }) => {
        urls.push(url);
        return Promise.resolve({ status: 401, headers: {}, body: Buffer.alloc(0) });
      },
      addressOf: (url: string) => url,
    };
    const context = { ...rig.stage.context('africas-talking'), http };
    await africasTalking.send(SMS, { apiKey: 'canary', user }, context);
    await africasTalking.check!({ apiKey: 'canary', user }, context);
    expect(urls).toEqual([`${api}messaging`, `${api}user?username=${user}`]);
  });

  it.each([100, 101, 102])('accepts the recipient status %d', async (statusCode) => {
    expect(await rig.answering(answer({ statusCode, messageId: 'ATXid_2' }))).toMatchObject({
      ok: true,
      id: 'ATXid_2',
    });
  });

  it.each([
    [401, 'RiskHold', 'permanent'],
    [402, 'InvalidSenderId', 'credentials'],
    [403, 'InvalidPhoneNumber', 'recipient'],
    [404, 'UnsupportedNumberType', 'recipient'],
    [405, 'InsufficientBalance', 'quota'],
    [406, 'UserInBlacklist', 'recipient'],
    [407, 'CouldNotRoute', 'permanent'],
    [409, 'DoNotDisturbRejection', 'recipient'],
    [500, 'InternalServerError', 'transient'],
    [501, 'GatewayError', 'transient'],
    [502, 'RejectedByGateway', 'permanent'],
  ])('classifies a 201 with the recipient status %d %s as %s', async (statusCode, status, kind) => {
    expect(await rig.answering(answer({ statusCode, status, messageId: 'None' }))).toMatchObject({
      ok: false,
      kind,
      status: 201,
      message: status,
    });
  });

  it.each([
    ['InvalidSenderId', 'credentials'],
    ['InsufficientBalance', 'quota'],
    ['InvalidPhoneNumber', 'recipient'],
    ['UnsupportedNumberType', 'recipient'],
    ['UserInBlacklist', 'recipient'],
    ['DoNotDisturbRejection', 'recipient'],
    ['InternalServerError', 'transient'],
    ['GatewayError', 'transient'],
    ['constructor', 'permanent'],
  ])('classifies a 201 without recipients and with the text %s as %s', async (Message, kind) => {
    const result = await rig.answering({ status: 201, json: { SMSMessageData: { Message, Recipients: [] } } });
    expect(result).toMatchObject({ ok: false, kind, message: Message });
  });

  it('reads a plain text error', async () => {
    const text = 'The supplied authentication is invalid';
    expect(await rig.answering({ status: 401, text })).toMatchObject({ ok: false, kind: 'credentials', message: text });
  });

  it('reports an unknown outcome for a success without an id', async () => {
    expect(await rig.answering(answer({ statusCode: 101 }))).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('reads the user to check the credentials', async () => {
    await rig.check({ user: 'my shop' });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/version1/user?username=my%20shop' });
    expect(rig.calls[0]!.headers.apikey).toBe('canary-api-key');
  });

  describe('delivery events', () => {
    testSharedKeyVerification(africasTalking);
    const parse = (form: Record<string, string>) =>
      eventsOf(africasTalking, inbound(new URLSearchParams(form).toString()));

    it.each([
      ['Sent', 'sent'],
      ['Submitted', 'sent'],
      ['Buffered', 'deferred'],
      ['Success', 'delivered'],
      ['Rejected', 'rejected'],
      ['Failed', 'failed'],
    ])('maps the status %s to the event %s', (status, kind) =>
      expect(parse({ id: 'ATXid_1', status, phoneNumber: '+254711', networkCode: '63902' })).toEqual([
        { id: `ATXid_1:${status}`, kind, providerMessageId: 'ATXid_1', recipient: '+254711' },
      ]),
    );

    it.each(['NotNetworkSubscriber', 'UserDoesNotExist'])(
      'turns the failure reason %s into a permanent bounce',
      (failureReason) =>
        expect(parse({ id: 'ATXid_1', status: 'Failed', phoneNumber: '+254711', failureReason })).toEqual([
          {
            id: 'ATXid_1:Failed',
            kind: 'bounced',
            isPermanent: true,
            providerMessageId: 'ATXid_1',
            recipient: '+254711',
            reason: failureReason,
          },
        ]),
    );

    it('does not treat an account without credit as a dead number', () =>
      expect(parse({ id: 'a', status: 'Failed', failureReason: 'InsufficientCredit' })).toEqual([
        { id: 'a:Failed', kind: 'failed', providerMessageId: 'a', reason: 'InsufficientCredit' },
      ]));

    it.each([{}, { id: 'a' }, { status: 'Sent' }, { id: 'a', status: 'constructor' }, { id: 'a', status: 'Odd' }])(
      'returns no event for %j',
      (form) => expect(parse(form as unknown as Record<string, string>)).toEqual([]),
    );
  });
});
