import { isUtf8 } from 'node:buffer';
import type { TemplateRenderer } from '@clarion/content';
import { type Dialect, DomainError, type EnvironmentId, TENANT_LIMITS } from '@clarion/contracts';
import { EnvironmentSlots } from '@clarion/persistence';
import type { Config } from '@clarion/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate, type Directories } from '../auth/authenticate';
import { refuseCrossSite } from '../auth/forgery';
import { OPERATOR } from '../auth/operator';
import type { EnvironmentLimits } from '../limits/environment-limits';
import { dialectOf } from './dialect.interceptor';
import { tooLarge } from './error.filter';
import { checkText, parseJsonBody, parseLargeBody } from './json-body';
import { parseMultipart } from './multipart-body';
import { rateCost, RateLimiter, type RateVerdict, refuseUnless } from './rate-limiter';
import type { RoutePolicy } from './route-policy';
import type { TenantRates } from './tenant-rates';

/** Bytes of a body that is not parsed, checked and handled in one turn of the event loop. */
const LARGE_BODY = 64 * 1024;

type EdgeDependencies = {
  config: Config;
  directories: Directories;
  renderer: TemplateRenderer;
  limits: Pick<EnvironmentLimits, 'take'>;
  rates: TenantRates;
  organizationOf(environmentId: EnvironmentId): string;
  /** Decides about requests of the inbox; see inbox/inbox-admission.ts. */
  inbox: { admit(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> };
};

declare module 'fastify' {
  interface FastifyInstance {
    /** For responses that last: rejects when the caller would be refused now. */
    authenticateAgain(request: FastifyRequest): Promise<void>;
  }
}

/**
 * Installs the checks that run before Nest handles a request of a known route: authentication (before the body is
 * read), size of the body, its JSON, and the rate limit of the environment. The policy of the route configures them.
 */
export function installEdge(server: FastifyInstance, dependencies: EdgeDependencies): void {
  const { config, directories, renderer, limits, rates, organizationOf, inbox } = dependencies;
  // Separate limiters: invented integration ids and the many subscribers must not evict the buckets of environments.
  const integrationRates = new RateLimiter(() => config.CLARION_RATE_LIMIT_INBOUND);
  const subscriberRates = new RateLimiter(() => config.CLARION_RATE_LIMIT_INBOX);
  const operatorRates = new RateLimiter(() => config.CLARION_RATE_LIMIT_GLOBAL);

  const bodyShare = TENANT_LIMITS.bodyBytes();
  const bodies = new EnvironmentSlots({ share: () => bodyShare, organizationOf });
  /** A large body waits, unread, until those before it leave memory for it. */
  const admitBody = async ({ owner }: FastifyRequest, { raw }: FastifyReply, bytes: number): Promise<void> => {
    if (!owner || bytes < LARGE_BODY) return;
    const leave = await bodies.take(owner.environmentId, bytes);
    if (raw.closed || raw.destroyed) leave();
    else raw.once('close', leave);
  };

  // By default Fastify also parses text/plain.
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      request.bodyBytes = body.length;
      if (request.policy!.access === 'provider') return done(null, body);
      if (body.length === 0) return done(null, undefined);
      const { bulkList } = request.policy!;
      const text = textOf(body as Buffer);
      if (body.length < LARGE_BODY) return done(null, parseJsonBody(text, bulkList));
      parseLargeBody(text, bulkList).then((value) => done(null, value), done);
    } catch (error) {
      done(error as Error);
    }
  });

  server.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request, body, done) => {
    const { access, takesForm, takesFiles } = request.policy!;
    request.bodyBytes = body.length;
    if (access === 'provider' || takesForm) return done(null, body);
    if (!takesFiles) return done(new DomainError('unsupported_media_type', 'Unsupported Media Type'));
    parseMultipart(body as Buffer, request.headers['content-type']!).then(
      (form) => done(null, form),
      (error: Error) => done(error),
    );
  });

  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const { access, takesForm } = request.policy!;
    if (access === 'provider' || takesForm) done(null, body);
    // axios names the type of a form for a POST that has no body.
    else if (body.length === 0) done(null, undefined);
    else done(new DomainError('unsupported_media_type', 'Unsupported Media Type'));
  });

  const authenticated = (request: FastifyRequest) => authenticate(request, request.policy!, directories);
  server.decorate('authenticateAgain', authenticated);

  server.addHook('onRequest', async (request, reply) => {
    const policy = request.policy!;
    if (policy.access === 'key') {
      await authenticated(request);
      if (request.owner && hasTenantWork(request)) renderer.checkBudget(request.owner.environmentId);
      checkTexts(request.params);
      checkTexts(request.query);
    } else if (policy.access === 'provider') {
      const { integrationId } = request.params as { integrationId: string };
      if (config.CLARION_RATE_LIMIT) refuseUnless(integrationRates.take(integrationId.slice(0, 36), policy.rate, 1));
      checkTexts(request.query);
    } else if (policy.access === 'signIn') {
      refuseCrossSite(request);
    } else if (isForInbox(policy)) {
      const caller = await inbox.admit(request, reply);
      if (caller !== undefined && config.CLARION_RATE_LIMIT) {
        apply(subscriberRates.take(caller, policy.rate, 1), reply);
        if (request.inboxCaller) rates.require(request.inboxCaller.environmentId, policy.rate);
      }
      checkTexts(request.params);
      checkTexts(request.query);
    }
    request.dialect = dialectFor(request, config);
    request.isStrictDialect = request.owner?.dialect === 'spec' && !request.session && INTERFACE.test(request.url);
    if (policy.allow !== undefined) return refuseMethod(request, reply, policy.allow);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > policy.bodyLimit) throw tooLarge(announced, policy);
    await admitBody(request, reply, isChunked(request) ? policy.bodyLimit : announced);
    // The caller waits for this before it sends the body.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  });

  server.addHook('preHandler', (request, reply, done) => {
    const { owner, operator, policy, body } = request;
    if (!owner && !operator) return done();
    const { rate } = policy!;
    const cost = rateCost(body);
    // The limit of the environment comes first: it is usually the lower one, and its headers then describe it.
    const limited = owner && rate === 'trigger' ? limits.take(owner.environmentId, cost) : undefined;
    if (limited) apply(limited, reply);
    if (config.CLARION_RATE_LIMIT) {
      // What the operator does is not taken from the rate of a tenant, nor refused because tenants ask for too much.
      const verdict = owner ? rates.take(owner.environmentId, rate, cost) : operatorRates.take(OPERATOR, rate, cost);
      if (!limited || !verdict.allowed) apply(verdict, reply);
    }
    done();
  });
}

