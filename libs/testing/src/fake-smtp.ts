import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type FakeMail = {
  from: string;
  to: string[];
  /** The raw message. */
  raw: string;
  /** The user that was logged in. */
  user?: string;
  at: number;
};

export type SmtpStage = 'auth' | 'mail' | 'rcpt' | 'data';

export type FakeSmtp = {
  readonly host: string;
  readonly port: number;
  /** For CLARION_PROVIDER_URLS. */
  readonly url: string;
  readonly mails: FakeMail[];
  /** The number of connections that were opened. */
  readonly connections: number;
  /** Rejects the next command of this kind. */
  rejectNext(stage: SmtpStage, code: number, text: string): void;
  /** Rejects each recipient once with 451, as a greylisting server does. */
  greylist(): void;
  reset(): void;
  close(): Promise<void>;
};

/** A real SMTP server on a loopback port; every login is accepted, and none is required. */
export async function startFakeSmtp(options: SMTPServerOptions = {}): Promise<FakeSmtp> {
  const mails: FakeMail[] = [];
  const rejections: { stage: SmtpStage; code: number; text: string }[] = [];
  const seen = new Set<string>();
  let connections = 0;
  let isGreylisting = false;

  const rejection = (stage: SmtpStage): Error | undefined => {
    const at = rejections.findIndex((one) => one.stage === stage);
    const [found] = at < 0 ? [] : rejections.splice(at, 1);
    return found && smtpError(found.code, found.text);
  };

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    // Closing must not wait for connections that a pool keeps open.
    closeTimeout: 1,
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    onAuth: ({ username = '' }, _session, done) => {
      const error = rejection('auth');
      if (error) done(error);
      else done(null, { user: username });
    },
    onMailFrom: (_address, _session, done) => done(rejection('mail')),
    onRcptTo: ({ address }, _session, done) => {
      const isNew = isGreylisting && !seen.has(address);
      seen.add(address);
      done(rejection('rcpt') ?? (isNew ? smtpError(451, 'Try again later') : undefined));
    },
    onData: (stream, { envelope, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const error = rejection('data');
        if (error) return done(error);
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          ...(user !== undefined && { user: String(user) }),
          at: Date.now(),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;

  return {
    host: '127.0.0.1',
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get connections() {
      return connections;
    },
    rejectNext: (stage, code, text) => void rejections.push({ stage, code, text }),
    greylist: () => void (isGreylisting = true),
    reset: () => {
      mails.length = rejections.length = 0;
      seen.clear();
      isGreylisting = false;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const smtpError = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });
