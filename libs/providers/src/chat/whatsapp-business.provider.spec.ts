import type { JsonObject } from '@clarion/contracts';
import { hmac } from '../events';
import { eventsOf, inbound, inboundContext, testProviderContract, verdictOf } from '../../test/contract';
import { whatsappBusiness } from './whatsapp-business.provider';

describe('WhatsApp Business', () => {
  const rig = testProviderContract(whatsappBusiness, {
    credentials: { apiToken: 'canary-api-token', phoneNumberIdentification: '106540352242922' },
    message: () => ({ id: 'message-1', content: 'hi', phoneNumber: '+1 (555) 123-4567' }),
    success: {
      json: {
        messaging_product: 'whatsapp',
        contacts: [{ input: '+15551234567', wa_id: '15551234567' }],
        messages: [{ id: 'wamid.1', message_status: 'accepted' }],
      },
    },
    id: 'wamid.1',
    check: { json: { id: '106540352242922' } },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts text to one number', async () => {
    await rig.send({ content: 'Grüße 👋' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v22.0/106540352242922/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-token',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+15551234567',
      type: 'text',
      text: { body: 'Grüße 👋', preview_url: false },
      biz_opaque_callback_data: 'message-1',
    });
  });

  it('lets the trigger change the text and reply to a message', async () => {
    await rig.send({}, { text: { preview_url: true }, context: { message_id: 'wamid.0' } });
    expect(json()).toMatchObject({ text: { body: 'hi', preview_url: true }, context: { message_id: 'wamid.0' } });
  });

  it('sends a template instead of text', async () => {
    const template = { name: 'order', language: { code: 'en' }, components: [{ type: 'body' }] };
    await rig.send({}, { template });
    expect(json()).toMatchObject({ type: 'template', template });
    expect(json()).not.toHaveProperty('text');
  });

  it.each(['interactive', 'audio', 'sticker', 'location', 'contacts', 'reaction'])(
    'sends the message type %s instead of text',
    async (type) => {
      await rig.send({}, { [type]: { a: 1 } });
      expect(json()).toMatchObject({ type, [type]: { a: 1 } });
      expect(json()).not.toHaveProperty('text');
    },
  );

  it.each(['image', 'document', 'video'])('sends the message type %s with the text as its caption', async (type) => {
    await rig.send({}, { type, [type]: { link: 'https://x.example' } });
    expect(json()).toMatchObject({ type, [type]: { link: 'https://x.example', caption: 'hi' } });
    await rig.send({}, { type, [type]: { link: 'https://x.example', caption: 'own' } });
    expect(rig.calls[1]!.body).toContain('"caption":"own"');
  });

  it('ignores overrides of the recipient and warns about each unsupported part', async () => {
    const overrides = { to: '+1999', recipientType: 'group', messaging_product: 'x', biz_opaque_callback_data: 'y' };
    const result = await rig.send({ blocks: [{ a: 1 }], channel: 'ops' }, overrides);
    expect(json()).toMatchObject({ to: '+15551234567', recipient_type: 'individual', messaging_product: 'whatsapp' });
    expect(result).toMatchObject({ ok: true });
    expect((result as { warnings: string[] }).warnings).toHaveLength(6);
  });

  it.each([undefined, '', 'nobody', '+1555,+1666', '12'])('rejects the phone number %p', async (phoneNumber) => {
    expect(await rig.send({ phoneNumber })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });

  it.each(['', '..', '1/../2', '1?a=b', '1#', 'me'])('rejects the phone number id %p', async (id) => {
    const own = { phoneNumberIdentification: id };
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: false, kind: 'credentials' });
    expect(await rig.check(own)).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.calls).toEqual([]);
  });

  it('warns when WhatsApp holds a message back', async () => {
    const json = { messages: [{ id: 'wamid.2', message_status: 'held_for_quality_assessment' }] };
    expect(await rig.answering({ json })).toMatchObject({
      ok: true,
      id: 'wamid.2',
      warnings: [expect.stringContaining('held_for_quality_assessment')],
    });
  });

  it.each([
    [401, 0, 'credentials'],
    [500, 3, 'credentials'],
    [403, 10, 'credentials'],
    [401, 190, 'credentials'],
    [400, 200, 'credentials'],
    [400, 299, 'credentials'],
    [400, 33, 'credentials'],
    [403, 368, 'credentials'],
    [403, 131031, 'credentials'],
    [400, 133010, 'credentials'],
    [400, 131042, 'quota'],
    [400, 131026, 'recipient'],
    [400, 131021, 'recipient'],
    [400, 131030, 'recipient'],
    [400, 131050, 'recipient'],
    [400, 100, 'content'],
    [400, 131047, 'content'],
    [400, 131051, 'content'],
    [404, 132001, 'content'],
    [400, 132015, 'content'],
    [400, 4, 'rate-limited'],
    [400, 80007, 'rate-limited'],
    [400, 130429, 'rate-limited'],
    [400, 131048, 'rate-limited'],
    [400, 131056, 'rate-limited'],
    [400, 1, 'transient'],
    [503, 2, 'transient'],
    [400, 131000, 'transient'],
    [400, 131016, 'transient'],
    [400, 131049, 'permanent'],
    [200, 131026, 'recipient'],
  ])('classifies a %d with code %d as %s', async (status, code, kind) => {
    const error = {
      message: `(#${code}) title`,
      type: 'OAuthException',
      code,
      error_data: { details: 'no' },
      fbtrace_id: 'x',
    };
    expect(await rig.answering({ status, json: { error } })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the phone number to check the credentials', async () => {
    rig.stage.fake.always(/./, { json: { id: '106540352242922' } });
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v22.0/106540352242922?fields=id' });
    expect(rig.calls[0]!.headers['authorization']).toBe('Bearer canary-api-token');
    const error = { code: 190, message: 'expired' };
    rig.stage.fake.always(/./, { status: 400, json: { error } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'expired' });
    rig.stage.fake.always(/./, { status: 404, json: { error: { code: 33, message: 'no such number' } } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'no such number' });
    rig.stage.fake.always(/./, { status: 404 });
    expect(await rig.check()).toMatchObject({ ok: true });
  });

  it.each(['106540352242922', 'PN-1_a'])('calls the phone number id %s', async (phoneNumberIdentification) => {
    expect(await rig.send({}, {}, { phoneNumberIdentification })).toMatchObject({ ok: true });
    expect(rig.calls[0]!.path).toBe(`/v22.0/${phoneNumberIdentification}/messages`);
  });

  describe('delivery events', () => {
    const status = (more: JsonObject = {}): JsonObject => ({
      id: 'wamid.1',
      status: 'delivered',
      timestamp: '1767268800',
      recipient_id: '15551234567',
      biz_opaque_callback_data: 'message-1',
      ...more,
    });
    const reportOf = (...statuses: JsonObject[]): JsonObject => ({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses } }] }],
    });
    const signed = (key: string, body: string) =>
      inbound(body, { headers: { 'x-hub-signature-256': `sha256=${hmac('sha256', key, body)}` } });
    const body = JSON.stringify(reportOf(status()));

    it.each([
      ['accepts a call signed with the app secret', undefined, { secretKey: 'right' }, true],
      ['accepts a call signed with the signing key of the integration', 'right', {}, true],
      ['accepts a call signed with one of two configured keys', 'right', { secretKey: 'other' }, true],
      ['rejects a call signed with another secret', undefined, { secretKey: 'other' }, false],
      ['rejects every call when no key is configured', undefined, {}, false],
      ['rejects every call when the configured keys are empty', '', { secretKey: '' }, false],
    ])('%s', async (_, signingKey, credentials, isGenuine) => {
      expect(await verdictOf(whatsappBusiness, signed('right', body), inboundContext(signingKey, credentials))).toBe(
        isGenuine,
      );
    });

    it('rejects a call that is altered, unsigned or signed with an empty key', async () => {
      const context = inboundContext(undefined, { secretKey: 'right' });
      const altered = { ...signed('right', body), body: Buffer.from(`${body} `) };
      expect(await verdictOf(whatsappBusiness, altered, context)).toBe(false);
      expect(await verdictOf(whatsappBusiness, inbound(body), context)).toBe(false);
      expect(await verdictOf(whatsappBusiness, signed('', body), inboundContext())).toBe(false);
    });

    it.each([
      ['sent', 'sent'],
      ['delivered', 'delivered'],
      ['read', 'read'],
      ['failed', 'failed'],
    ])('maps the status %s to the event %s', (name, kind) => {
      expect(eventsOf(whatsappBusiness, inbound(reportOf(status({ status: name }))))).toEqual([
        {
          id: `wamid.1 ${name} 1767268800 15551234567`,
          kind,
          messageId: 'message-1',
          providerMessageId: 'wamid.1',
          recipient: '15551234567',
          at: new Date('2026-01-01T12:00:00Z'),
        },
      ]);
    });

    it('reports the reason of a failure and turns an opt-out into an unsubscribe', () => {
      const errors = [{ code: 131026, title: 'Message undeliverable', error_data: { details: 'Not on WhatsApp' } }];
      expect(eventsOf(whatsappBusiness, inbound(reportOf(status({ status: 'failed', errors }))))).toMatchObject([
        { kind: 'failed', reason: 'Not on WhatsApp' },
      ]);
      const stopped = [{ code: 131050, title: 'Stopped' }];
      expect(
        eventsOf(whatsappBusiness, inbound(reportOf(status({ status: 'failed', errors: stopped })))),
      ).toMatchObject([{ kind: 'unsubscribed', reason: 'Stopped' }]);
    });

    it('reads several statuses of one call and skips unknown ones and incoming messages', () => {
      const call = inbound(
        reportOf(status(), status({ status: 'deleted' }), status({ id: 'wamid.2', status: 'read' })),
      );
      expect(eventsOf(whatsappBusiness, call).map(({ providerMessageId, kind }) => [providerMessageId, kind])).toEqual([
        ['wamid.1', 'delivered'],
        ['wamid.2', 'read'],
      ]);
      const incoming = { entry: [{ changes: [{ value: { messages: [{ from: '1', text: { body: 'hello' } }] } }] }] };
      expect(eventsOf(whatsappBusiness, inbound(incoming))).toEqual([]);
    });

    it.each([
      '',
      'null',
      '[]',
      '{',
      '{"entry":7}',
      '{"entry":[null,{"changes":[null,{"value":{"statuses":[null,7,{}]}}]}]}',
    ])('returns no event for the body %p', (text) => expect(eventsOf(whatsappBusiness, inbound(text))).toEqual([]));

    const asked = (query: string, token?: string, signingKey?: string) =>
      whatsappBusiness.events!.handshake!(
        inbound('', { method: 'GET', url: `https://clarion.example/hook?${query}` }),
        inboundContext(signingKey, token === undefined ? {} : { token }),
      );

    it('answers a webhook handshake only with the right verify token and a safe challenge', () => {
      const right = 'hub.mode=subscribe&hub.verify_token=right&hub.challenge=1158201444';
      expect(asked(right, 'right')).toEqual({
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: '1158201444',
      });
      expect(asked(right, 'wrong')).toEqual({ status: 403 });
      expect(asked(right)).toEqual({ status: 403 });
      expect(asked(right, undefined, 'right')).toMatchObject({ status: 200 });
      expect(asked(right, 'other', 'right')).toEqual({ status: 403 });
      expect(asked('hub.mode=subscribe&hub.verify_token=&hub.challenge=1', '')).toEqual({ status: 403 });
      expect(asked('hub.mode=else&hub.verify_token=right&hub.challenge=1', 'right')).toEqual({ status: 403 });
      expect(asked('hub.mode=subscribe&hub.verify_token=right&hub.challenge=%3Cscript%3E', 'right')).toEqual({
        status: 403,
      });
      expect(asked('', 'right')).toEqual({ status: 403 });
    });

    it('treats a POST as an event and not as a handshake', () => {
      expect(whatsappBusiness.events!.handshake!(inbound(body), inboundContext())).toBeUndefined();
    });
  });
});
