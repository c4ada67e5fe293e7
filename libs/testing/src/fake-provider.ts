/**
 * A fake of all providers on a loopback port: one HTTP server that answers as the providers do, records the calls, and
 * can be scripted to misbehave. Point CLARION_PROVIDER_URLS (or `testEgress`) at its `url`.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';

export type FakeCall = {
  method: string;
  /** Includes the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** `Date.now()` of the call. */
  at: number;
  /** The port of the caller. */
  port: number;
};

export type FakeAnswer = {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Answers after this delay. */
  delayMs?: number;
  /** Answers when this is settled. */
  after?: Promise<unknown>;
  /** Reads the request and never answers. */
  hang?: boolean;
  /** Sends the head, then endlessly one byte per this many milliseconds. */
  dripMs?: number;
  /** Sends a body of this many bytes. */
  bytes?: number;
  /** Closes the connection: before the request is read, or after all of it was read. */
  close?: 'before-reading' | 'after-reading';
  /** HTTP/2 only: sends GOAWAY and answers no request in flight on the connection. */
  goAway?: boolean;
};

/** A path prefix, a pattern for the path, or a predicate on the whole call. */
export type FakeMatcher = string | RegExp | ((call: FakeCall) => boolean);

export type FakeProvider = {
  readonly url: string;
  /** Calls in the order of their arrival, unless recording is off. */
  readonly calls: FakeCall[];
  /** The number of calls, recorded or not. */
  readonly count: number;
  /** The number of connections that were opened. */
  readonly connections: number;
  /** Calls that had an effect: with `keyAware` a repeated key has none. */
  readonly effects: number;
  /** Answers for the next matching calls, one each; after them the provider answers as usual. */
  next(matcher: FakeMatcher, ...answers: FakeAnswer[]): void;
  /** The answer to every matching call, until `reset`; a function also gets the usual answer. */
  always(matcher: FakeMatcher, answer: FakeAnswer | ((call: FakeCall, usual: FakeAnswer) => FakeAnswer)): void;
  recording(isOn: boolean): void;
  reset(): void;
  close(): Promise<void>;
};

export type FakeProviderOptions = {
  /** Repeats the first answer for a repeated idempotency key, without another effect. */
  keyAware?: boolean;
  record?: boolean;
  /** Only HTTP/2: without TLS, or with this key and certificate. */
  http2?: boolean | { key: string; cert: string };
};

export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const fake = new FakeServer(options);
  await fake.listen();
  return fake;
}

type Script = {
  matches(call: FakeCall): boolean;
  take(call: FakeCall): FakeAnswer | undefined;
  /** The answer that `take` would return, as far as it is known before the body is read. */
  peek(): FakeAnswer | undefined;
};

class FakeServer implements FakeProvider {
  readonly calls: FakeCall[] = [];
  count = 0;
  connections = 0;
  effects = 0;
  url = '';
  private scripts: Script[] = [];
  private readonly answered = new Map<string, FakeAnswer>();
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isRecording: boolean;

