import { type CredentialsDto } from '@clarion/contracts';
import { type EmailMessage, type SendContext } from '../provider';
import { Answer } from '../outcome';
import {
  asciiMailbox,
  checked,
  emailProvider,
  encodedWords,
  leftOut,
  mailbox,
  type ReadyEmail,
} from './email-provider';

const sent: ReadyEmail[] = [];
const provider = emailProvider({
  id: 'sendgrid',
  displayName: 'SendGrid',
  evidence: 'official',
  send: (message) => {
    sent.push(message);
    return Promise.resolve({ ok: true });
  },
});
const own: CredentialsDto = { from: 'own@example.com', senderName: 'Own' };
const context = { overrides: {} } as SendContext;
const message: EmailMessage = { id: '1', to: ['a@example.com'], subject: 's', html: 'h' };
const send = (over: Partial<EmailMessage>, credentials = own) =>
  provider.send({ ...message, ...over }, credentials, context);

beforeEach(() => sent.splice(0));

describe('an email', () => {
  it("has the integration's sender unless it has its own", async () => {
    await send({});
    await send({ from: 'other@example.com', senderName: '' });
    expect(sent.map(mailbox)).toEqual(['Own <own@example.com>', 'other@example.com']);
  });

  it('without any sender or recipient is not sent', async () => {
    expect(await send({}, {})).toMatchObject({ ok: false, kind: 'content' });
    expect(await send({ to: [] })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(sent).toEqual([]);
  });

  it('goes to nobody twice', async () => {
    await send({ to: ['a@x', 'A@x'], cc: ['b@x', 'a@X'], bcc: ['B@x', 'c@x'] });
    expect(sent[0]).toMatchObject({ to: ['a@x'], cc: ['b@x'], bcc: ['c@x'] });
  });

  it('has texts for headers whatever a trigger set', async () => {
    await send({ headers: { 'X-A': 7 } as unknown as Record<string, string> });
    expect(sent[0]!.headers).toEqual({ 'X-A': '7' });
  });

  it.each<[string, Partial<EmailMessage>]>([
    ['subject', { subject: 'a\r\nBcc: all@example.com' }],
    ['from', { from: 'a@example.com\nX: y' }],
    ['senderName', { senderName: 'a\0b' }],
    ['replyTo', { replyTo: 'a\rb' }],
    ['to', { to: ['a\n@x'] }],
    ['cc', { cc: ['a\n@x'] }],
    ['bcc', { bcc: ['a\n@x'] }],
    ['headers', { headers: { 'X-A': 'b\nc' } }],
    ['headers', { headers: { 'X-A: b\nX-C': 'd' } }],
    ['attachments', { attachments: [{ name: 'a\r\nb', mime: 'text/plain', file: Buffer.alloc(0) }] }],
  ])('whose %s would break out of its line is not sent', async (field, over) => {
    expect(await send(over)).toMatchObject({
      ok: false,
      kind: 'content',
      message: expect.stringContaining(field) as string,
    });
    expect(sent).toEqual([]);
  });

  it.each([
    ['Ann Ü', 'Ann Ü <own@example.com>'],
    ['Ann, Ltd.', '"Ann, Ltd." <own@example.com>'],
    ['An"n\\', '"An\\"n\\\\" <own@example.com>'],
    ['<x@y>', '"<x@y>" <own@example.com>'],
  ])('quotes the name %s where needed', async (senderName, line) => {
    await send({ senderName });
    expect(mailbox(sent[0]!)).toBe(line);
  });
});

describe('a header line of seven bits', () => {
  const decoded = (line: string): string =>
    line
      .split(' ')
      .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)![1]!, 'base64').toString())
      .join('');

  it('is the text itself where that will do', () => expect(encodedWords('Ann, "Ltd."')).toBe('Ann, "Ltd."'));

  it('is made of words that are not too long, and of whole characters', () => {
    const text = 'Grüße 🎉 '.repeat(20);
    const line = encodedWords(text);
    expect(line).toMatch(/^[ -~]+$/);
    expect(Math.max(...line.split(' ').map(({ length }) => length))).toBeLessThanOrEqual(75);
    expect(line).not.toContain(Buffer.from('\uFFFD').toString('base64').slice(0, 4));
    expect(decoded(line)).toBe(text);
  });

  it('has no quotes around such words, where they would be shown as they are', async () => {
    await send({ senderName: 'Ü, "x"' });
    await send({ senderName: 'Ann, Ltd.' });
    expect(sent.map(asciiMailbox)).toEqual([
      `${encodedWords('Ü, "x"')} <own@example.com>`,
      '"Ann, Ltd." <own@example.com>',
    ]);
  });
});

it.each([
  [200, '{}', true],
  [204, '', true],
  [200, ' <html>', false],
  [404, '<html>', true],
  [405, '', true],
  [401, '', false],
  [500, '', false],
])('takes a check that is answered with %d and %p for passed: %p', (status, text, isPassed) => {
  const answer = new Answer({ status, headers: {}, body: Buffer.from(text) }, new Date());
  expect(checked(answer, () => ({ ok: false, kind: 'permanent', message: 'read' })).ok).toBe(isPassed);
});

it('says what was left out of a mail that was taken', () => {
  expect(leftOut({ ok: true, warnings: ['a'] }, 'Post', { cc: true, bcc: false })).toEqual({
    ok: true,
    warnings: ['a', 'Post has no place for cc: it was left out'],
  });
  expect(leftOut({ ok: true }, 'Post', { cc: false })).toEqual({ ok: true });
  const failure = { ok: false, kind: 'content', message: 'no' } as const;
  expect(leftOut(failure, 'Post', { cc: true })).toBe(failure);
});
