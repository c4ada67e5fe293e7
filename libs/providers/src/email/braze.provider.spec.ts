import { type JsonObject } from '@clarion/contracts';
import { checkCredentials } from '@clarion/providers';
import { bearer } from '../call';
import { NOW, testProviderContract } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { braze } from './braze.provider';

describe('Braze', () => {
  const LOOK_UP = '/users/export/ids';
  const known = (...users: object[]) => ({ json: { message: 'success', users } });
  const rig = testProviderContract(braze, {
    credentials: {
      apiURL: 'https://rest.iad-01.braze.com',
      baseUrl: undefined,
      appID: 'app-id-1',
      applicationId: undefined,
    },
    success: { status: 201, json: { dispatch_id: 'dispatch-1', message: 'success' } },
    id: 'dispatch-1',
    before: [[LOOK_UP, known({ external_id: 'user-1' })]],
  });
  const body = (): JsonObject => JSON.parse(rig.calls.at(-1)!.body) as JsonObject;
  const lookUps = () => rig.stage.fake.calls.filter(({ path }) => path === LOOK_UP);
  /** Users are cached by address, so each case that looks up a user has its own recipient. */
  let recipients = 0;
  const newcomer = (): string => `newcomer-${(recipients += 1)}@example.com`;

  it('looks up the user with the address and sends to that user only', async () => {
    const to = newcomer();
    expect(await rig.send({ to: [to] })).toMatchObject({ ok: true, id: 'dispatch-1' });
    expect(lookUps()[0]).toMatchObject({ method: 'POST', path: LOOK_UP });
    expect(lookUps()[0]!.headers).toMatchObject({ authorization: bearer('canary-api-key') });
    expect(JSON.parse(lookUps()[0]!.body)).toEqual({
      email_address: to,
      fields_to_export: ['external_id', 'user_aliases'],
    });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/messages/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      broadcast: false,
      external_user_ids: ['user-1'],
      recipient_subscription_state: 'all',
      messages: {
        email: {
          app_id: 'app-id-1',
          from: 'Sender <sender@example.com>',
          subject: 'Hello',
          body: '<p>hi</p>',
          extras: { message_id: 'message-1' },
        },
      },
    });
  });

  it('posts the supported parts of a message and warns about the others', async () => {
    const result = await rig.send({
      ...FULL_EMAIL,
      to: [newcomer()],
      bcc: ['bcc@example.com', 'more@example.com'],
      customData: { order: 7 },
      ipPoolName: 'pool',
    });
    expect(body()['messages']).toEqual({
      email: {
        app_id: 'app-id-1',
        from: '"Ann \\"Boss\\" Ü" <ann@example.com>',
        reply_to: 'reply@example.com',
        bcc: 'bcc@example.com',
        subject: 'Grüße',
        body: '<p>hi</p>',
        plaintext_body: 'hi',
        headers: { 'X-Campaign': 'spring' },
        extras: { order: '7', message_id: 'message-2' },
      },
    });
    expect(result).toMatchObject({
      warnings: ['support cc', 'more than one bcc', 'attachments', 'ipPoolName'].map(
        (part) => expect.stringContaining(part) as string,
      ),
    });
  });

  it('accepts alternative names of its credentials', async () => {
    const own = { apiURL: undefined, baseUrl: 'rest.fra-01.braze.eu/', appID: undefined, applicationId: 'app-2' };
    expect(await rig.send({ to: [newcomer()] }, {}, own)).toMatchObject({ ok: true });
    expect(body()).toMatchObject({ messages: { email: { app_id: 'app-2' } } });
    for (const base of [{ apiURL: 'rest.fra-01.braze.eu' }, { baseUrl: 'rest.iad-01.braze.com' }]) {
      const given = { apiKey: 'k', appID: 'app-1', from: 'a@example.com', senderName: 'A', ...base };
      expect(checkCredentials('braze', given)).toEqual({ missing: [], invalid: [] });
    }
    expect(checkCredentials('braze', {}).missing).toEqual([
      'apiKey',
      'apiURL or baseUrl',
      'appID or applicationId',
      'from',
      'senderName',
    ]);
  });

  it('uses the address as the name of a sender without a name', async () => {
    await rig.send({ to: [newcomer()], senderName: '' });
    expect(body()).toMatchObject({ messages: { email: { from: '"sender@example.com" <sender@example.com>' } } });
  });

  it('escapes Liquid delimiters in the texts', async () => {
    const text = '{{ user.${email} }} {% connected_content http://x %} { % }';
    const escaped = "{{ '{{' }} user.${email} }} {{ '{%' }} connected_content http://x %} { % }";
    await rig.send({ to: [newcomer()], subject: text, html: text, text });
    expect(body()).toMatchObject({
      messages: { email: { subject: escaped, body: escaped, plaintext_body: escaped } },
    });
  });

  it('puts overrides into their place and ignores those of the recipients', async () => {
    const result = await rig.send(
      { to: [newcomer()] },
      {
        campaignId: 'c',
        recipient_subscription_state: 'subscribed',
        preheader: 'p',
        extras: { a: 'b' },
        broadcast: true,
        segment_id: 's',
      },
    );
    expect(body()).toMatchObject({
      broadcast: false,
      campaign_id: 'c',
      recipient_subscription_state: 'subscribed',
      messages: { email: { preheader: 'p', extras: { a: 'b', message_id: 'message-1' } } },
    });
    expect(body()).not.toHaveProperty('segment_id');
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('broadcast'), expect.stringContaining('segment_id')],
    });
    await rig.send({ to: [newcomer()] }, { emailTemplateId: 't' });
    expect(body()).toMatchObject({ messages: { email: { email_template_id: 't' } } });
    expect(rig.calls.at(-1)!.body).not.toContain('subject');
  });

  it('does not apply a passthrough to the look-up', async () => {
    await rig.send({ to: [newcomer()] }, { _passthrough: { body: { extra: 1 }, headers: { 'X-Extra': 'yes' } } });
    expect(lookUps()[0]!.body).not.toContain('extra');
    expect(lookUps()[0]!.headers).not.toHaveProperty('x-extra');
    expect(body()).toMatchObject({ extra: 1 });
  });

  describe('user look-up', () => {
    it('looks up an address once for concurrent messages', async () => {
      const to = [newcomer()];
      await Promise.all([rig.send({ to }), rig.send({ to }), rig.send({ to: [to[0]!.toUpperCase()] })]);
      expect(lookUps()).toHaveLength(1);
      expect(rig.calls).toHaveLength(3);
    });

    it('looks up an address once for each account', async () => {
      const to = [newcomer()];
      await rig.send({ to });
      await rig.send({ to }, {}, { apiKey: 'canary-other' });
      expect(lookUps()).toHaveLength(2);
    });

    it('repeats the look-up after a rejection of the message', async () => {
      const to = [newcomer()];
      rig.stage.fake.next('/messages/send', { status: 400, json: { message: 'invalid user' } });
      expect(await rig.send({ to })).toMatchObject({ ok: false });
      await rig.send({ to });
      expect(lookUps()).toHaveLength(2);
    });

    it('sends to a user who has only an alias', async () => {
      rig.stage.fake.always(LOOK_UP, known({ user_aliases: [{ alias_name: 'bob', alias_label: 'crm' }] }));
      await rig.send({ to: [newcomer()] });
      expect(body()).toMatchObject({ user_aliases: [{ alias_name: 'bob', alias_label: 'crm' }] });
      expect(body()).not.toHaveProperty('external_user_ids');
    });

    it('sends to one of several users with the same address', async () => {
      rig.stage.fake.always(LOOK_UP, known({}, { external_id: 'user-2' }, { external_id: 'user-3' }));
      await rig.send({ to: [newcomer()] });
      expect(body()['external_user_ids']).toEqual(['user-2']);
    });

    it.each([[[]], [[{}]], [[{ user_aliases: [{ alias_name: 'bob' }] }]]])(
      'sends nothing when no usable user is found: %j',
      async (users) => {
        rig.stage.fake.always(LOOK_UP, known(...users));
        const to = newcomer();
        expect(await rig.send({ to: [to] })).toMatchObject({
          ok: false,
          kind: 'recipient',
          message: expect.stringContaining(to) as string,
        });
        expect(rig.calls).toEqual([]);
      },
    );

    it('sends to the users that were found and warns about the others', async () => {
      const to = [newcomer(), newcomer()];
      rig.stage.fake.next((call) => call.body.includes(to[1]!), known());
      expect(await rig.send({ to })).toMatchObject({ ok: true, warnings: [expect.stringContaining(to[1]!)] });
      expect(body()['external_user_ids']).toEqual(['user-1']);
    });

    it.each([
      [{ status: 401, json: { message: 'Invalid API Key' } }, 'credentials'],
      [{ status: 404, json: { message: 'not found' } }, 'credentials'],
      [{ status: 429, json: { message: 'slow' } }, 'rate-limited'],
      [{ status: 500 }, 'transient'],
      [{ text: '<html></html>' }, 'transient'],
      [{ close: 'after-reading' as const }, 'transient'],
    ])('classifies the look-up response %j as %s and sends nothing', async (answer, kind) => {
      rig.stage.fake.always(LOOK_UP, answer);
      expect(await rig.send({ to: [newcomer()] })).toMatchObject({ ok: false, kind });
      expect(rig.calls).toEqual([]);
    });

    it('fails as transient when the look-up of one of several recipients fails', async () => {
      const to = [newcomer(), newcomer()];
      rig.stage.fake.next((call) => call.body.includes(to[1]!), { status: 503 });
      expect(await rig.send({ to })).toMatchObject({ ok: false, kind: 'transient' });
      expect(rig.calls).toEqual([]);
    });
  });

  it.each([
    [400, { message: 'Invalid email', errors: ['bad body'] }, 'content', 'Invalid email: bad body'],
    [401, { message: 'Invalid API Key' }, 'credentials', 'Invalid API Key'],
    [404, { message: 'not found' }, 'credentials', 'not found'],
    [200, { message: 'not a success', errors: [{ type: 'bad' }] }, 'permanent', 'not a success: bad'],
  ])('classifies a %d with %j as %s', async (status, json, kind, message) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message });
  });

  it('adds the errors in a success as warnings', async () => {
    const json = { dispatch_id: 'd', message: 'success', errors: ['one user has no address'] };
    expect(await rig.answering({ status: 201, json })).toMatchObject({
      ok: true,
      warnings: ['one user has no address'],
    });
  });

  it('sets retryAfterMs from X-RateLimit-Reset unless there is a Retry-After header', async () => {
    const reset = String(NOW.getTime() / 1000 + 30);
    const headers = { 'x-ratelimit-reset': reset };
    expect(await rig.answering({ status: 429, headers })).toMatchObject({ kind: 'rate-limited', retryAfterMs: 30_000 });
    expect(await rig.answering({ status: 429, headers: { ...headers, 'retry-after': '5' } })).toMatchObject({
      retryAfterMs: 5_000,
    });
  });

  it('looks up the sender to check the credentials', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(JSON.parse(lookUps()[0]!.body)).toMatchObject({ email_address: 'sender@example.com' });
    rig.stage.fake.always(LOOK_UP, { status: 401, json: { message: 'Invalid API Key' } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
    rig.stage.fake.always(LOOK_UP, { json: {} });
    expect(await rig.check()).toMatchObject({ ok: false });
  });
});
