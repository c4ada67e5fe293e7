import { testProviderContract } from '../../test/contract';
import { sns } from './sns.provider';

describe('Amazon SNS', () => {
  const SUCCESS = {
    text:
      '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult>' +
      '<MessageId>94f20ce6-13c5</MessageId>' +
      '</PublishResult><ResponseMetadata><RequestId>f187a3c1</RequestId></ResponseMetadata></PublishResponse>',
  };
  const ATTRIBUTES = {
    text: '<GetSMSAttributesResponse><GetSMSAttributesResult></GetSMSAttributesResult></GetSMSAttributesResponse>',
  };
  const failure = (code: string, message: string): string =>
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code>` +
    `<Message>${message}</Message></Error></ErrorResponse>`;

  const rig = testProviderContract(sns, {
    credentials: { region: 'eu-west-1', from: 'Clarion' },
    success: SUCCESS,
    id: '94f20ce6-13c5',
    check: ATTRIBUTES,
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));
  /** The message attributes by name. */
  const attributes = (): Record<string, [type: string | undefined, value: string | undefined]> => {
    const sent = form();
    const names = Object.keys(sent).filter((name) => /^MessageAttributes\.entry\.\d+\.Name$/.test(name));
    return Object.fromEntries(
      names.map((name) => {
        const entry = name.replace(/Name$/, 'Value');
        return [sent[name], [sent[`${entry}.DataType`], sent[`${entry}.StringValue`]]];
      }),
    );
  };

  it('posts a signed form', async () => {
    expect(await rig.send({ content: 'Grüße & mehr 🎉' })).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    const { method, path, headers, body } = rig.calls[0]!;
    expect({ method, path }).toEqual({ method: 'POST', path: '/' });
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-amz-date': '20260101T120000Z',
      authorization: expect.stringMatching(
        new RegExp(
          '^AWS4-HMAC-SHA256 Credential=canary-api-key/20260101/eu-west-1/sns/aws4_request, ' +
            'SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$',
        ),
      ) as string,
    });
    expect(body).toContain('PhoneNumber=%2B15551234567');
    expect(form()).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: '+15551234567',
      Message: 'Grüße & mehr 🎉',
      'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
      'MessageAttributes.entry.2.Name': 'AWS.SNS.SMS.SenderID',
      'MessageAttributes.entry.2.Value.DataType': 'String',
      'MessageAttributes.entry.2.Value.StringValue': 'Clarion',
    });
  });

  it.each([
    ['+15550000000', 'AWS.MM.SMS.OriginationNumber'],
    ['12345', 'AWS.MM.SMS.OriginationNumber'],
    ['Shop1', 'AWS.SNS.SMS.SenderID'],
  ])('sends from %s with the attribute %s', async (from, name) => {
    await rig.send({ from });
    expect(attributes()).toEqual({ 'AWS.SNS.SMS.SMSType': ['String', 'Transactional'], [name]: ['String', from] });
  });

  it('sends without a sender attribute when there is no sender', async () => {
    await rig.send({}, {}, { from: undefined });
    expect(attributes()).toEqual({ 'AWS.SNS.SMS.SMSType': ['String', 'Transactional'] });
  });

  it('sends overrides as attributes and ignores those of the recipient', async () => {
    const result = await rig.send(
      { customData: { 'AWS.SNS.SMS.MaxPrice': 0.5 } },
      {
        'AWS.SNS.SMS.SMSType': 'Promotional',
        messageAttributes: { 'AWS.MM.SMS.EntityId': { DataType: 'String', StringValue: 'e1' } },
        PhoneNumber: '+1',
        TopicArn: 'arn:x',
      },
    );
    expect(attributes()).toEqual({
      'AWS.SNS.SMS.SMSType': ['String', 'Promotional'],
      'AWS.SNS.SMS.SenderID': ['String', 'Clarion'],
      'AWS.SNS.SMS.MaxPrice': ['Number', '0.5'],
      'AWS.MM.SMS.EntityId': ['String', 'e1'],
    });
    expect(form()).toMatchObject({ PhoneNumber: '+15551234567' });
    expect(form()).not.toHaveProperty('TopicArn');
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('PhoneNumber'), expect.stringContaining('TopicArn')],
    });
  });

  it.each([
    [400, 'InvalidParameter', 'Invalid parameter: PhoneNumber Reason: +1 is not valid', 'recipient'],
    [400, 'InvalidParameter', 'Invalid parameter: Message too long', 'content'],
    [400, 'OptedOut', 'no', 'recipient'],
    [400, 'ParameterValueInvalid', 'no', 'content'],
    [400, 'ValidationException', 'no', 'content'],
    [403, 'AuthorizationError', 'not authorized', 'credentials'],
    [403, 'InvalidClientTokenId', 'no', 'credentials'],
    [403, 'SignatureDoesNotMatch', 'no', 'credentials'],
    [400, 'RequestExpired', 'no', 'credentials'],
    [500, 'InternalError', 'no', 'transient'],
    [429, 'Throttled', 'no', 'rate-limited'],
    [400, 'Throttling', 'no', 'rate-limited'],
    [400, 'KMSThrottling', 'no', 'rate-limited'],
    [400, 'SomethingNew', 'no', 'permanent'],
  ])('classifies a %d %s with the text "%s" as %s', async (status, code, message, kind) => {
    expect(await rig.answering({ status, text: failure(code, message) })).toMatchObject({ ok: false, kind, message });
  });

  it('decodes XML entities in the error text', async () => {
    const text = failure('InvalidParameter', 'a &lt;b&gt; &amp; &quot;c&quot; &amp;lt;');
    expect(await rig.answering({ status: 400, text })).toMatchObject({ message: 'a <b> & "c" &lt;' });
  });

  it('rejects a region that would change the host', async () => {
    expect(await rig.send({}, {}, { region: 'evil.example/?' })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.stage.fake.count).toBe(0);
  });

  it('reads the SMS attributes of the account to check the credentials', async () => {
    rig.stage.fake.always('/', ATTRIBUTES);
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(form()).toEqual({ Action: 'GetSMSAttributes', Version: '2010-03-31' });
    rig.stage.fake.always('/', { status: 403, text: failure('AuthorizationError', 'not authorized to look') });
    expect(await rig.check()).toMatchObject({ ok: true });
    rig.stage.fake.always('/', { status: 400, text: failure('InvalidAction', 'no such action') });
    expect(await rig.check()).toMatchObject({ ok: true });
    rig.stage.fake.always('/', { status: 403, text: failure('InvalidClientTokenId', 'who?') });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
    rig.stage.fake.always('/', { text: '<html>hello</html>' });
    expect(await rig.check()).toMatchObject({ ok: false });
  });
});
