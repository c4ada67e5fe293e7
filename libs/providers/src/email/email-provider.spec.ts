import { type CredentialsDto } from '@clarion/contracts';
import { type EmailMessage, type SendContext } from '../provider';
import { Answer } from '../outcome';
import {
  asciiMailbox,
  checked,
  emailProvider,
  encodedWords,
  mailbox,
  type ReadyEmail,
  withLeftOutParts,
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

describe('emailProvider', () => {
  it('uses the sender of the message and otherwise that of the integration', async () => {
    await send({});
    await send({ from: 'other@example.com', senderName: '' });
    expect(sent.map(mailbox)).toEqual(['Own <own@example.com>', 'other@example.com']);
  });

  it('rejects an email without a sender or a recipient', async () => {
    expect(await send({}, {})).toMatchObject({ ok: false, kind: 'content' });
    expect(await send({ to: [] })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(sent).toEqual([]);
  });

  it('removes repeated recipients across to, cc and bcc', async () => {
    await send({ to: ['a@x', 'A@x'], cc: ['b@x', 'a@X'], bcc: ['B@x', 'c@x'] });
    expect(sent[0]).toMatchObject({ to: ['a@x'], cc: ['b@x'], bcc: ['c@x'] });
  });

  it('converts header values of a trigger to text', async () => {
    await send({ headers: { 'X-A': 7 } as unknown as Record<string, string> });
    expect(sent[0]!.headers).toEqual({ 'X-A': '7' });
  });

  it('refuses an email that cannot be prepared, because the next attempt would fail as this one did', async () => {
    const headers = { 'X-A': { toString: 1 } } as unknown as Record<string, string>;
    expect(await send({ headers })).toMatchObject({ ok: false, kind: 'content' });
    expect(sent).toEqual([]);
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
  ])('rejects an email whose %s contains a line break or an invalid name', async (field, over) => {
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
  ])('formats the sender %s as %s', async (senderName, line) => {
    await send({ senderName });
    expect(mailbox(sent[0]!)).toBe(line);
  });
});

describe('encodedWords', () => {
  const decoded = (line: string): string =>
    line
      .split(' ')
      .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)![1]!, 'base64').toString())
      .join('');

  it('returns ASCII text unchanged', () => expect(encodedWords('Ann, "Ltd."')).toBe('Ann, "Ltd."'));

  it('encodes words of at most 75 characters that contain whole characters', () => {
    const text = 'Grüße 🎉 '.repeat(20);
    const line = encodedWords(text);
    expect(line).toMatch(/^[ -~]+$/);
    expect(Math.max(...line.split(' ').map(({ length }) => length))).toBeLessThanOrEqual(75);
    expect(line).not.toContain(Buffer.from('\uFFFD').toString('base64').slice(0, 4));
    expect(decoded(line)).toBe(text);
  });

  it('puts no quotes around encoded words in a mailbox', async () => {
    await send({ senderName: 'Ü, "x"' });
    await send({ senderName: 'Ann, Ltd.' });
    expect(sent.map(asciiMailbox)).toEqual([
      `${encodedWords('Ü, "x"')} <own@example.com>`,
      '"Ann, Ltd." <own@example.com>',
    ]);
  });
});

describe('checked', () => {
  it.each([
    [200, '{}', true],
    [204, '', true],
    [200, ' <html>', false],
    [404, '<html>', true],
    [405, '', true],
    [401, '', false],
    [500, '', false],
  ])('reads the response to a check, status %d with body %p, as passed: %p', (status, text, isPassed) => {
    const answer = new Answer({ status, headers: {}, body: Buffer.from(text) }, new Date());
    expect(checked(answer, () => ({ ok: false, kind: 'permanent', message: 'read' })).ok).toBe(isPassed);
  });
});

describe('withLeftOutParts', () => {
  it('adds a warning for each unsupported part to a success', () => {
    expect(withLeftOutParts({ ok: true, warnings: ['a'] }, 'Post', { cc: true, bcc: false })).toEqual({
      ok: true,
      warnings: ['a', 'Post does not support cc; it was left out'],
    });
    expect(withLeftOutParts({ ok: true }, 'Post', { cc: false })).toEqual({ ok: true });
    const failure = { ok: false, kind: 'content', message: 'no' } as const;
    expect(withLeftOutParts(failure, 'Post', { cc: true })).toBe(failure);
  });
});
