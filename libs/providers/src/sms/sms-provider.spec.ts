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

describe('any text message', () => {
  const sent = () => JSON.parse(stage.fake.calls[0]!.body) as Record<string, unknown>;

  it.each(['+15551234567,+15557654321', '555 1234;555', '5551234<5554321', 'bob', '', '+', '+1\n555'.repeat(5)])(
    'to %p is not sent: it has to be one number',
    async (to) => {
      expect(await stage.send(provider, { ...SMS, to }, CREDENTIALS)).toMatchObject({ ok: false, kind: 'recipient' });
      expect(stage.fake.count).toBe(0);
    },
  );

  it.each([
    ['+1 (555) 123-4567', '+15551234567', '15551234567'],
    ['0049.171.99', '004917199', '004917199'],
  ])('to %s goes to %s', async (written, to, digits) => {
    await stage.send(provider, { ...SMS, to: written }, CREDENTIALS);
    expect(sent()).toMatchObject({ to, digits });
  });

  it('has the sender of the message, else that of the integration, else none', async () => {
    await stage.send(provider, { ...SMS, from: 'Own' }, { from: 'Clarion' });
    await stage.send(provider, SMS, { from: 'Clarion' });
    await stage.send(provider, SMS, { from: '' });
    const senders = stage.fake.calls.map(({ body }) => (JSON.parse(body) as { from: unknown }).from);
    expect(senders).toEqual(['Own', 'Clarion', null]);
  });

  it('takes fields of the request from its data and from the overrides, which count more', async () => {
    const message = { ...SMS, customData: { priority: 1, colour: 'red' } };
    const result = await stage.send(provider, message, CREDENTIALS, { priority: 2 });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('colour')] });
    expect(sent()).toMatchObject({ fields: { priority: 2 } });
  });
});

it.each([
  ['plain @ {text} of any kind, with ä and €', true],
  ['', true],
  ['Привет', false],
  ['🙂', false],
  ['a `quote`', false],
])('knows whether %p is in the small alphabet', (text, isSmall) => {
  expect(isGsmText(text)).toBe(isSmall);
});

it.each([
  ['', true],
  ['a'.repeat(160), true],
  ['a'.repeat(161), false],
  ['€'.repeat(80), true],
  [`${'€'.repeat(80)}a`, false],
  ['я'.repeat(70), true],
  ['я'.repeat(71), false],
])('knows whether a text fits into one part: %#', (text, isOne) => {
  expect(isOnePart(text)).toBe(isOne);
});

describe('a report', () => {
  const report = { kind: 'failed', mark: 'FAILED:1', providerMessageId: 'a', messageId: 'b' } as const;

  it('is known by its message and its mark', () => {
    expect(reportOf({ ...report, recipient: '+1555' })).toEqual([
      { id: 'a:FAILED:1', kind: 'failed', providerMessageId: 'a', messageId: 'b', recipient: '+1555' },
    ]);
    expect(reportOf({ ...report, providerMessageId: '' })).toMatchObject([{ id: 'b:FAILED:1' }]);
  });

  it('of a dead number is a bounce', () => {
    expect(reportOf({ ...report, isPermanent: true })).toMatchObject([{ kind: 'bounced', isPermanent: true }]);
    expect(reportOf({ ...report, isPermanent: false })[0]).not.toHaveProperty('isPermanent');
  });

  it('without a message or a known state is none', () => {
    expect(reportOf({ ...report, kind: undefined })).toEqual([]);
    expect(reportOf({ ...report, providerMessageId: '', messageId: undefined })).toEqual([]);
  });
});
