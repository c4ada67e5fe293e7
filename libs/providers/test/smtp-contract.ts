/** The counterpart of `contract.ts` for provider ids that are mail servers. */
import { type SmtpMail, type SmtpServer } from '@clarion/contracts/core';
import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import {
  checkCredentials,
  type EmailMessage,
  type Provider,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import { type FakeMail, type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { EMAIL, FULL_EMAIL } from './samples';

type SmtpRig = {
  readonly stage: ProviderStage;
  send(message?: Partial<EmailMessage>, overrides?: JsonObject, credentials?: CredentialsDto): Promise<SendResult>;
  readonly mails: FakeMail[];
  check(credentials?: CredentialsDto): Promise<SendResult>;
  /** Captures the server and the mail without opening a connection. */
  handedOver(credentials?: CredentialsDto): Promise<{ server: SmtpServer; mail: SmtpMail }>;
};

/** `credentials` must allow a login with the name that a test passes as `user`. */
export function testSmtpProviderContract(provider: Provider<'email'>, credentials: CredentialsDto): SmtpRig {
  let stage: ProviderStage;
  const contextWith = (smtp: SendContext['smtp']): SendContext => ({ ...stage.context(provider.id), smtp });
  const rig: SmtpRig = {
    get stage() {
      return stage;
    },
    get mails() {
      return stage.smtp.mails;
    },
    send: (message = {}, overrides = {}, own = {}) =>
      stage.send(provider, { ...EMAIL, ...message }, { ...credentials, ...own }, overrides),
    check: (own = {}) => provider.check!({ ...credentials, ...own }, stage.context(provider.id)),
    handedOver: async (own = {}) => {
      const handed: { server: SmtpServer; mail: SmtpMail }[] = [];
      const smtp = {
        send: (server: SmtpServer, mail: SmtpMail) => {
          handed.push({ server, mail });
          return Promise.resolve({ accepted: [], rejected: [], response: '250 ok' });
        },
        verify: () => Promise.resolve(),
      };
      await provider.send(EMAIL, { ...credentials, ...own }, contextWith(smtp));
      return handed[0]!;
    },
  };

  beforeAll(async () => {
    stage = await startProviderStage();
  });
  afterEach(() => stage.reset());
  afterAll(() => stage.close());

  describe('SMTP provider contract', () => {
    it('reports every required credential that is missing', () => {
      expect(checkCredentials(provider.id, {}).missing).toEqual(provider.required);
      expect(checkCredentials(provider.id, credentials)).toEqual({ missing: [], invalid: [] });
    });

    it('sends a mail with the same Message-ID on every attempt', async () => {
      expect(await rig.send(FULL_EMAIL)).toMatchObject({ ok: true, id: 'message-2@example.com' });
      expect(await rig.send(FULL_EMAIL)).toMatchObject({ ok: true, id: 'message-2@example.com' });
      expect(rig.mails).toHaveLength(2);
      for (const mail of rig.mails) {
        expect(mail).toMatchObject({
          from: 'ann@example.com',
          to: ['bob@example.com', 'cc@example.com', 'bcc@example.com'],
        });
        expect(mail.raw).toMatch(/^Message-ID: <message-2@example\.com>/m);
      }
    });

    it('puts all parts of a message into the mail and no Bcc header', async () => {
      await rig.send(FULL_EMAIL);
      const { raw } = rig.mails[0]!;
      for (const line of [
        /^From: =\?UTF-8\?.+<ann@example\.com>/m,
        /^Subject: =\?UTF-8\?/m,
        /^Reply-To: reply@example\.com/m,
        /^Cc: cc@example\.com/m,
        /^X-Campaign: spring/m,
        /^Content-Type: text\/plain/m,
        /^Content-Type: text\/html/m,
        /^Content-Type: text\/plain; name=a\.txt/m,
        /^Content-Id: <logo>/im,
      ]) {
        expect(raw).toMatch(line);
      }
      expect(raw).not.toMatch(/^Bcc/m);
    });

    it('ignores overrides that could read a file and warns about them', async () => {
      const overrides = {
        headers: { 'X-A': 'b', 'X-B': { toString: 1 } },
        attachments: [{ path: '/etc/hostname' }],
        raw: { path: '/etc/hostname' },
      };
      expect(await rig.send({}, overrides)).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('attachments') as string, expect.stringContaining('raw') as string],
      });
      expect(rig.mails[0]!.raw).toMatch(/^X-A: b/m);
      expect(rig.mails[0]!.raw).not.toMatch(/hostname|attachment/);
    });

    it('warns that a mail server does not support _passthrough', async () => {
      expect(await rig.send({}, { _passthrough: { body: { to: 'eve@example.com' } } })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('_passthrough') as string],
      });
      expect(rig.mails[0]).toMatchObject({ to: ['bob@example.com'] });
    });

    it('does not send to addresses that appear only in overridden headers', async () => {
      const eve = 'eve@example.com';
      await rig.send({}, { headers: { To: eve, cc: eve, BCC: eve, 'X-A': `b\r\nCc: ${eve}` } });
      expect(rig.mails[0]).toMatchObject({ to: ['bob@example.com'] });
      expect(rig.mails[0]!.raw).not.toMatch(/^(To|Cc|Bcc):.*eve/im);
    });

    it('warns about a recipient that the server rejected', async () => {
      stage.smtp.rejectNext('rcpt', 550, 'No such user');
      const result = await rig.send({ to: ['gone@example.com', 'bob@example.com'] });
      expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('gone@example.com') as string] });
      expect(rig.mails[0]!.to).toEqual(['bob@example.com']);
    });

    it.each([
      ['auth', 535, 'credentials'],
      ['auth', 454, 'transient'],
      ['mail', 550, 'credentials'],
      ['mail', 451, 'transient'],
      ['mail', 552, 'content'],
      ['rcpt', 550, 'recipient'],
      ['rcpt', 452, 'transient'],
      ['data', 552, 'content'],
      ['data', 554, 'content'],
      ['data', 550, 'permanent'],
      ['data', 421, 'transient'],
      ['data', 503, 'transient'],
    ] as const)('classifies a rejection of the %s command with code %d as %s', async (at, code, kind) => {
      stage.smtp.rejectNext(at, code, 'no, canary-password');
      // A new login, because the server does not ask an open connection again.
      const result = await rig.send({}, {}, { user: `${at}-${code}` });
      expect(result).toMatchObject({ ok: false, kind, status: code, message: expect.stringContaining('no') as string });
      expect(JSON.stringify(result)).not.toContain('canary');
    });

    it.each([
      ['auth', 535, '5.7.139 Authentication unsuccessful, basic authentication is disabled'],
      ['rcpt', 550, '5.7.30 Basic authentication is not supported'],
    ] as const)(
      'classifies disabled password logins, rejected at %s with code %d, as a credentials failure',
      async (at, code, text) => {
        stage.smtp.rejectNext(at, code, text);
        expect(await rig.send({}, {}, { user: `basic-${at}` })).toMatchObject({ ok: false, kind: 'credentials' });
      },
    );

    it.each([
      ['CONN', 554],
      ['EHLO', 550],
      ['STARTTLS', 502],
    ])('classifies a rejection of %s with code %d as a credentials failure', async (command, responseCode) => {
      const fail = () => Promise.reject(Object.assign(new Error('no'), { responseCode, command }));
      const result = await provider.send(EMAIL, credentials, contextWith({ send: fail, verify: fail }));
      expect(result).toMatchObject({ ok: false, kind: 'credentials', status: responseCode });
    });

    it('warns about the message parts that a mail server does not support', async () => {
      expect(await rig.send({ ipPoolName: 'pool', customData: { a: 1 } })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('ipPoolName'), expect.stringContaining('customData')],
      });
    });

    it('succeeds on the second attempt after greylisting', async () => {
      stage.smtp.greylist();
      expect(await rig.send()).toMatchObject({ ok: false, kind: 'transient', status: 451 });
      expect(await rig.send()).toMatchObject({ ok: true });
    });

    it.each([
      ['unreachable', 'transient'],
      ['unknown', 'unknown-outcome'],
      ['refused', 'permanent'],
    ])('classifies a connection that is %s as %s', async (kind, expected) => {
      const fail = () => Promise.reject(Object.assign(new Error('canary-password'), { kind }));
      const context = contextWith({ send: fail, verify: fail });
      for (const result of [
        await provider.send(EMAIL, credentials, context),
        await provider.check!(credentials, context),
      ]) {
        expect(result).toEqual({ ok: false, kind: expected, message: '[redacted]' });
      }
    });

    it('checks the login without sending a mail', async () => {
      expect(await rig.check({ user: 'checked' })).toEqual({ ok: true });
      stage.smtp.rejectNext('auth', 535, 'Wrong password');
      expect(await rig.check({ user: 'checked' })).toMatchObject({
        ok: false,
        kind: 'credentials',
        message: expect.stringContaining('Wrong') as string,
      });
      expect(rig.mails).toEqual([]);
    });
  });
  return rig;
}
