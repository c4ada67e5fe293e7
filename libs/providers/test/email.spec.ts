import { createHmac } from 'node:crypto';
import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import { type EmailMessage, type Provider, providerFor, type SendResult } from '@clarion/providers';
import { type ProviderStage, startProviderStage } from '@clarion/testing';
import { CREDENTIALS, EMAIL, FULL_EMAIL } from './samples';

const NOW = new Date('2026-01-01T12:00:00Z');
let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage(() => NOW);
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const provider = (id: 'sendgrid' | 'resend' | 'mailgun' | 'nodemailer' | 'email-webhook'): Provider<'email'> =>
  providerFor(id) as Provider<'email'>;
const call = () => stage.fake.calls[0]!;
const json = (): JsonObject => JSON.parse(call().body) as JsonObject;

describe('sendgrid', () => {
  const send = (message: EmailMessage, credentials: CredentialsDto = CREDENTIALS, overrides?: JsonObject) =>
    stage.send(provider('sendgrid'), message, credentials, overrides);

  it('posts a mail', async () => {
    expect(await send(EMAIL)).toEqual({ ok: true, id: 'fake-1' });
    expect(call()).toMatchObject({ method: 'POST', path: '/v3/mail/send' });
    expect(call().headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      personalizations: [{ to: [{ email: 'bob@example.com' }], custom_args: { id: 'message-1' } }],
      from: { email: 'sender@example.com', name: 'Sender' },
      subject: 'Hello',
      content: [{ type: 'text/html', value: '<p>hi</p>' }],
    });
  });

  it('posts everything a mail can have', async () => {
    await send({ ...FULL_EMAIL, ipPoolName: 'mine', customData: { order: 7 } });
    expect(json()).toMatchObject({
      personalizations: [
        {
          to: [{ email: 'bob@example.com' }],
          cc: [{ email: 'cc@example.com' }],
          bcc: [{ email: 'bcc@example.com' }],
          custom_args: { id: 'message-2', order: '7' },
        },
      ],
      from: { email: 'ann@example.com', name: 'Ann "Boss" Ü' },
      reply_to: { email: 'reply@example.com' },
      content: [
        { type: 'text/plain', value: 'hi' },
        { type: 'text/html', value: '<p>hi</p>' },
      ],
      attachments: [
        { content: Buffer.from('content').toString('base64'), filename: 'a.txt', type: 'text/plain' },
        { filename: 'b.png', disposition: 'inline', content_id: 'logo' },
      ],
      headers: { 'X-Campaign': 'spring' },
      ip_pool_name: 'mine',
    });
  });

  it('takes overrides in either spelling, and lists replace lists', async () => {
    await send(EMAIL, CREDENTIALS, {
      templateId: 't-1',
      categories: ['a'],
      personalizations: [],
      from: { name: 'Other' },
    });
    expect(json()).toMatchObject({
      template_id: 't-1',
      categories: ['a'],
      personalizations: [],
      from: { email: 'sender@example.com', name: 'Other' },
    });
  });

  it('quotes the errors, and waits until the limit is reset', async () => {
    stage.fake.next('/', { status: 400, json: { errors: [{ message: 'bad from' }, { message: 'bad to' }] } });
    expect(await send(EMAIL)).toMatchObject({ kind: 'permanent', message: 'bad from; bad to' });
    stage.fake.next('/', { status: 429, headers: { 'x-ratelimit-reset': String(NOW.getTime() / 1000 + 20) } });
    expect(await send(EMAIL)).toMatchObject({ kind: 'transient', retryAfterMs: 20_000 });
  });

  it('calls the host of the region', async () => {
    const asked: string[] = [];
    const context = stage.context('sendgrid', { ...CREDENTIALS, region: 'EU' });
    const request = ({ url }: { url: string }) => {
      asked.push(url);
      return Promise.resolve({ status: 202, headers: {}, body: Buffer.alloc(0) });
    };
    await provider('sendgrid').send(EMAIL, { ...context, http: { ...context.http, request } });
    expect(asked).toEqual(['https://api.eu.sendgrid.com/v3/mail/send']);
  });

  it('checks the key', async () => {
    const check = () => provider('sendgrid').check!(stage.context('sendgrid', CREDENTIALS));
    expect(await check()).toMatchObject({ ok: true });
    expect(call()).toMatchObject({ method: 'GET', path: '/v3/scopes' });
    stage.fake.next('/', { status: 401, json: { errors: [{ message: 'authorization required' }] } });
    expect(await check()).toMatchObject({ ok: false, kind: 'account', message: 'authorization required' });
  });
});

