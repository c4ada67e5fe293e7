import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import { basic } from '../call';
import {
  eventsOf,
  inbound,
  inboundContext,
  NOW,
  testProviderContract,
  testSharedKeyVerification,
  verdictOf,
} from '../../test/contract';
import { SMS } from '../../test/samples';
import { ringCentral } from './ring-central.provider';

describe('RingCentral', () => {
  const TOKEN = '/restapi/oauth/token';
  /** The id has more digits than a JavaScript number can hold. */
  const ID = '2661273919712564939';
  const answerOf = (over: JsonObject = {}): string =>
    JSON.stringify({
      uri: 'https://platform.ringcentral.com/restapi/v1.0/x',
      id: 'ID',
      attachments: [{ id: 5, type: 'Text' }],
      type: 'SMS',
      creationTime: '2026-01-01T12:00:01.000Z',
      messageStatus: 'Queued',
      ...over,
    }).replace('"ID"', ID);

  const OWN = { clientId: 'client-1', from: '+15550000000' };
  const rig = testProviderContract(ringCentral, {
    credentials: OWN,
    before: [[TOKEN, { json: { access_token: 'canary-access', expires_in: 3600, refresh_token: 'canary-refresh' } }]],
    success: { text: answerOf() },
    id: ID,
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;
  const tokenCalls = () => rig.stage.fake.calls.filter(({ path }) => path === TOKEN);
  /** An account without a cached token. */
  let accounts = 0;
  const account = (): CredentialsDto => ({ clientId: `client-new-${(accounts += 1)}` });

  it('requests a token for the user and sends with it', async () => {
    const own = account();
    expect(await rig.send({ content: 'Grüße ✓' }, {}, own)).toMatchObject({
      ok: true,
      id: ID,
      date: new Date('2026-01-01T12:00:01Z'),
    });
    const [token] = tokenCalls();
    expect(token).toMatchObject({ method: 'POST' });
    expect(token!.headers.authorization).toBe(basic(own.clientId!, 'canary-secret-key'));
    expect(Object.fromEntries(new URLSearchParams(token!.body))).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'canary-token',
    });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-access',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      from: { phoneNumber: '+15550000000' },
      to: [{ phoneNumber: '+15551234567' }],
      text: 'Grüße ✓',
    });
  });

  it.each([
    [undefined, 'https://platform.ringcentral.com'],
    [false, 'https://platform.ringcentral.com'],
    [true, 'https://platform.devtest.ringcentral.com'],
  ])('selects the production or sandbox host when secure is %p', async (secure, host) => {
    const body = Buffer.from(JSON.stringify({ access_token: 'x', id: 1 }));
    const request = jest.fn(({ url: _ }: { url: string }) => Promise.resolve({ status: 200, headers: {}, body }));
    const context = { ...rig.stage.context('ring-central'), http: { request, addressOf: (url: string) => url } };
    const own = {
      ...account(),
      secretKey: 's',
      token: 't',
      from: '+15550000000',
      ...(secure !== undefined && { secure }),
    };
    await ringCentral.send(SMS, own, context);
    expect(request.mock.calls.map(([{ url }]) => new URL(url).origin)).toEqual([host, host]);
  });

  it('applies the override country', async () => {
    await rig.send({}, { country: { isoCode: 'US' } });
    expect(json()).toMatchObject({ country: { isoCode: 'US' } });
  });

  it('requests one token for a burst and another after it has expired', async () => {
    const own = account();
    await Promise.all(Array.from({ length: 10 }, () => rig.send({}, {}, own)));
    expect([tokenCalls().length, rig.calls.length]).toEqual([1, 10]);
    const later = { ...rig.stage.context('ring-central'), now: () => new Date(NOW.getTime() + 50 * 60_000) };
    const credentials = { ...OWN, secretKey: 'canary-secret-key', token: 'canary-token', ...own };
    expect(await ringCentral.send(SMS, credentials, later)).toMatchObject({ ok: true });
    expect(tokenCalls()).toHaveLength(2);
  });

  it('requests a new token once when the token is rejected', async () => {
    const own = account();
    await rig.send({}, {}, own);
    const expired = { status: 401, json: { errorCode: 'OAU-128', message: 'Access token expired' } };
    rig.stage.fake.next('/restapi/v1.0/', expired);
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: true });
    rig.stage.fake.always('/restapi/v1.0/', expired);
    expect(await rig.send({}, {}, own)).toMatchObject({
      ok: false,
      kind: 'credentials',
      message: 'Access token expired',
    });
    expect([tokenCalls().length, rig.calls.length]).toEqual([3, 5]);
  });

  it.each([
    [400, 'credentials'],
    [401, 'credentials'],
    [429, 'rate-limited'],
    [503, 'transient'],
    [200, 'transient'],
  ])('classifies a token response with status %d as %s and does not cache the failure', async (status, kind) => {
    const own = account();
    rig.stage.fake.next(TOKEN, { status, json: { error: 'invalid_grant', error_description: 'bad' } });
    const result = await rig.send({}, {}, own);
    expect(result).toMatchObject({ ok: false, kind, ...(status >= 400 && { message: 'bad' }) });
    expect(rig.calls).toEqual([]);
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: true });
  });

  it('classifies a lost token request as transient', async () => {
    rig.stage.fake.next(TOKEN, { close: 'after-reading' });
    expect(await rig.send({}, {}, account())).toMatchObject({ ok: false, kind: 'transient' });
  });

  it('redacts the secrets in a failed token response', async () => {
    const own = account();
    rig.stage.fake.next(TOKEN, { status: 400, json: { error_description: 'canary-secret-key canary-token' } });
    expect(JSON.stringify(await rig.send({}, {}, own))).not.toContain('canary');
  });

  it.each([
    [429, { errorCode: 'CMN-301' }, 'rate-limited'],
    [400, { errorCode: 'CMN-101', errors: [{ parameterName: 'to.phoneNumber' }] }, 'recipient'],
    [400, { errorCode: 'CMN-101', errors: [{ parameterName: 'to' }] }, 'recipient'],
    [400, { errorCode: 'CMN-101', errors: [{ parameterName: 'from.phoneNumber' }] }, 'credentials'],
    [400, { errorCode: 'CMN-101', parameterName: 'text' }, 'content'],
    [400, { errorCode: 'CMN-101', errors: [{ parameterName: 'tool' }] }, 'permanent'],
    [400, { errorCode: 'MSG-304' }, 'credentials'],
    [403, { errorCode: 'CMN-408' }, 'credentials'],
    [400, { errorCode: 'constructor' }, 'permanent'],
  ])('classifies a %d with %j as %s', async (status, error, kind) => {
    expect(await rig.answering({ status, json: { ...error, message: 'no' } })).toMatchObject({
      ok: false,
      kind,
      message: 'no',
    });
  });

  it('classifies a failed message in a 200 as permanent', async () => {
    const text = answerOf({ messageStatus: 'SendingFailed', deliveryErrorCode: 'SMS-RC-413' });
    expect(await rig.answering({ text })).toMatchObject({ ok: false, kind: 'permanent', message: 'SMS-RC-413' });
  });

  it('requests a new token to check the credentials, even if one is cached', async () => {
    const own = account();
    await rig.send({}, {}, own);
    expect(await rig.check(own)).toMatchObject({ ok: true });
    expect([tokenCalls().length, rig.calls.length]).toEqual([2, 1]);
  });

  describe('delivery events', () => {
    testSharedKeyVerification(ringCentral);

    it.each([
      ['right', 'right', true],
      ['wrong', 'right', false],
      ['', undefined, false],
      ['right', undefined, false],
    ])('verifies the verification token %p against the signing key %p: %p', async (token, key, isGenuine) => {
      const call = inbound('{}', { headers: { 'verification-token': token } });
      expect(await verdictOf(ringCentral, call, inboundContext(key))).toBe(isGenuine);
    });

    it('echoes the validation token of a new subscription', () => {
      const asked = inbound('', { headers: { 'validation-token': 'abc' } });
      expect(ringCentral.events!.handshake!(asked, inboundContext())).toEqual({
        status: 200,
        headers: { 'validation-token': 'abc' },
      });
      expect(ringCentral.events!.handshake!(inbound('{}'), inboundContext())).toBeUndefined();
    });

    const notification = (over: JsonObject = {}): string =>
      JSON.stringify({
        uuid: '8666413160588463001',
        event: '/restapi/v1.0/account/1/extension/1/message-store',
        timestamp: '2026-01-01T12:00:09.000Z',
        body: {
          id: 'ID',
          to: [{ phoneNumber: '+15551234567' }],
          direction: 'Outbound',
          messageStatus: 'Delivered',
          lastModifiedTime: '2026-01-01T12:00:05.000Z',
          ...over,
        },
      }).replace('"ID"', ID);

    it('keeps all digits of the message id', () => {
      const [event] = eventsOf(ringCentral, inbound(notification()));
      expect(event).toEqual({
        id: expect.stringContaining(ID) as string,
        kind: 'delivered',
        providerMessageId: ID,
        recipient: '+15551234567',
        at: new Date('2026-01-01T12:00:05Z'),
      });
      expect(eventsOf(ringCentral, inbound(notification()))).toEqual([event]);
    });

    it.each([
      ['Sent', 'sent'],
      ['Delivered', 'delivered'],
      ['DeliveryFailed', 'bounced'],
      ['SendingFailed', 'failed'],
    ])('maps the status %s to the event %s', (messageStatus, kind) => {
      const body = notification({ messageStatus, deliveryErrorCode: 'SMS-CAR-411' });
      const [event, ...others] = eventsOf(ringCentral, inbound(body));
      expect([event, others]).toMatchObject([{ kind, reason: 'SMS-CAR-411' }, []]);
      expect(event).not.toHaveProperty('isPermanent');
    });

    it('reads a message without an envelope and several at once', () => {
      const record = { id: 7, messageStatus: 'Delivered' };
      expect(eventsOf(ringCentral, inbound([record, { ...record, id: '8' }]))).toMatchObject([
        { providerMessageId: '7' },
        { providerMessageId: '8' },
      ]);
    });

    it.each([
      '',
      'nonsense',
      'null',
      '[null]',
      '{}',
      notification({ messageStatus: 'Queued' }),
      notification({ messageStatus: 'constructor' }),
      notification({ direction: 'Inbound', messageStatus: 'Delivered' }),
      notification({ id: null }),
      '{"body":{"changes":[{"type":"SMS","newCount":1}]}}',
    ])('returns no event for %j', (body) => {
      expect(eventsOf(ringCentral, inbound(body))).toEqual([]);
    });
  });
});
