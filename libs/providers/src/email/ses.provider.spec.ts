import { type JsonObject } from '@clarion/contracts';
import { signatureOf } from '../aws-signature';
import { NOW, testProviderContract } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { ses } from './ses.provider';

describe('Amazon SES', () => {
  const SUCCESS = { json: { MessageId: '0100-mail-000000' } };
  const rig = testProviderContract(ses, {
    credentials: { region: 'eu-west-1' },
    success: SUCCESS,
    id: '0100-mail-000000',
    check: { json: { SendingEnabled: true, EnforcementStatus: 'HEALTHY' } },
  });
  const body = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a signed message', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    const { method, path, headers } = rig.calls[0]!;
    expect({ method, path }).toEqual({ method: 'POST', path: '/v2/email/outbound-emails' });
    expect(body()).toEqual({
      FromEmailAddress: 'Sender <sender@example.com>',
      Destination: { ToAddresses: ['bob@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'Hello', Charset: 'UTF-8' },
          Body: { Html: { Data: '<p>hi</p>', Charset: 'UTF-8' } },
        },
      },
      EmailTags: [{ Name: 'message_id', Value: 'message-1' }],
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-amz-date': '20260101T120000Z' });
    const signed = signatureOf(
      {
        method: 'POST',
        url: rig.stage.fake.url + path,
        headers: { 'content-type': 'application/json' },
        body: rig.calls[0]!.body,
        origin: 'provider',
      },
      { accessKeyId: 'canary-api-key', secretAccessKey: 'canary-secret-key', region: 'eu-west-1', service: 'ses' },
      NOW,
    );
    expect(headers.authorization).toBe(signed['authorization']);
    expect(headers.authorization).toContain('Credential=canary-api-key/20260101/eu-west-1/ses/aws4_request');
  });

  it('posts all parts of a message', async () => {
    await rig.send({ ...FULL_EMAIL, headers: { 'X-Campaign': 'spring', 'X-Name': 'Grüße' } });
    expect(body()).toEqual({
      FromEmailAddress: `=?UTF-8?B?${Buffer.from('Ann "Boss" Ü').toString('base64')}?= <ann@example.com>`,
      Destination: {
        ToAddresses: ['bob@example.com'],
        CcAddresses: ['cc@example.com'],
        BccAddresses: ['bcc@example.com'],
      },
      ReplyToAddresses: ['reply@example.com'],
      Content: {
        Simple: {
          Subject: { Data: 'Grüße', Charset: 'UTF-8' },
          Body: { Html: { Data: '<p>hi</p>', Charset: 'UTF-8' }, Text: { Data: 'hi', Charset: 'UTF-8' } },
          Headers: [
            { Name: 'X-Campaign', Value: 'spring' },
            { Name: 'X-Name', Value: `=?UTF-8?B?${Buffer.from('Grüße').toString('base64')}?=` },
          ],
          Attachments: [
            {
              FileName: 'a.txt',
              ContentType: 'text/plain',
              RawContent: Buffer.from('content').toString('base64'),
              ContentTransferEncoding: 'BASE64',
              ContentDisposition: 'ATTACHMENT',
            },
            {
              FileName: 'b.png',
              ContentType: 'image/png',
              RawContent: 'AQID',
              ContentTransferEncoding: 'BASE64',
              ContentDisposition: 'INLINE',
              ContentId: 'logo',
            },
          ],
        },
      },
      EmailTags: [{ Name: 'message_id', Value: 'message-2' }],
    });
  });

  it('signs passed-through members too', async () => {
    await rig.send({}, { _passthrough: { body: { TenantName: 'a' }, query: { q: 'x y' } } });
    const { path, headers, body: sent } = rig.calls[0]!;
    const signed = signatureOf(
      {
        method: 'POST',
        url: rig.stage.fake.url + path,
        headers: { 'content-type': 'application/json' },
        body: sent,
        origin: 'provider',
      },
      { accessKeyId: 'canary-api-key', secretAccessKey: 'canary-secret-key', region: 'eu-west-1', service: 'ses' },
      NOW,
    );
    expect(path).toContain('q=x');
    expect(headers.authorization).toBe(signed['authorization']);
  });

  it('sends custom data as tags and warns about data that is not a valid tag', async () => {
    const result = await rig.send({ customData: { team: 'red', note: 'two words' }, ipPoolName: 'pool' });
    expect(result).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('ipPoolName'), expect.stringContaining('customData')],
    });
    expect(body()['EmailTags']).toEqual([
      { Name: 'message_id', Value: 'message-1' },
      { Name: 'team', Value: 'red' },
    ]);
  });

  it('applies overrides in any casing and lets a template replace the content', async () => {
    await rig.send({}, { configurationSetName: 'events', EmailTags: [{ Name: 'a', Value: 'b' }] });
    expect(body()).toMatchObject({ ConfigurationSetName: 'events', EmailTags: [{ Name: 'a', Value: 'b' }] });
    rig.stage.reset();
    rig.stage.fake.always('/', SUCCESS);
    await rig.send({}, { Content: { Template: { TemplateName: 'welcome', TemplateData: '{}' } } });
    expect(body()['Content']).toEqual({ Template: { TemplateName: 'welcome', TemplateData: '{}' } });
    rig.stage.reset();
    rig.stage.fake.always('/', SUCCESS);
    await rig.send({}, { Content: { Simple: { Subject: { Data: 'Other' } } } });
    expect(body()).toMatchObject({
      Content: { Simple: { Subject: { Data: 'Other', Charset: 'UTF-8' }, Body: { Html: { Data: '<p>hi</p>' } } } },
    });
  });

  it('ignores overrides of the sender and the recipients', async () => {
    const result = await rig.send({}, { Destination: { ToAddresses: ['eve@example.com'] }, FromEmailAddress: 'e@x' });
    expect(result).toMatchObject({ warnings: [expect.any(String), expect.any(String)] });
    expect(rig.calls[0]!.body).not.toContain('eve@');
  });

  it.each([
    [400, 'MessageRejected', 'Email address is not verified. The following identities failed', 'credentials'],
    [400, 'MessageRejected', 'Virus found', 'content'],
    [400, 'BadRequestException', 'Missing final @domain', 'content'],
    [400, 'MailFromDomainNotVerifiedException', 'no', 'credentials'],
    [400, 'AccountSuspendedException', 'no', 'credentials'],
    [400, 'SendingPausedException', 'no', 'credentials'],
    [400, 'LimitExceededException', 'no', 'quota'],
    [404, 'NotFoundException', 'Configuration set does not exist', 'credentials'],
    [429, 'TooManyRequestsException', 'Maximum sending rate exceeded.', 'rate-limited'],
    [429, 'TooManyRequestsException', 'Daily message quota exceeded.', 'quota'],
    [400, 'ThrottlingException:http://internal.amazon.com/', 'Rate exceeded', 'rate-limited'],
    [403, 'InvalidSignatureException', 'Signature expired', 'credentials'],
    [500, 'InternalServiceErrorException', 'no', 'transient'],
    [400, 'SendingPaused', 'no', 'credentials'],
    [429, 'TooManyRequests', 'no', 'rate-limited'],
    [400, 'SomethingNew', 'no', 'permanent'],
  ])('classifies a %d %s with the text "%s" as %s', async (status, error, message, kind) => {
    const inHeader = { status, headers: { 'x-amzn-errortype': error }, json: { message } };
    expect(await rig.answering(inHeader)).toMatchObject({ ok: false, kind, message });
    const inBody = { status, json: { __type: `com.amazonaws#${error}`, Message: message } };
    expect(await rig.answering(inBody)).toMatchObject({ ok: false, kind, message });
  });

  it('rejects a region that would change the host', async () => {
    expect(await rig.send({}, {}, { region: 'evil.example/?' })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(await rig.check({ region: 'x' })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.stage.fake.count).toBe(0);
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v2/email/account' });
    expect(rig.calls[0]!.headers.authorization).toContain('/eu-west-1/ses/aws4_request');
    rig.stage.fake.always('/', { json: { SendingEnabled: false } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
    rig.stage.fake.always('/', { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' }, json: {} });
    expect(await rig.check()).toMatchObject({ ok: true });
    rig.stage.fake.always('/', { status: 403, headers: { 'x-amzn-errortype': 'InvalidSignatureException' }, json: {} });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
  });
});
