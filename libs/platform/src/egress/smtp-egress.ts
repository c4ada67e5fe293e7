/** One pool per server and login: a login is never used for the mail of another tenant. */
import { createHash } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { createTransport as CreateTransport, Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import {
  canonicalJson,
  type SmtpMail,
  type SmtpReceipt,
  type SmtpServer,
  TimeoutError,
  withTimeout,
} from '@clarion/contracts/core';
import { canonicalHost } from './address-rules';
import { EgressError, SmtpReplyError } from './egress-error';
import { type ConnectionGuard } from './guarded-connections';

type SmtpLimits = { connectMs: number; headersMs: number; totalMs: number };
type Pool = {
  transporter: Transporter<SMTPPool.SentMessageInfo, SMTPPool.Options>;
  /** Mails and logins in progress. */
  inFlight: number;
};

/** The maximum number of pools. When it is reached, the idle pool that was used least recently is closed. */
const MAX_POOLS = 500;
const CONNECTIONS_PER_POOL = 10;

const TLS_TEXTS: ReadonlySet<string> = new Set(['ca', 'cert', 'key', 'passphrase', 'servername', 'ciphers']);
const TLS_VERSIONS: ReadonlySet<string> = new Set(['minVersion', 'maxVersion']);

/** `begun` is true once a connection has started to read the mail. Nodemailer passes unknown fields through. */
type Attempt = { begun: boolean };
const ATTEMPT = 'clarionAttempt';

export class SmtpEgress {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly guarded: ConnectionGuard,
    /** For connections without certificate verification: only to hosts that the operator listed. */
    private readonly listedOnly: ConnectionGuard,
    private readonly trusted: ConnectionGuard,
    private readonly limits: SmtpLimits,
  ) {}

  async send(server: SmtpServer, isTrusted: boolean, mail: SmtpMail): Promise<SmtpReceipt> {
    const key = keyOf(server, isTrusted);
    const attempt: Attempt = { begun: false };
    const { messageId, attachments = [], to, cc, bcc, headers, ...rest } = mail;
    const pool = this.poolFor(key, server, isTrusted);
    const message = {
      ...rest,
      messageId: `<${messageId}>`,
      from: { name: mail.from.name ?? '', address: mail.from.address },
      to: [...to],
      cc: cc && [...cc],
      bcc: bcc && [...bcc],
      headers: { ...headers },
      attachments: attachments.map(({ name, mime, file, cid, disposition }) => ({
        filename: name,
        contentType: mime,
        content: file,
        cid,
        contentDisposition: disposition === 'inline' ? ('inline' as const) : ('attachment' as const),
      })),
      disableFileAccess: true,
      disableUrlAccess: true,
      [ATTEMPT]: attempt,
    };
    try {
      const { accepted, rejected, response } = await this.withinLimit(key, pool, (transporter) =>
        transporter.sendMail(message),
      );
      return { accepted: accepted.map(addressOf), rejected: rejected.map(addressOf), response };
    } catch (error) {
      throw faultOf(error as NodemailerError, server.host, attempt.begun);
    }
  }

  /** Connects and logs in without sending a mail. */
  async verify(server: SmtpServer, isTrusted: boolean): Promise<void> {
    const key = keyOf(server, isTrusted);
    try {
      await this.withinLimit(key, this.poolFor(key, server, isTrusted), (transporter) => transporter.verify());
    } catch (error) {
      throw faultOf(error as NodemailerError, server.host, false);
    }
  }

  close(): void {
    for (const key of [...this.pools.keys()]) this.drop(key);
  }

  private poolFor(key: string, server: SmtpServer, isTrusted: boolean): Pool {
    let pool = this.pools.get(key);
    if (pool) {
      this.pools.delete(key);
    } else {
      pool = { transporter: this.createPool(server, isTrusted), inFlight: 0 };
      this.evictIdlePools();
    }
    this.pools.set(key, pool);
    return pool;
  }

  /** Pools in use are never closed, so a tenant with very many servers cannot interrupt the mails of others. */
  private evictIdlePools(): void {
    for (const [key, { inFlight }] of this.pools) {
      if (this.pools.size < MAX_POOLS) return;
      if (inFlight === 0) this.drop(key);
    }
  }

  private createPool(server: SmtpServer, isTrusted: boolean): Pool['transporter'] {
    const { host, port, user, password, dkim } = server;
    const tls = this.tlsOptions(server);
    const isUnchecked = !isTrusted && tls['rejectUnauthorized'] === false;
    const guard = isTrusted ? this.trusted : isUnchecked ? this.listedOnly : this.guarded;
    const transporter = loadNodemailer()({
      pool: true,
      maxConnections: CONNECTIONS_PER_POOL,
      host,
      port,
      secure: server.secure ?? false,
      requireTLS: server.requireTls ?? false,
      ignoreTLS: server.ignoreTls ?? false,
      tls,
      ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
      ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
      connectionTimeout: this.limits.headersMs,
      greetingTimeout: this.limits.headersMs,
      socketTimeout: this.limits.totalMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_options: unknown, callback: (error: Error | null, socket?: { connection: Socket }) => void) =>
        void this.open(guard, host, port).then(
          (connection) => callback(null, { connection }),
          (error: Error) => callback(isUnchecked && isRefusal(error) ? uncheckedHost(host) : error),
        ),
    } as SMTPPool.Options);
    transporter.use('stream', (mail, done) => {
      const attempt = (mail.data as unknown as Record<string, unknown>)[ATTEMPT] as Attempt;
      mail.message.transform(() => {
        attempt.begun = true;
        return new PassThrough();
      });
      done();
    });
    return transporter;
  }

  private async open(guard: ConnectionGuard, name: string, port: number): Promise<Socket> {
    const host = canonicalHost(name);
    if (host === undefined) throw new EgressError('refused', 'The mail server is not a host name');
    guard.checkLiteral(host, port, 'smtp');
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, lookup: guard.lookup(host, port, 'smtp'), autoSelectFamily: true });
      const timer = setTimeout(
        () =>
          socket.destroy(new EgressError('unreachable', `No connection to ${host} within ${this.limits.connectMs} ms`)),
        this.limits.connectMs,
      );
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(
          error instanceof EgressError
            ? error
            : new EgressError('unreachable', `No connection to ${host}: ${error.message}`),
        );
      });
      socket.once('connect', () => {
        clearTimeout(timer);
        try {
          guard.checkConnected(socket, host, port, 'smtp');
          socket.removeAllListeners('error');
          resolve(socket);
        } catch (error) {
          socket.destroy();
          reject(error as EgressError);
        }
      });
    });
  }

  /** The TLS options that a tenant may set; others would open files and sockets of this machine. */
  private tlsOptions({ host, tlsOptions = {} }: SmtpServer): Record<string, unknown> {
    const servername = isIP(host) ? {} : { servername: host };
    const options: Record<string, unknown> = { ...servername };
    for (const [name, value] of Object.entries(tlsOptions)) {
      const isFine =
        (TLS_TEXTS.has(name) && (typeof value === 'string' || isTexts(value))) ||
        (TLS_VERSIONS.has(name) && typeof value === 'string' && /^TLSv1(\.[123])?$/.test(value)) ||
        (name === 'rejectUnauthorized' && typeof value === 'boolean');
      if (!isFine) throw new EgressError('refused', `The TLS option ${name} is not accepted`);
      options[name] = value;
    }
    return options;
  }

  /** Closes the connection when the whole exchange takes too long; nodemailer has only idle timeouts. */
  private async withinLimit<T>(
    key: string,
    pool: Pool,
    work: (transporter: Pool['transporter']) => Promise<T>,
  ): Promise<T> {
    pool.inFlight += 1;
    try {
      return await withTimeout(work(pool.transporter), this.limits.totalMs, 'The SMTP conversation');
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      this.drop(key);
      throw new Error(`No full answer within ${this.limits.totalMs} ms`, { cause: error });
    } finally {
      pool.inFlight -= 1;
    }
  }

  private drop(key: string): void {
    const pool = this.pools.get(key);
    this.pools.delete(key);
    // The types lack this option.
    (pool?.transporter as { close(options: { force: boolean }): void } | undefined)?.close({ force: true });
  }
}

