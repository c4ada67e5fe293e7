import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { appio } from './appio.provider';

describe('Appio', () => {
  const FISCAL_CODE = 'AAAAAA00A00A000A';
  const TEXT = 'Il certificato che ha chiesto è pronto: può ritirarlo allo sportello dalle 9 alle 13.';
  const MESSAGE = { ...PUSH, token: FISCAL_CODE, title: 'Certificato pronto', content: TEXT };
  const PROFILES = '/api/v1/profiles';

  const rig = testProviderContract(appio, {
    before: [[PROFILES, { json: { sender_allowed: true, preferred_languages: ['it_IT'] } }]],
    message: () => MESSAGE,
    success: { status: 201, json: { id: '01BX9NSMKVXXS5PSP2FATZMYYY' } },
    id: '01BX9NSMKVXXS5PSP2FATZMYYY',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('reads the profile and then posts the message', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: '01BX9NSMKVXXS5PSP2FATZMYYY' });
    const [profile, message] = rig.stage.fake.calls;
    expect(profile).toMatchObject({ method: 'POST', path: PROFILES, body: `{"fiscal_code":"${FISCAL_CODE}"}` });
    expect(message).toMatchObject({ method: 'POST', path: '/api/v1/messages' });
    for (const { headers } of [profile!, message!]) {
      expect(headers).toMatchObject({
        'ocp-apim-subscription-key': 'canary-api-key',
        'content-type': 'application/json',
      });
    }
    expect(json()).toEqual({
      time_to_live: 3600,
      fiscal_code: FISCAL_CODE,
      content: { subject: 'Certificato pronto', markdown: TEXT },
    });
  });

  it('puts each override into its place and ignores an override of the fiscal code', async () => {
    const result = await rig.send(
      {},
      {
        timeToLive: 7200,
        feature_level_type: 'ADVANCED',
        dueDate: '2026-02-01T00:00:00.000Z',
        payment_data: { amount: 100, notice_number: '1' },
        fiscal_code: 'X',
        _passthrough: { body: { extra: 1 } },
      },
    );
    expect(json()).toEqual({
      time_to_live: 7200,
      feature_level_type: 'ADVANCED',
      fiscal_code: FISCAL_CODE,
      content: {
        subject: 'Certificato pronto',
        markdown: TEXT,
        due_date: '2026-02-01T00:00:00.000Z',
        payment_data: { amount: 100, notice_number: '1' },
      },
      extra: 1,
    });
    expect(rig.stage.fake.calls[0]!.body).toBe(`{"fiscal_code":"${FISCAL_CODE}"}`);
    expect(result).toMatchObject({ warnings: [expect.stringContaining('fiscal_code')] });
  });

  it.each([
    [undefined, 'https://api.io.pagopa.it/api/v1'],
    ['https://io.example.com/v2/', 'https://io.example.com/v2'],
  ])('calls the configured base URL %p, or the default', async (AppIOBaseUrl, base) => {
    const body = Buffer.from(JSON.stringify({ sender_allowed: true, id: '1' }));
    const request = jest.fn(({ url: _ }: { url: string }) => Promise.resolve({ status: 200, headers: {}, body }));
    const context = { ...rig.stage.context('appio'), http: { request, addressOf: (url: string) => url } };
    await appio.send(MESSAGE, { apiKey: 'k', ...(AppIOBaseUrl && { AppIOBaseUrl }) }, context);
    expect(request.mock.calls.map(([{ url }]) => url)).toEqual([`${base}/profiles`, `${base}/messages`]);
  });

  describe('subscription key', () => {
    const keys = () => rig.stage.fake.calls.map(({ headers }) => headers['ocp-apim-subscription-key']);

    it('takes the subscription key from an override and redacts it', async () => {
      const result = await rig.send({}, { apiKey: 'canary-own' }, { apiKey: undefined });
      expect(result).toMatchObject({ ok: true });
      expect(keys()).toEqual(['canary-own', 'canary-own']);
      expect(json()).not.toHaveProperty('content.api_key');
      rig.stage.fake.always('/', ({ headers }) => ({ status: 400, json: { detail: JSON.stringify(headers) } }));
      expect(JSON.stringify(await rig.send({}, { apiKey: 'canary-own' }))).not.toContain('canary');
    });

    it('accepts a subscription key that is passed through as a header', async () => {
      const _passthrough = { headers: { 'Ocp-Apim-Subscription-Key': 'canary-own' } };
      expect(await rig.send({}, { _passthrough }, { apiKey: undefined })).toMatchObject({ ok: true });
      expect(keys()).toEqual(['canary-own', 'canary-own']);
    });

    it('rejects a message without a subscription key', async () => {
      expect(await rig.send({}, {}, { apiKey: undefined })).toMatchObject({ ok: false, kind: 'credentials' });
      expect(rig.stage.fake.count).toBe(0);
    });
  });

  it.each([
    [404, { title: 'Not Found' }, 'recipient'],
    [200, { sender_allowed: false }, 'recipient'],
    [200, { email: 'x' }, 'transient'],
    [200, 'nonsense', 'transient'],
    [401, {}, 'credentials'],
    [403, {}, 'credentials'],
    [429, {}, 'rate-limited'],
    [500, {}, 'transient'],
  ])('does not send after a profile response %d with %j and classifies it as %s', async (status, json, kind) => {
    rig.stage.fake.next(PROFILES, { status, json });
    expect(await rig.send()).toMatchObject({ ok: false, kind });
    expect(rig.calls).toEqual([]);
  });

  it('classifies a lost profile call as transient', async () => {
    rig.stage.fake.next(PROFILES, { close: 'after-reading' });
    expect(await rig.send()).toMatchObject({ ok: false, kind: 'transient' });
    expect(rig.calls).toEqual([]);
  });

  it.each([
    [{ title: 'Too short' }, {}, /subject of 10 to 120 characters, and this one has 9$/],
    [{ title: 'x'.repeat(121) }, {}, /subject/],
    [{ content: 'x'.repeat(79) }, {}, /markdown of 80 to 10000 characters, and this one has 79$/],
    [{ content: 'x'.repeat(10_001) }, {}, /markdown/],
    [{}, { subject: 'short' }, /subject/],
  ])(
    'rejects a subject or text with a length that App IO does not accept (case %#)',
    async (message, overrides, reason) => {
      expect(await rig.send(message, overrides)).toMatchObject({
        ok: false,
        kind: 'content',
        message: expect.stringMatching(reason) as string,
      });
      expect(rig.stage.fake.count).toBe(0);
    },
  );

  it.each([
    [{ title: 'x'.repeat(10), content: 'y'.repeat(80) }],
    [{ title: 'x'.repeat(120), content: 'y'.repeat(10_000) }],
  ])('accepts a subject and text at the limits of their length (case %#)', async (message) => {
    expect(await rig.send(message)).toMatchObject({ ok: true });
  });

  it('reports the problem without the fiscal code', async () => {
    const json = { status: 400, title: 'Bad', detail: `no ${FISCAL_CODE}` };
    const result = await rig.answering({ status: 400, json });
    expect(result).toMatchObject({ ok: false, kind: 'permanent', message: 'no [redacted]' });
    expect(JSON.stringify(result)).not.toContain(FISCAL_CODE);
    expect(await rig.answering({ status: 400, json: { title: 'Bad' } })).toMatchObject({ message: 'Bad' });
  });

  it('rejects a message without a fiscal code', async () => {
    expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.stage.fake.count).toBe(0);
  });
});
