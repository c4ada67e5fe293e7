/** Emails with an unsubscribe address have the headers of RFC 8058, through every provider that accepts headers. */
import { EMAIL_PROVIDERS } from '@clarion/contracts/core';
import { type EmailMessage, type Provider, providerFor, type SendContext } from '@clarion/providers';
import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { completeCredentials, EMAIL } from './samples';

const URL = 'https://mail.example.com/u/abc-_123';
/** MailerSend refuses messages with headers in its smaller plans. */
const WITHOUT = ['mailersend'];

/** Contains an access token, the result of a look-up and an id. */
const ANSWER = JSON.stringify({ access_token: 'x', users: [{ external_id: 'u' }], id: '1' });

/** Everything that the provider was given, as text. */
async function sentBy(provider: Provider<'email'>, message: EmailMessage): Promise<string> {
  const given: unknown[] = [];
  const context: SendContext = {
    http: {
      request: (request) => {
        given.push({ ...request, body: Buffer.from(request.body ?? '').toString() });
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(ANSWER) });
      },
      addressOf: (url) => url,
    },
    smtp: {
      send: (_server, mail) => {
        given.push(mail);
        return Promise.resolve({ accepted: [], rejected: [], response: '250' });
      },
      verify: () => Promise.resolve(),
    },
    outbox: { put: (entries) => Promise.resolve(void given.push(...entries)) },
    overrides: {},
    now: () => new Date(),
  };
  await provider.send(message, completeCredentials(provider.id), context);
  expect(given.length).toBeGreaterThan(0);
  return given.map((part) => decodeURIComponent(JSON.stringify(part).replaceAll('+', ' '))).join('\n');
}

describe.each([...EMAIL_PROVIDERS])('%s', (id) => {
  const provider = providerFor(id) as Provider<'email'>;

  it('sends the headers for unsubscribing, and those of the message instead of them', async () => {
    const text = await sentBy(provider, { ...EMAIL, unsubscribeUrl: URL });
    const isSent = !WITHOUT.includes(id);
    expect([text.includes(`<${URL}>`), text.includes('List-Unsubscribe=One-Click')]).toEqual([isSent, isSent]);
    const own = { ...EMAIL, headers: { 'list-unsubscribe': '<mailto:stop@x.test>' }, unsubscribeUrl: URL };
    expect(await sentBy(provider, own)).not.toContain('List-Unsubscribe=One-Click');
  });
});

describe('a mail server', () => {
  let stage: ProviderStage;

  beforeAll(async () => {
    stage = await startProviderStage();
  });
  afterAll(() => stage.close());

  it('receives both headers as whole lines', async () => {
    const url = `https://mail.example.com/u/${'a'.repeat(90)}`;
    const nodemailer = providerFor('nodemailer') as Provider<'email'>;
    const credentials = { host: 'smtp.example.com', port: '25', from: 'a@x.test', senderName: 'A' };
    await stage.send(nodemailer, { ...EMAIL, unsubscribeUrl: url }, credentials, {});
    const [head = ''] = stage.smtp.mails[0]!.raw.split('\r\n\r\n');
    const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
    expect(unfolded).toMatch(new RegExp(`^List-Unsubscribe: <${url}>$`, 'm'));
    expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  });
});