/** What the interface describes. Workflows are not part of it: what a tool reads there, it writes back. */
const INTERFACE = /^\/v[12]\/(?:subscribers|topics|integrations|messages|notifications|events)\b/;

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

const isForInbox = ({ access }: RoutePolicy): boolean => access === 'inbox' || access === 'inboxSession';

/**
 * The dashboard reads the `spec` dialect, also when the environment sets another one for its callers. The clients of
 * the inbox exist in one dialect only.
 */
function dialectFor({ headers, owner, session, policy }: FastifyRequest, config: Config): Dialect {
  if (session || policy!.access === 'signIn') return 'spec';
  if (isForInbox(policy!)) return 'novu';
  return dialectOf(headers, owner?.dialect ?? null, config.CLARION_DIALECT);
}

const hasTenantWork = ({ policy, query }: FastifyRequest): boolean =>
  policy!.tenantWork === 'always' ||
  (policy!.tenantWork === 'dryRun' && (query as { dryRun?: unknown }).dryRun === 'true');

/** Answers a request whose path exists with other methods only. */
function refuseMethod({ method }: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  if (method === 'OPTIONS') return reply.status(204).header('Allow', allow).send();
  throw new DomainError('method_not_allowed', `${method} is not among ${allow}`, {}, { Allow: allow });
}

function apply(verdict: RateVerdict, reply: FastifyReply): void {
  void reply.headers({
    'RateLimit-Limit': verdict.limit,
    'RateLimit-Remaining': verdict.remaining,
    'RateLimit-Reset': verdict.resetSeconds,
    'RateLimit-Policy': verdict.policy,
  });
  refuseUnless(verdict);
}

/** Checks the encoding first, because decoding would silently replace invalid bytes. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new DomainError('bad_request', 'The body is not valid UTF-8');
  return body.toString('utf8');
}

/** Checks the texts of path or query parameters. */
function checkTexts(source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  for (const [name, value] of Object.entries(source)) {
    for (const text of Array.isArray(value) ? value : [value]) if (typeof text === 'string') checkText(text, name);
  }
}
