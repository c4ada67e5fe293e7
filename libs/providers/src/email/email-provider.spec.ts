import { type EmailMessage, type SendContext } from '../provider';
import { emailProvider, mailbox, type ReadyEmail } from './email-provider';

const sent: ReadyEmail[] = [];
const provider = emailProvider({
  id: 'sendgrid',
  send: (message) => {
    sent.push(message);
    return Promise.resolve({ ok: true });
  },
});
const context = { credentials: { from: 'own@example.com', senderName: 'Own' } } as SendContext;
const message: EmailMessage = { id: '1', to: ['a@example.com'], subject: 's', html: 'h' };
const send = (over: Partial<EmailMessage>, given = context) => provider.send({ ...message, ...over }, given);

beforeEach(() => sent.splice(0));

describe('an email', () => {
  it("has the integration's sender unless it has its own", async () => {
    await send({});
    await send({ from: 'other@example.com', senderName: '' });
    expect(sent.map(mailbox)).toEqual(['Own <own@example.com>', 'other@example.com']);
  });

  it('without any sender or recipient is not sent', async () => {
    expect(await send({}, { credentials: {} } as SendContext)).toMatchObject({ ok: false, kind: 'permanent' });
    expect(await send({ to: [] })).toMatchObject({ ok: false, kind: 'permanent' });
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
      kind: 'permanent',
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