describe('resend', () => {
  const send = (message: EmailMessage): Promise<SendResult> => stage.send(provider('resend'), message, CREDENTIALS);

  it('posts everything a mail can have, with its id as the key', async () => {
    expect(provider('resend').idempotent).toBe(true);
    expect(await send(FULL_EMAIL)).toMatchObject({ ok: true, id: 'fake-1' });
    expect(call()).toMatchObject({ method: 'POST', path: '/emails' });
    expect(call().headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'idempotency-key': 'message-2',
      'user-agent': 'clarion',
    });
    expect(json()).toEqual({
      from: '"Ann \\"Boss\\" Ü" <ann@example.com>',
      to: ['bob@example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      reply_to: 'reply@example.com',
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'hi',
      headers: { 'X-Campaign': 'spring' },
      attachments: [
        { filename: 'a.txt', content: Buffer.from('content').toString('base64'), content_type: 'text/plain' },
        { filename: 'b.png', content: 'AQID', content_type: 'image/png', content_id: 'logo' },
      ],
      tags: [{ name: 'message_id', value: 'message-2' }],
    });
  });

  it.each([
    [429, 'daily_quota_exceeded', 'account'],
    [429, 'monthly_quota_exceeded', 'account'],
    [429, 'rate_limit_exceeded', 'transient'],
    [403, 'validation_error', 'account'],
    [409, 'concurrent_idempotent_requests', 'transient'],
    [409, 'invalid_idempotent_request', 'permanent'],
    [422, 'invalid_from_address', 'permanent'],
  ])('takes a %d %s as %s', async (status, name, kind) => {
    stage.fake.next('/', {
      status,
      headers: { 'ratelimit-reset': '3' },
      json: { statusCode: status, name, message: 'no' },
    });
    const result = await send(EMAIL);
    expect(result).toMatchObject({ ok: false, kind, message: 'no' });
    expect((result as { retryAfterMs?: number }).retryAfterMs).toBe(name === 'rate_limit_exceeded' ? 3_000 : undefined);
  });

  it('checks the key; one that may only send is good', async () => {
    const check = () => provider('resend').check!(stage.context('resend', CREDENTIALS));
    expect(await check()).toMatchObject({ ok: true });
    stage.fake.next('/', { status: 401, json: { name: 'restricted_api_key', message: 'only sends' } });
    expect(await check()).toMatchObject({ ok: true });
    stage.fake.next('/', { status: 403, json: { name: 'invalid_api_key', message: 'API key is invalid' } });
    expect(await check()).toMatchObject({ ok: false, message: 'API key is invalid' });
  });
});

