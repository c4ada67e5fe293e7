/** The same as `contract.ts` for the ids that are a mail server under another name. */
import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import {
  checkCredentials,
  type EmailMessage,
  type Provider,
  type SendContext,
  type SendResult,
  type SmtpMail,
  type SmtpServer,
} from '@clarion/providers';
import { type FakeMail, type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { EMAIL, FULL_EMAIL } from './samples';

export type SmtpRig = {
  readonly stage: ProviderStage;
  send(message?: Partial<EmailMessage>, overrides?: JsonObject, credentials?: CredentialsDto): Promise<SendResult>;
  readonly mails: FakeMail[];
  check(credentials?: CredentialsDto): Promise<SendResult>;
  /** The server that a message would go to, and the mail itself, without a connection. */
  handedOver(credentials?: CredentialsDto): Promise<{ server: SmtpServer; mail: SmtpMail }>;
};

/** `credentials` must be enough for a login by the name that a test gives as `user`. */
export function keepsTheSmtpContract(provider: Provider<'email'>, credentials: CredentialsDto): SmtpRig {
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

  describe('keeps the contract', () => {
    it('names every credential that is missing', () => {
      expect(checkCredentials(provider.id, {}).missing).toEqual(provider.required);
      expect(checkCredentials(provider.id, credentials)).toEqual({ missing: [], invalid: [] });
    });

    it('sends a mail, under the same id each time', async () => {
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

    it('puts in everything a mail can have', async () => {
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

    it('uses no override that could read a file, and says so', async () => {
      const overrides = {
        headers: { 'X-A': 'b' },
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

    it('says that there is no request to pass anything through to', async () => {
      expect(await rig.send({}, { _passthrough: { body: { to: 'eve@example.com' } } })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('_passthrough') as string],
      });
      expect(rig.mails[0]).toMatchObject({ to: ['bob@example.com'] });
    });

    it('goes to nobody whom only a header names', async () => {
      const eve = 'eve@example.com';
      await rig.send({}, { headers: { To: eve, cc: eve, BCC: eve, 'X-A': `b\r\nCc: ${eve}` } });
      expect(rig.mails[0]).toMatchObject({ to: ['bob@example.com'] });
      expect(rig.mails[0]!.raw).not.toMatch(/^(To|Cc|Bcc):.*eve/im);
    });

    it('reports a recipient that was left out', async () => {
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
    ] as const)('understands a refusal at %s with %d', async (at, code, kind) => {
      stage.smtp.rejectNext(at, code, 'no, canary-password');
      // A login of its own: one that is open already is not asked again.
      const result = await rig.send({}, {}, { user: `${at}-${code}` });
      expect(result).toMatchObject({ ok: false, kind, status: code, message: expect.stringContaining('no') as string });
      expect(JSON.stringify(result)).not.toContain('canary');
    });

    it.each([
      ['auth', 535, '5.7.139 Authentication unsuccessful, basic authentication is disabled'],
      ['rcpt', 550, '5.7.30 Basic authentication is not supported'],
    ] as const)(
      'takes the end of password logins, at %s with %d, for a fault of the credentials',
      async (at, code, text) => {
        stage.smtp.rejectNext(at, code, text);
        expect(await rig.send({}, {}, { user: `basic-${at}` })).toMatchObject({ ok: false, kind: 'credentials' });
      },
    );

    it.each([
      ['CONN', 554],
      ['EHLO', 550],
      ['STARTTLS', 502],
    ])('takes a refusal at %s with %d for a fault of the account', async (command, responseCode) => {
      const fail = () => Promise.reject(Object.assign(new Error('no'), { responseCode, command }));
      const result = await provider.send(EMAIL, credentials, contextWith({ send: fail, verify: fail }));
      expect(result).toMatchObject({ ok: false, kind: 'credentials', status: responseCode });
    });

    it('says what a mail has no place for', async () => {
      expect(await rig.send({ ipPoolName: 'pool', customData: { a: 1 } })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('ipPoolName'), expect.stringContaining('customData')],
      });
    });

    it('gets through greylisting at the second try', async () => {
      stage.smtp.greylist();
      expect(await rig.send()).toMatchObject({ ok: false, kind: 'transient', status: 451 });
      expect(await rig.send()).toMatchObject({ ok: true });
    });

    it.each([
      ['unreachable', 'transient'],
      ['unknown', 'unknown-outcome'],
      ['refused', 'permanent'],
    ])('understands a connection that is %s', async (kind, expected) => {
      const fail = () => Promise.reject(Object.assign(new Error('canary-password'), { kind }));
      const context = contextWith({ send: fail, verify: fail });
      for (const result of [
        await provider.send(EMAIL, credentials, context),
        await provider.check!(credentials, context),
      ]) {
        expect(result).toEqual({ ok: false, kind: expected, message: '[redacted]' });
      }
    });

    it('checks the login without sending anything', async () => {
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