  constructor(private readonly options: FakeProviderOptions) {
    this.isRecording = options.record ?? true;
    this.server = this.serverOf(options);
    this.server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  private serverOf({ http2 = false }: FakeProviderOptions): Server {
    const serve = (request: IncomingMessage, response: ServerResponse): void => this.serve(request, response);
    // Node uses other types for HTTP/2, with the same interface.
    if (typeof http2 === 'object') return createSecureServer(http2, serve as never);
    if (http2) return createHttp2Server(serve as never);
    // Longer than the keep-alive of the client, so that the client never uses a connection that is being closed.
    return createServer({ keepAliveTimeout: 60_000 }, serve);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const scheme = typeof this.options.http2 === 'object' ? 'https' : 'http';
    this.url = `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  next(matcher: FakeMatcher, ...answers: FakeAnswer[]): void {
    this.scripts.push({ matches: matching(matcher), take: () => answers.shift(), peek: () => answers[0] });
  }

  always(matcher: FakeMatcher, answer: FakeAnswer | ((call: FakeCall, usual: FakeAnswer) => FakeAnswer)): void {
    const isFixed = typeof answer !== 'function';
    this.scripts.push({
      matches: matching(matcher),
      take: isFixed ? () => answer : (call) => answer(call, usualAnswer(call, this.count)),
      peek: () => (isFixed ? answer : undefined),
    });
  }

  recording(isOn: boolean): void {
    this.isRecording = isOn;
  }

  reset(): void {
    this.calls.length = 0;
    this.count = this.connections = this.effects = 0;
    this.scripts = [];
    this.answered.clear();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request;
    const call: FakeCall = { method, path, headers, body: '', at: Date.now(), port: request.socket.remotePort ?? 0 };
    this.count += 1;
    if (this.isRecording) this.calls.push(call);
    const script = this.scripts.find((one) => one.peek()?.close === 'before-reading' && one.matches(call));
    if (script) {
      script.take(call);
      hangUp(request);
      return;
    }
    // Reading the body is most of the cost of a call, so it is skipped when it is not needed.
    if (this.isRecording || this.options.keyAware || this.scripts.length > 0 || NEEDS_BODY.test(path)) {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        call.body = Buffer.concat(chunks).toString();
        this.answer(call, request, response);
      });
    } else {
      request.resume();
      request.on('end', () => this.answer(call, request, response));
    }
    request.on('error', () => undefined);
  }

  private scripted(call: FakeCall): FakeAnswer | undefined {
    // The newest script that has an answer.
    for (let at = this.scripts.length - 1; at >= 0; at -= 1) {
      const script = this.scripts[at]!;
      const answer = script.matches(call) ? script.take(call) : undefined;
      if (answer) return answer;
    }
    return undefined;
  }

  private answer(call: FakeCall, request: IncomingMessage, response: ServerResponse): void {
    const key = this.options.keyAware ? keyOf(call) : undefined;
    const known = key === undefined ? undefined : this.answered.get(key);
    const answer = known ?? this.scripted(call) ?? usualAnswer(call, this.count);
    if (!known && (answer.status ?? 200) < 300 && !answer.hang && !answer.close && !answer.goAway) this.effects += 1;
    if (key !== undefined && !known && (answer.status ?? 200) < 300) this.answered.set(key, answer);
    if (answer.hang) return;
    if (answer.close) return hangUp(request);
    if (answer.goAway) return sessionOf(request)?.goaway();
    if (answer.after) void answer.after.then(() => write(answer, response));
    else if (answer.delayMs) setTimeout(() => write(answer, response), answer.delayMs);
    else write(answer, response);
  }
}

const sessionOf = (request: IncomingMessage): ServerHttp2Session | undefined =>
  (request as { stream?: { session?: ServerHttp2Session } }).stream?.session;

function hangUp(request: IncomingMessage): void {
  const session = sessionOf(request);
  if (session) session.destroy();
  else request.socket.destroy();
}

function matching(matcher: FakeMatcher): (call: FakeCall) => boolean {
  if (typeof matcher === 'function') return matcher;
  if (typeof matcher === 'string') return ({ path }) => path.startsWith(matcher);
  return ({ path }) => matcher.test(path);
}

function write(answer: FakeAnswer, response: ServerResponse): void {
  const { status = 200, headers = {}, json, text, dripMs, bytes } = answer;
  const body = json === undefined ? (text ?? '') : JSON.stringify(json);
  if (dripMs !== undefined) {
    response.writeHead(status, headers);
    const timer = setInterval(() => response.write('.'), dripMs);
    response.on('close', () => clearInterval(timer));
    return;
  }
  if (bytes !== undefined) {
    response.writeHead(status, headers);
    flood(response, bytes);
    return;
  }
  const type = json === undefined ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

function flood(response: ServerResponse, bytes: number): void {
  const piece = Buffer.alloc(64 * 1024, '.');
  let left = bytes;
  const pour = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', pour);
    }
    response.end();
  };
  pour();
}

/** The idempotency key of the call, as a provider of this kind reads it. */
function keyOf({ headers, body }: FakeCall): string | undefined {
  const inHeader = headers['idempotency-key'] ?? headers['webhook-id'];
  if (inHeader !== undefined) return String(inHeader);
  const inBody = /"idempotency_key":"([^"]+)"/.exec(body);
  return inBody?.[1];
}

const NEEDS_BODY = /^\/--\/api\/v2\/push\/send/;

/** Successful answers of the providers, by the path of their API; any other path is a webhook. */
const USUAL: [method: string, path: RegExp, answer: (call: FakeCall, id: string) => FakeAnswer][] = [
  ['POST', /^\/v3\/mail\/send$/, (_, id) => ({ status: 202, headers: { 'x-message-id': id } })],
  ['GET', /^\/v3\/scopes$/, () => ({ json: { scopes: ['mail.send'] } })],
  ['POST', /^\/emails$/, (_, id) => ({ json: { id } })],
  ['GET', /^\/domains$/, () => ({ json: { data: [] } })],
  ['POST', /^\/v3\/[^/]+\/messages$/, (_, id) => ({ json: { id: `<${id}@fake>`, message: 'Queued. Thank you.' } })],
  ['GET', /^\/v3\/domains\//, () => ({ json: { domain: { state: 'active' } } })],
  [
    'POST',
    /^\/2010-04-01\/Accounts\/[^/]+\/Messages\.json$/,
    (_, id) => ({ status: 201, json: { sid: `SM${id}`, status: 'queued', error_code: null } }),
  ],
  [
    'POST',
    /^\/sms\/json$/,
    (_, id) => ({ json: { 'message-count': '1', messages: [{ status: '0', 'message-id': id }] } }),
  ],
  [
    'POST',
    /^\/--\/api\/v2\/push\/send/,
    ({ body }, id) => ({ json: { data: (JSON.parse(body) as unknown[]).map(() => ({ status: 'ok', id })) } }),
  ],
  ['POST', /^\/(api\/v1\/)?notifications$/, (_, id) => ({ json: { id, external_id: null } })],
  ['POST', /^\/v1\/projects\/[^/]+\/messages:send$/, (_, id) => ({ json: { name: `projects/fake/messages/${id}` } })],
  [
    'POST',
    /^\/token$/,
    (_, id) => ({ json: { access_token: `access-${id}`, expires_in: 3600, token_type: 'Bearer' } }),
  ],
  ['POST', /^\/(services|hooks)\//, () => ({ text: 'ok' })],
  ['POST', /^\/api\/webhooks\//, (_, id) => ({ json: { id, timestamp: '2026-01-01T00:00:00.000Z' } })],
  ['POST', /^\/webhookb2\//, () => ({ text: '1' })],
  ['POST', /^\/workflows\//, () => ({ status: 202 })],
];

function usualAnswer(call: FakeCall, number: number): FakeAnswer {
  const id = `fake-${number}`;
  const path = call.path.split('?', 1)[0]!;
  const usual = USUAL.find(([method, pattern]) => method === call.method && pattern.test(path));
  return usual ? usual[2](call, id) : { json: { id } };
}
