import { type JsonObject } from '@clarion/contracts';
import { bearer } from '../call';
import { testProviderContract } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { plunk } from './plunk.provider';

describe('Plunk', () => {
  const EMAILS = [{ contact: { id: 'contact-1', email: 'bob@example.com' }, email: 'email-1' }];
  const rig = testProviderContract(plunk, {
    success: { json: { success: true, emails: EMAILS, timestamp: '2026-01-01T12:00:01Z' } },
    id: 'email-1',
    credentials: { baseUrl: '' },
  });

  const body = (): JsonObject => JSON.parse(rig.calls.at(-1)!.body) as JsonObject;

  it('posts a message with an idempotency key', async () => {
    // The id of the contact is the same for all its mails, so it is not used.
    expect(await rig.send()).toMatchObject({ ok: true, id: 'email-1', date: new Date('2026-01-01T12:00:01Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v1/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      'idempotency-key': 'message-1',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      to: ['bob@example.com'],
      from: 'sender@example.com',
      name: 'Sender',
      subject: 'Hello',
      body: '<p>hi</p>',
    });
  });

  it('posts the supported parts of a message and warns about the others', async () => {
    const result = await rig.send({ ...FULL_EMAIL, customData: { a: 1 }, ipPoolName: 'pool' });
    expect(body()).toEqual({
      to: ['bob@example.com'],
      from: 'ann@example.com',
      name: 'Ann "Boss" Ü',
      reply: 'reply@example.com',
      subject: 'Grüße',
      body: '<p>hi</p>',
      headers: { 'X-Campaign': 'spring' },
      attachments: [
        { filename: 'a.txt', content: Buffer.from('content').toString('base64'), contentType: 'text/plain' },
        { filename: 'b.png', content: 'AQID', contentType: 'image/png' },
      ],
    });
    expect(result).toMatchObject({
      warnings: ['support cc', 'support bcc', 'pictures', 'ipPoolName', 'customData'].map(
        (part) => expect.stringContaining(part) as string,
      ),
    });
  });

  it('escapes braces unless the trigger sets template data', async () => {
    await rig.send({ subject: 'a {{b}} {c}', html: '<p>{{b}} {{{c}}}</p>' });
    expect(body()).toMatchObject({ subject: 'a {\u2060{b}} {c}', body: '<p>{&#123;b}} {&#123;{c}}}</p>' });
    await rig.send({ subject: '{{b}}', html: '{{b}}' }, { data: { b: 1 } });
    expect(body()).toMatchObject({ subject: '{{b}}', body: '{{b}}', data: { b: 1 } });
  });

  it('applies overrides, leaves the content to a template and ignores an override of the recipient', async () => {
    const result = await rig.send({}, { subscribed: true, template: 't1', to: 'eve@example.com' });
    expect(body()).toEqual({
      to: ['bob@example.com'],
      from: 'sender@example.com',
      name: 'Sender',
      subscribed: true,
      template: 't1',
    });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('override to')] });
  });

  it('reads responses of the newer API generation', async () => {
    const json = { success: true, data: { emails: EMAILS, timestamp: '2026-01-01T12:00:01Z' } };
    expect(await rig.answering({ json })).toMatchObject({
      ok: true,
      id: 'email-1',
      date: new Date('2026-01-01T12:00:01Z'),
    });
  });

  it.each([
    [422, 'VALIDATION_ERROR', 'content'],
    [400, 'BAD_REQUEST', 'content'],
    [400, 'INVALID_REQUEST_BODY', 'content'],
    [400, 'MISSING_REQUIRED_FIELD', 'content'],
    [400, 'INVALID_EMAIL', 'recipient'],
    [401, 'INVALID_API_KEY', 'credentials'],
    [403, 'PROJECT_DISABLED', 'credentials'],
    [403, 'EMAIL_VERIFICATION_REQUIRED', 'credentials'],
    [402, 'UPGRADE_REQUIRED', 'quota'],
    [429, 'BILLING_LIMIT_EXCEEDED', 'quota'],
    [429, 'RATE_LIMIT_EXCEEDED', 'rate-limited'],
    [404, 'TEMPLATE_NOT_FOUND', 'permanent'],
    [500, 'DATABASE_ERROR', 'transient'],
  ])('classifies a %d %s as %s', async (status, code, kind) => {
    const json = { success: false, error: { code, message: 'no', statusCode: status } };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads errors of the older API generation', async () => {
    const json = { code: 401, error: 'Unauthorized', message: 'Verify your domain before you start sending' };
    expect(await rig.answering({ status: 401, json })).toMatchObject({ kind: 'credentials', message: json.message });
  });

  it('rejects a 200 without success and reports an unknown outcome for one without an id', async () => {
    expect(await rig.answering({ json: { success: false, message: 'no' } })).toMatchObject({
      ok: false,
      kind: 'permanent',
    });
    expect(await rig.answering({ json: { success: true, emails: [] } })).toMatchObject({ kind: 'unknown-outcome' });
  });

  describe('a used idempotency key', () => {
    const repeated = (originalStatusCode: number | null) =>
      rig.answering({
        status: 409,
        json: {
          success: false,
          error: { code: 'IDEMPOTENCY_KEY_REUSED', message: 'used', details: { originalStatusCode } },
        },
      });

    it('counts a used idempotency key as sent when the first call succeeded', async () =>
      expect(await repeated(200)).toMatchObject({ ok: true }));

    it('classifies a used idempotency key as transient while the first call is in progress', async () =>
      expect(await repeated(null)).toMatchObject({ ok: false, kind: 'transient' }));

    it('reports an unknown outcome for a used idempotency key when the first call failed', async () =>
      expect(await repeated(500)).toMatchObject({ ok: false, kind: 'unknown-outcome' }));
  });

  it('calls a self-hosted Plunk', async () => {
    await rig.send({}, {}, { baseUrl: 'https://plunk.example.com/api/' });
    expect(rig.calls[0]!.path).toBe('/api/v1/send');
  });
});