/** A connection of nodemailer, with what it does not document. */
type SmtpConnection = { _responseQueue: string[]; _onData(chunk: Buffer): void; _onResponseTooLarge(): void };

/** A server sends one reply to a command. Nodemailer looks at the lines that wait one by one, and has no limit. */
const WAITING_LINES = 100;

let createTransport: typeof CreateTransport | undefined;

/** Loaded when first used: most processes send no mail to a server. */
function loadNodemailer(): typeof CreateTransport {
  if (createTransport) return createTransport;
  /* eslint-disable @typescript-eslint/no-require-imports -- there is no time to wait for an import here */
  const { prototype } = require('nodemailer/lib/smtp-connection') as { prototype: SmtpConnection };
  ({ createTransport } = require('nodemailer') as { createTransport: typeof CreateTransport });
  /* eslint-enable @typescript-eslint/no-require-imports */
  const { _onData: take } = prototype;
  prototype._onData = function (this: SmtpConnection, chunk) {
    take.call(this, chunk);
    if (this._responseQueue.length > WAITING_LINES) this._onResponseTooLarge();
  };
  return createTransport;
}

const isRefusal = (error: Error): boolean => error instanceof EgressError && error.kind === 'refused';

const uncheckedHost = (host: string): EgressError =>
  new EgressError(
    'refused',
    'A certificate goes unchecked only for hosts and addresses that the operator listed in CLARION_EGRESS_ALLOW, ' +
      `and ${host} is not listed`,
  );

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

const addressOf = (recipient: string | { address: string }): string =>
  typeof recipient === 'string' ? recipient : recipient.address;

const keyOf = (server: SmtpServer, isTrusted: boolean): string =>
  createHash('sha256')
    .update(`${isTrusted} ${canonicalJson(server)}`)
    .digest('hex');

type NodemailerError = Error & { code?: string; responseCode?: number; response?: string; command?: string };

/** SMTP codes for errors that nodemailer reports without a reply of the server. */
const NODEMAILER_REPLIES: ReadonlyMap<string, number> = new Map([
  ['EAUTH', 535],
  ['ENOAUTH', 535],
  ['EENVELOPE', 553],
  ['EMESSAGE', 552],
]);

function faultOf(error: NodemailerError, host: string, isBegun: boolean): EgressError | SmtpReplyError {
  if (error instanceof EgressError) return error;
  const code = error.responseCode ?? NODEMAILER_REPLIES.get(error.code ?? '');
  if (code !== undefined) return new SmtpReplyError(code, error.command ?? '', error.response ?? error.message);
  return isBegun
    ? new EgressError('unknown', `${host} did not answer after the message was sent: ${error.message}`)
    : new EgressError('unreachable', `No conversation with ${host}: ${error.message}`);
}