describe('mailgun', () => {
  const send = (message: EmailMessage, overrides?: JsonObject) =>
    stage.send(provider('mailgun'), message, { ...CREDENTIALS, baseUrl: undefined }, overrides);

  it('posts a form', async () => {
    expect(await send(EMAIL, { 'o:tag': ['one', 'two'], 'o:testmode': true })).toMatchObject({
      ok: true,
      id: 'fake-1@fake',
    });
    expect(call()).toMatchObject({ method: 'POST', path: '/v3/mg.example.com/messages' });
    expect(call().headers).toMatchObject({
      authorization: `Basic ${Buffer.from('api:canary-api-key').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([...new URLSearchParams(call().body)]).toEqual([
      ['from', 'Sender <sender@example.com>'],
      ['to', 'bob@example.com'],
      ['subject', 'Hello'],
      ['html', '<p>hi</p>'],
      ['v:messageId', 'message-1'],
      ['o:tag', 'one'],
      ['o:tag', 'two'],
      ['o:testmode', 'true'],
    ]);
  });

  it('posts files as a form with parts', async () => {
    await send(FULL_EMAIL);
    const type = call().headers['content-type']!;
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(call().body, { headers: { 'content-type': type } }).formData();
    expect([...form.keys()]).toEqual(
      expect.arrayContaining(['to', 'cc', 'bcc', 'text', 'html', 'h:Reply-To', 'h:X-Campaign', 'attachment', 'inline']),
    );
    const file = form.get('attachment') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['a.txt', 'text/plain', 'content']);
    expect((form.get('inline') as File).name).toBe('logo');
  });

  it('keeps a domain inside its part of the path', async () => {
    await stage.send(provider('mailgun'), EMAIL, { ...CREDENTIALS, baseUrl: undefined, domain: '../v4/x?y' });
    expect(call().path).toBe('/v3/..%2Fv4%2Fx%3Fy/messages');
  });

  it('takes an unknown domain for a fault of the account', async () => {
    stage.fake.next('/', { status: 404, json: { message: 'Domain not found' } });
    expect(await send(EMAIL)).toMatchObject({ ok: false, kind: 'account', message: 'Domain not found' });
    stage.fake.next('/', { status: 401, text: 'Forbidden' });
    expect(await send(EMAIL)).toMatchObject({ ok: false, kind: 'account', message: 'Forbidden' });
  });

  it('checks key and domain', async () => {
    const result = await provider('mailgun').check!(stage.context('mailgun', { ...CREDENTIALS, baseUrl: undefined }));
    expect(result).toMatchObject({ ok: true });
    expect(call()).toMatchObject({ method: 'GET', path: '/v3/domains/mg.example.com' });
  });
});

describe('email-webhook', () => {
  it('posts the whole message, signed', async () => {
    const result = await stage.send(provider('email-webhook'), FULL_EMAIL, CREDENTIALS, { customData: { a: 1 } });
    expect(result).toMatchObject({ ok: true, id: 'message-2' });
    expect(call()).toMatchObject({ method: 'POST', path: '/canary-hook' });
    expect(json()).toEqual({
      id: 'message-2',
      to: ['bob@example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      from: 'ann@example.com',
      senderName: 'Ann "Boss" Ü',
      replyTo: 'reply@example.com',
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'hi',
      headers: { 'X-Campaign': 'spring' },
      attachments: [
        { name: 'a.txt', mime: 'text/plain', file: Buffer.from('content').toString('base64') },
        { name: 'b.png', mime: 'image/png', file: 'AQID', cid: 'logo', disposition: 'inline' },
      ],
      customData: { a: 1 },
    });
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = call().headers;
    expect([id, at]).toEqual(['message-2', String(NOW.getTime() / 1000)]);
    const expected = createHmac('sha256', 'canary-secret-key').update(`message-2.${String(at)}.${call().body}`);
    expect(signature).toBe(`v1,${expected.digest('base64')}`);
  });

  it('signs with the bytes of a secret in the standard form', async () => {
    const secretKey = `whsec_${Buffer.from('raw key').toString('base64')}`;
    await stage.send(provider('email-webhook'), EMAIL, { ...CREDENTIALS, secretKey });
    const { 'webhook-timestamp': at, 'webhook-signature': signature } = call().headers;
    const expected = createHmac('sha256', 'raw key').update(`message-1.${String(at)}.${call().body}`);
    expect(signature).toBe(`v1,${expected.digest('base64')}`);
  });
});

describe('nodemailer', () => {
  const login: CredentialsDto = { host: 'smtp.example.com', port: '587', user: 'me', password: 'canary-password' };
  const send = (message: EmailMessage, overrides?: JsonObject) =>
    stage.send(provider('nodemailer'), message, { ...login, from: 'sender@example.com' }, overrides);
  const mail = () => stage.smtp.mails[0]!;

  it('sends a mail, under the same id each time', async () => {
    expect(await send(FULL_EMAIL)).toMatchObject({ ok: true, id: 'message-2@example.com' });
    expect(mail()).toMatchObject({
      from: 'ann@example.com',
      to: ['bob@example.com', 'cc@example.com', 'bcc@example.com'],
      user: 'me',
    });
    for (const line of [
      /^Message-ID: <message-2@example\.com>/m,
      /^Reply-To: reply@example\.com/m,
      /^Cc: cc@example\.com/m,
      /^X-Campaign: spring/m,
      /^Content-Type: text\/plain/m,
      /^Content-Type: text\/html/m,
      /^Content-Type: text\/plain; name=a\.txt/m,
      /^Content-Id: <logo>/im,
    ]) {
      expect(mail().raw).toMatch(line);
    }
    expect(mail().raw).not.toMatch(/^Bcc/m);
  });

  it('uses no override that could read a file, and says so', async () => {
    const overrides = {
      headers: { 'X-A': 'b' },
      attachments: [{ path: '/etc/hostname' }],
      raw: { path: '/etc/hostname' },
    };
    expect(await send(EMAIL, overrides)).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('attachments') as string, expect.stringContaining('raw') as string],
    });
    expect(mail().raw).toMatch(/^X-A: b/m);
    expect(mail().raw).not.toMatch(/hostname|attachment/);
  });

  it('reports a recipient that was left out', async () => {
    stage.smtp.rejectNext('rcpt', 550, 'No such user');
    const result = await send({ ...EMAIL, to: ['gone@example.com', 'bob@example.com'] });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('gone@example.com') as string] });
    expect(mail().to).toEqual(['bob@example.com']);
  });

  it.each([
    ['auth', 535, 'account'],
    ['auth', 454, 'transient'],
    ['mail', 550, 'account'],
    ['mail', 451, 'transient'],
    ['rcpt', 550, 'permanent'],
    ['rcpt', 452, 'transient'],
    ['data', 552, 'permanent'],
    ['data', 421, 'transient'],
    ['data', 503, 'transient'],
  ] as const)('takes a refusal at %s with %d as %s', async (stageOfRefusal, code, kind) => {
    const own = `${stageOfRefusal}-${code}`;
    stage.smtp.rejectNext(stageOfRefusal, code, 'no, canary-password');
    const result = await stage.send(provider('nodemailer'), EMAIL, { ...login, user: own, from: 'sender@example.com' });
    expect(result).toMatchObject({ ok: false, kind, status: code, message: expect.stringContaining('no') as string });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it('takes the end of password logins for a fault of the account', async () => {
    stage.smtp.rejectNext('rcpt', 550, '5.7.30 Basic authentication is not supported');
    expect(await send(EMAIL)).toMatchObject({ ok: false, kind: 'account' });
  });

  it('gets through greylisting at the second try', async () => {
    stage.smtp.greylist();
    expect(await send(EMAIL)).toMatchObject({ ok: false, kind: 'transient', status: 451 });
    expect(await send(EMAIL)).toMatchObject({ ok: true });
  });

  it('checks the login', async () => {
    const check = () => provider('nodemailer').check!(stage.context('nodemailer', { ...login, user: 'checked' }));
    expect(await check()).toEqual({ ok: true });
    stage.smtp.rejectNext('auth', 535, 'Wrong password');
    expect(await check()).toMatchObject({
      ok: false,
      kind: 'account',
      message: expect.stringContaining('Wrong') as string,
    });
    expect(stage.smtp.mails).toEqual([]);
  });
});
