import { believesTheSharedKey, eventsOf, inbound, keepsTheContract } from '../../test/contract';
import { SMS } from '../../test/samples';
import { africasTalking } from './africas-talking.provider';

const answer = (recipient: Record<string, unknown>) => ({
  status: 201,
  json: { SMSMessageData: { Message: 'Sent to 1/1 Total Cost: KES 0.8000', Recipients: [recipient] } },
});
const rig = keepsTheContract(africasTalking, {
  credentials: { from: 'Clarion', user: 'shop' },
  success: answer({ statusCode: 101, number: '+15551234567', status: 'Success', messageId: 'ATXid_1' }),
  id: 'ATXid_1',
});
const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

it('posts a form', async () => {
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

it('takes a sender, any text and overrides', async () => {
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
])('calls the API of %s', async (user, api) => {
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

it.each([100, 101, 102])('is content with %d', async (statusCode) => {
  expect(await rig.answering(answer({ statusCode, messageId: 'ATXid_2' }))).toMatchObject({ ok: true, id: 'ATXid_2' });
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
])('understands a 201 with %d inside', async (statusCode, status, kind) => {
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
])('understands a 201 without recipients that says %s', async (Message, kind) => {
  const result = await rig.answering({ status: 201, json: { SMSMessageData: { Message, Recipients: [] } } });
  expect(result).toMatchObject({ ok: false, kind, message: Message });
});

it('understands plain text', async () => {
  const text = 'The supplied authentication is invalid';
  expect(await rig.answering({ status: 401, text })).toMatchObject({ ok: false, kind: 'credentials', message: text });
});

it('is not sure of a message without an id', async () => {
  expect(await rig.answering(answer({ statusCode: 101 }))).toMatchObject({ ok: false, kind: 'unknown-outcome' });
});

it('looks at the user to check the credentials', async () => {
  await rig.check({ user: 'my shop' });
  expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/version1/user?username=my%20shop' });
  expect(rig.calls[0]!.headers.apikey).toBe('canary-api-key');
});

describe('what it tells', () => {
  believesTheSharedKey(africasTalking);
  const told = (form: Record<string, string>) =>
    eventsOf(africasTalking, inbound(new URLSearchParams(form).toString()));

  it.each([
    ['Sent', 'sent'],
    ['Submitted', 'sent'],
    ['Buffered', 'deferred'],
    ['Success', 'delivered'],
    ['Rejected', 'rejected'],
    ['Failed', 'failed'],
  ])('has %s for %s', (status, kind) =>
    expect(told({ id: 'ATXid_1', status, phoneNumber: '+254711', networkCode: '63902' })).toEqual([
      { id: `ATXid_1:${status}`, kind, providerMessageId: 'ATXid_1', recipient: '+254711' },
    ]),
  );

  it.each(['NotNetworkSubscriber', 'UserDoesNotExist'])('is a number for good when it is %s', (failureReason) =>
    expect(told({ id: 'ATXid_1', status: 'Failed', phoneNumber: '+254711', failureReason })).toEqual([
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

  it('is no number for good when it is out of credit', () =>
    expect(told({ id: 'a', status: 'Failed', failureReason: 'InsufficientCredit' })).toEqual([
      { id: 'a:Failed', kind: 'failed', providerMessageId: 'a', reason: 'InsufficientCredit' },
    ]));

  it.each([{}, { id: 'a' }, { status: 'Sent' }, { id: 'a', status: 'constructor' }, { id: 'a', status: 'Odd' }])(
    'is nothing in %j',
    (form) => expect(told(form as unknown as Record<string, string>)).toEqual([]),
  );
});
