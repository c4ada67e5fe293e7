import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { CREDENTIALS, SMS } from '../../test/samples';
import { isGsmText, isOnePart, reportOf, smsProvider } from './sms-provider';

const provider = smsProvider({
  id: 'twilio',
  displayName: 'Any',
  evidence: 'official',
  overrides: { names: ['priority', 'from'] },
  request: ({ to, digits, from, content }, _, { fields }) => ({
    url: 'https://sms.example.com/send',
    json: { to, digits, from: from ?? null, content, fields },
  }),
  read: (answer) => answer.accepted(),
});

let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

describe('smsProvider', () => {
  const sent = () => JSON.parse(stage.fake.calls[0]!.body) as Record<string, unknown>;

  it.each(['+15551234567,+15557654321', '555 1234;555', '5551234<5554321', 'bob', '', '+', '+1\n555'.repeat(5)])(
    'rejects the recipient %p, which is not exactly one number',
    async (to) => {
      expect(await stage.send(provider, { ...SMS, to }, CREDENTIALS)).toMatchObject({ ok: false, kind: 'recipient' });
      expect(stage.fake.count).toBe(0);
    },
  );

  it.each([
    ['+1 (555) 123-4567', '+15551234567', '15551234567'],
    ['0049.171.99', '004917199', '004917199'],
  ])('sends to %s as %s', async (written, to, digits) => {
    await stage.send(provider, { ...SMS, to: written }, CREDENTIALS);
    expect(sent()).toMatchObject({ to, digits });
  });

  it('uses the sender of the message, otherwise that of the integration, otherwise none', async () => {
    await stage.send(provider, { ...SMS, from: 'Own' }, { from: 'Clarion' });
    await stage.send(provider, SMS, { from: 'Clarion' });
    await stage.send(provider, SMS, { from: '' });
    const senders = stage.fake.calls.map(({ body }) => (JSON.parse(body) as { from: unknown }).from);
    expect(senders).toEqual(['Own', 'Clarion', null]);
  });

  it('takes request fields from custom data and from overrides, which take precedence', async () => {
    const message = { ...SMS, customData: { priority: 1, colour: 'red' } };
    const result = await stage.send(provider, message, CREDENTIALS, { priority: 2 });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('colour')] });
    expect(sent()).toMatchObject({ fields: { priority: 2 } });
  });
});

describe('isGsmText', () => {
  it.each([
    ['plain @ {text} of any kind, with ä and €', true],
    ['', true],
    ['Привет', false],
    ['🙂', false],
    ['a `quote`', false],
  ])('detects whether %p is in the GSM alphabet: %p', (text, isSmall) => {
    expect(isGsmText(text)).toBe(isSmall);
  });
});

describe('isOnePart', () => {
  it.each([
    ['', true],
    ['a'.repeat(160), true],
    ['a'.repeat(161), false],
    ['€'.repeat(80), true],
    [`${'€'.repeat(80)}a`, false],
    ['я'.repeat(70), true],
    ['я'.repeat(71), false],
  ])('detects whether a text fits into one part (case %#)', (text, isOne) => {
    expect(isOnePart(text)).toBe(isOne);
  });
});

describe('reportOf', () => {
  const report = { kind: 'failed', mark: 'FAILED:1', providerMessageId: 'a', messageId: 'b' } as const;

  it('identifies an event by its message and its mark', () => {
    expect(reportOf({ ...report, recipient: '+1555' })).toEqual([
      { id: 'a:FAILED:1', kind: 'failed', providerMessageId: 'a', messageId: 'b', recipient: '+1555' },
    ]);
    expect(reportOf({ ...report, providerMessageId: '' })).toMatchObject([{ id: 'b:FAILED:1' }]);
  });

  it('turns a permanent failure into a bounce', () => {
    expect(reportOf({ ...report, isPermanent: true })).toMatchObject([{ kind: 'bounced', isPermanent: true }]);
    expect(reportOf({ ...report, isPermanent: false })[0]).not.toHaveProperty('isPermanent');
  });

  it('returns no event for a report without a message or with an unknown state', () => {
    expect(reportOf({ ...report, kind: undefined })).toEqual([]);
    expect(reportOf({ ...report, providerMessageId: '', messageId: undefined })).toEqual([]);
  });
});
