import { hmac } from '../events';
import { eventsOf, inbound, inboundContext, testProviderContract, verdictOf } from '../../test/contract';
import { termii } from './termii.provider';

describe('Termii', () => {
  const rig = testProviderContract(termii, {
    credentials: { from: 'Clarion', baseUrl: '' },
    success: {
      text: '{"code":"ok","message_id":9122821270554876574,"message":"Successfully Sent","balance":9,"user":"Ann"}',
    },
    // The id has more digits than a JavaScript number can hold.
    id: '9122821270554876574',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts JSON with the key in the body', async () => {
    await rig.send();
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/sms/send' });
    expect(rig.calls[0]!.headers['content-type']).toBe('application/json');
    expect(body()).toEqual({
      api_key: 'canary-api-key',
      to: '15551234567',
      from: 'Clarion',
      sms: 'hi',
      type: 'plain',
      channel: 'generic',
    });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const result = await rig.send(
      { from: 'Other', content: 'Ẹ káàbọ̀ 👋', customData: { channel: 'dnd' } },
      { media: { url: 'https://x.example/a.png' }, api_key: 'other', to: '1' },
    );
    expect(result).toMatchObject({ warnings: [expect.stringContaining('api_key'), expect.stringContaining('to')] });
    expect(body()).toEqual({
      api_key: 'canary-api-key',
      to: '15551234567',
      from: 'Other',
      sms: 'Ẹ káàbọ̀ 👋',
      type: 'unicode',
      channel: 'dnd',
      media: { url: 'https://x.example/a.png' },
    });
  });

  it.each([
    ['{"message_id":"912282127055487657","message":"Successfully Sent"}', '912282127055487657'],
    ['{"message_id": 9122821270554876574, "message_id_str": "9122821270554876574"}', '9122821270554876574'],
    ['{"message_id": "a-1"}', 'a-1'],
  ])('reads the message id from %s', async (text, id) => {
    expect(await rig.answering({ text })).toMatchObject({ ok: true, id });
  });

  it.each([
    [400, 'Insufficient balance', 'quota'],
    [200, 'Insufficient balance', 'quota'],
    [404, 'ApplicationSenderId not found for applicationId: 1 and senderName: X', 'credentials'],
    [400, 'Invalid api key', 'credentials'],
    [401, 'Unauthenticated', 'credentials'],
    [400, 'Bad request', 'permanent'],
    [200, 'Something is wrong', 'permanent'],
  ])('classifies a %d with the text %p as %s', async (status, message, kind) => {
    expect(await rig.answering({ status, json: { message } })).toMatchObject({ ok: false, kind, message });
  });

  describe('base URL', () => {
    const calledBy = async (baseUrl: string): Promise<string[]> => {
      const urls: string[] = [];
      const http = {
        request: ({ url }: { url: string }) => {
          urls.push(url);
          return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{"message_id":"1"}') });
        },
        addressOf: (url: string) => url,
      };
      const context = { ...rig.stage.context('termii'), http };
      const message = { id: 'message-1', to: '2349012672711', content: 'hi' };
      await termii.send(message, { apiKey: 'canary', from: 'x', baseUrl }, context);
      await termii.check!({ apiKey: 'canary', from: 'x', baseUrl }, context);
      return urls.map((url) => url.split('?', 1)[0]!);
    };

    it('calls the default base URL or that of the integration', async () => {
      expect(await calledBy('')).toEqual([
        'https://api.ng.termii.com/api/sms/send',
        'https://api.ng.termii.com/api/get-balance',
      ]);
      expect(await calledBy('https://v3.api.termii.com/')).toEqual([
        'https://v3.api.termii.com/api/sms/send',
        'https://v3.api.termii.com/api/get-balance',
      ]);
    });
  });

  it('reads the balance to check the credentials and redacts the key', async () => {
    rig.stage.fake.always('/', ({ path }) => ({ status: 401, json: { message: path } }));
    const result = await rig.check({ apiKey: 'canary/ü' });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/get-balance?api_key=canary%2F%C3%BC' });
    expect(result).toMatchObject({ ok: false, kind: 'credentials' });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  describe('delivery events', () => {
    const REPORT =
      '{"type":"outbound","message_id":9122821270554876574,"receiver":"2343459509389",' +
      '"status":"DELIVERED | Message delivered to handset"}';

    it('accepts only a body that is signed with the signing key', async () => {
      const signed = (text: string, key = 'right') => ({ 'x-termii-signature': hmac('sha512', key, text) });
      const verdict = (headers: Record<string, string>, key?: string) =>
        verdictOf(termii, inbound(REPORT, { headers }), inboundContext(key));
      expect(await verdict(signed(REPORT), 'right')).toBe(true);
      expect(await verdict({ 'x-termii-signature': hmac('sha512', 'right', REPORT).toUpperCase() }, 'right')).toBe(
        true,
      );
      expect(await verdict(signed(REPORT, 'wrong'), 'right')).toBe(false);
      expect(await verdict(signed(`${REPORT} `), 'right')).toBe(false);
      expect(await verdict({}, 'right')).toBe(false);
      expect(await verdict(signed(REPORT, ''), undefined)).toBe(false);
    });

    it('keeps all digits of the message id', () => {
      expect(eventsOf(termii, inbound(REPORT))).toEqual([
        {
          id: '9122821270554876574:delivered',
          kind: 'delivered',
          providerMessageId: '9122821270554876574',
          recipient: '2343459509389',
          reason: 'DELIVERED | Message delivered to handset',
        },
      ]);
    });

    it.each([
      ['Delivered', 'delivered'],
      ['Message Sent', 'sent'],
      ['Message Failed', 'failed'],
      ['Expired', 'failed'],
      ['Rejected', 'rejected'],
      ['DND Active on Phone Number', 'rejected'],
    ])('maps the status %s to the event %s', (status, kind) => {
      expect(
        eventsOf(
          termii,
          inbound([
            { message_id: 'a', status },
            { message_id: 'b', status },
          ]),
        ),
      ).toMatchObject([
        { kind, providerMessageId: 'a' },
        { kind, providerMessageId: 'b' },
      ]);
    });

    it.each(['', 'null', '[]', '[null]', '{}', '<html>', '{"message_id":"a"}', '{"status":"Delivered"}'])(
      'returns no event for the body %p',
      (text) => expect(eventsOf(termii, inbound(text))).toEqual([]),
    );

    it('returns no event for a reply of a recipient', () =>
      expect(eventsOf(termii, inbound({ type: 'inbound', message_id: 'a', status: 'Received' }))).toEqual([]));
  });
});
