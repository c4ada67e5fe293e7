/**
 * Mail servers, through the same guard as everything else. One pool of connections per server and login, so that a login
 * is never used for another tenant's mail and a burst does not pay for a handshake per message.
 */
import { createHash } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
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
  /** Mails and logins that are not over yet. */
  underWay: number;
};

/** Pools that are kept; of those with nothing to do the one that was used longest ago goes first. */
const POOLS = 500;
const CONNECTIONS_PER_POOL = 10;

const TLS_TEXTS: ReadonlySet<string> = new Set(['ca', 'cert', 'key', 'passphrase', 'servername', 'ciphers']);
const TLS_VERSIONS: ReadonlySet<string> = new Set(['minVersion', 'maxVersion']);

/** Marks a mail of which a connection has begun to read. Nodemailer hands unknown fields through. */
type Attempt = { begun: boolean };
const ATTEMPT = 'clarionAttempt';

export class SmtpEgress {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly guarded: ConnectionGuard,
    /** For connections without a certificate that is checked: to nothing but what the operator listed. */
    private readonly known: ConnectionGuard,
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
      const { accepted, rejected, response } = await this.within(key, pool, (transporter) =>
        transporter.sendMail(message),
      );
      return { accepted: accepted.map(addressOf), rejected: rejected.map(addressOf), response };
    } catch (error) {
      throw faultOf(error as NodemailerError, server.host, attempt.begun);
    }
  }

  /** Connects and logs in, and sends nothing. */
  async verify(server: SmtpServer, isTrusted: boolean): Promise<void> {
    const key = keyOf(server, isTrusted);
    try {
      await this.within(key, this.poolFor(key, server, isTrusted), (transporter) => transporter.verify());
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
      pool = { transporter: this.createPool(server, isTrusted), underWay: 0 };
      this.makeRoom();
    }
    this.pools.set(key, pool);
    return pool;
  }

  /** Somebody with very many servers must not cut off the mails of others, so a pool with something to do stays. */
  private makeRoom(): void {
    for (const [key, { underWay }] of this.pools) {
      if (this.pools.size < POOLS) return;
      if (underWay === 0) this.drop(key);
    }
  }

  private createPool(server: SmtpServer, isTrusted: boolean): Pool['transporter'] {
    const { host, port, user, password, dkim } = server;
    const tls = this.tlsOptions(server);
    const isUnchecked = !isTrusted && tls['rejectUnauthorized'] === false;
    const guard = isTrusted ? this.trusted : isUnchecked ? this.known : this.guarded;
    const transporter = createTransport({
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
    if (host === undefined) throw new EgressError('refused', 'The mail server is no host name');
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

  /** What a tenant may set of the TLS options; some of the others open files and sockets of this machine. */
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

  /** A server that keeps talking without getting anywhere is hung up on; nodemailer alone would listen for ever. */
  private async within<T>(key: string, pool: Pool, work: (transporter: Pool['transporter']) => Promise<T>): Promise<T> {
    pool.underWay += 1;
    try {
      return await withTimeout(work(pool.transporter), this.limits.totalMs, 'The SMTP conversation');
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      this.drop(key);
      throw new Error(`No full answer within ${this.limits.totalMs} ms`, { cause: error });
    } finally {
      pool.underWay -= 1;
    }
  }

  private drop(key: string): void {
    const pool = this.pools.get(key);
    this.pools.delete(key);
    // The types do not know the option yet.
    (pool?.transporter as { close(options: { force: boolean }): void } | undefined)?.close({ force: true });
  }
}

const isRefusal = (error: Error): boolean => error instanceof EgressError && error.kind === 'refused';

const uncheckedHost = (host: string): EgressError =>
  new EgressError(
    'refused',
    `A certificate goes unchecked only for hosts and addresses that the operator listed in CLARION_EGRESS_ALLOW, and ${host} is none`,
  );

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

const addressOf = (recipient: string | { address: string }): string =>
  typeof recipient === 'string' ? recipient : recipient.address;

const keyOf = (server: SmtpServer, isTrusted: boolean): string =>
  createHash('sha256')
    .update(`${isTrusted} ${canonicalJson(server)}`)
    .digest('hex');

type NodemailerError = Error & { code?: string; responseCode?: number; response?: string; command?: string };

/** Codes of nodemailer for what it refused itself, before or instead of asking the server. */
const OWN_REPLIES: ReadonlyMap<string, number> = new Map([
  ['EAUTH', 535],
  ['ENOAUTH', 535],
  ['EENVELOPE', 553],
  ['EMESSAGE', 552],
]);

function faultOf(error: NodemailerError, host: string, isBegun: boolean): EgressError | SmtpReplyError {
  if (error instanceof EgressError) return error;
  const code = error.responseCode ?? OWN_REPLIES.get(error.code ?? '');
  if (code !== undefined) return new SmtpReplyError(code, error.command ?? '', error.response ?? error.message);
  return isBegun
    ? new EgressError('unknown', `${host} did not answer after the message was sent: ${error.message}`)
    : new EgressError('unreachable', `No conversation with ${host}: ${error.message}`);
}
