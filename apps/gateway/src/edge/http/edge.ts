import type { TemplateRenderer } from '@clarion/content';
import {
  type Dialect,
  DomainError,
  type EnvironmentId,
  LIMITS,
  TENANT_LIMITS,
  type TenantShare,
} from '@clarion/contracts';
import type { Database, EnvironmentSlots, Integration } from '@clarion/persistence';
import type { Config } from '@clarion/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate, type Directories } from '../auth/authenticate';
import { refuseCrossSite } from '../auth/forgery';
import { OPERATOR } from '../auth/operator';
import { addressGroup } from '../auth/wrong-keys';
import type { EnvironmentLimits } from '../limits/environment-limits';
import { ArrivingBodies } from './arriving-bodies';
import { dialectOf } from './dialect.interceptor';
import { tooLarge } from './error.filter';
import { checkText, parseJsonBody, parseLargeBody, textOf } from './json-body';
import { parseMultipart } from './multipart-body';
import { rateCost, RateLimiter, type RateCheck, refuseUnless } from './rate-limiter';
import type { RoutePolicy } from './route-policy';
import type { TenantRates } from './tenant-rates';
import { isLong, UnreadAnswers } from './unread-answers';

/** Bytes of a body that is not parsed, checked and handled in one turn of the event loop. */
const LARGE_BODY = 64 * 1024;
/** Longer lists of an organization are answered one after the other. */
const LARGE_LIST = 100;

type EdgeDependencies = {
  config: Config;
  directories: Directories;
  renderer: TemplateRenderer;
  limits: Pick<EnvironmentLimits, 'take'>;
  rates: TenantRates;
  database: Database;
  /** Finds the integration that a provider calls, or throws; see channels/inbound-webhooks/called-integrations.ts. */
  called: { find(environmentId: string, integrationId: string): Promise<Integration> };
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
  const { config, directories, renderer, limits, rates, database, called, inbox } = dependencies;
  // Separate limiters: invented integration ids and the many subscribers must not evict the buckets of environments.
  const integrationRates = new RateLimiter(() => config.CLARION_RATE_LIMIT_INBOUND);
  const subscriberRates = new RateLimiter(() => config.CLARION_RATE_LIMIT_INBOX);
  const operatorRates = new RateLimiter(() => config.CLARION_RATE_LIMIT_GLOBAL);

  const slotsOf = (share: TenantShare): EnvironmentSlots => database.slotsOf(() => share);
  const bodies = slotsOf(TENANT_LIMITS.bodyBytes());
  const arriving = new ArrivingBodies(bodies);
  // Separate: callers without a key must not use up the room of those that have one, nor of inboxes and providers.
  const pages = slotsOf(TENANT_LIMITS.keylessBytes());
  const keylessBytes = TENANT_LIMITS.keylessBytes();
  const strangers = database.slotsOf(() => keylessBytes, { organizationOf: (address) => address });
  const rows = slotsOf(TENANT_LIMITS.listedRows());
  // Separate: workflows can be edited while a large publish runs.
  const documents = { one: slotsOf(TENANT_LIMITS.documents()), all: slotsOf(TENANT_LIMITS.promotions()) };
  const exports = slotsOf(TENANT_LIMITS.exports());
  /** Waits, unread, until the requests before it leave room; keeps its room until it is answered. */
  const admit = async (slots: EnvironmentSlots, amount: number, holder: string | undefined, { raw }: FastifyReply) => {
    if (holder === undefined || amount === 0) return undefined;
    let giveBack: (() => void) | undefined = await slots.take(holder as EnvironmentId, amount);
    const leave = (): void => {
      giveBack?.();
      giveBack = undefined;
    };
    if (raw.closed || raw.destroyed) leave();
    else raw.once('close', leave);
    return leave;
  };
  /** A list costs time until it is written: a caller that reads it slowly must not keep its room. */
  const listing = new WeakMap<FastifyRequest, () => void>();
  const untilWritten = (request: FastifyRequest, leave: (() => void) | undefined): void => {
    const earlier = listing.get(request);
    if (leave) listing.set(request, () => [earlier, leave].forEach((each) => each?.()));
  };
  const unread = new UnreadAnswers(database.organizations.of);
  server.addHook('onSend', (request, { raw }, payload, done) => {
    listing.get(request)?.();
    const caller = request.owner ?? request.inboxCaller;
    if (caller && isLong(payload)) unread.add(caller.environmentId, payload.length, raw);
    done(null, payload);
  });

  // By default Fastify also parses text/plain.
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      request.bodyBytes = body.length;
      if (request.policy!.access === 'provider') return done(null, body);
      if (body.length === 0) return done(null, undefined);
      const { bulkList } = request.policy!;
      if (body.length < LARGE_BODY) return done(null, parseJsonBody(textOf(body as Buffer), bulkList));
      parseLargeBody(body as Buffer, bulkList).then((value) => done(null, value), done);
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
      const call = request.params as { environmentId: string; integrationId: string };
      const name = call.integrationId.slice(0, 36);
      if (config.CLARION_RATE_LIMIT) refuseUnless(integrationRates.take(name, policy.rate, 1));
      checkTexts(request.query);
      if (policy.allow === undefined) {
        request.calledIntegration = await called.find(call.environmentId, call.integrationId);
      }
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
    const bytes = isChunked(request) ? policy.bodyLimit : announced;
    const owner = request.owner?.environmentId;
    if (owner !== undefined && bytes >= LARGE_BODY) {
      await arriving.wait(owner, bytes, () => admit(bodies, bytes, owner, reply));
      arriving.add(request, reply);
    } else if (owner === undefined && !request.operator) {
      const environment = (request.calledIntegration ?? request.inboxCaller)?.environmentId;
      await admit(environment ? pages : strangers, bytes, environment ?? addressGroup(request.ip), reply);
    }
    untilWritten(request, await admit(rows, largeListOf(request), owner, reply));
    await admit(exports, isExport(request) ? 1 : 0, owner, reply);
    // The caller waits for this before it sends the body.
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  });

  server.addHook('preHandler', (request, reply, done) => {
    arriving.delete(request);
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

  // After its body: a caller that sends it slowly must not keep room.
  server.addHook('preHandler', async (request, reply) => {
    const kind = request.policy!.documents;
    if (kind) untilWritten(request, await admit(documents[kind], 1, request.owner?.environmentId, reply));
  });
}

/** What the interface describes. Workflows are not part of it: what a tool reads there, it writes back. */
const INTERFACE = /^\/v[12]\/(?:subscribers|topics|integrations|messages|notifications|events)\b/;

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

const isForInbox = ({ access }: RoutePolicy): boolean => access === 'inbox' || access === 'inboxSession';

/** The dashboard always reads the `spec` dialect. The clients of the inbox exist in one dialect only. */
function dialectFor({ headers, owner, session, policy }: FastifyRequest, config: Config): Dialect {
  if (session || policy!.access === 'signIn') return 'spec';
  if (isForInbox(policy!)) return 'novu';
  return dialectOf(headers, owner?.dialect ?? null, config.CLARION_DIALECT);
}

/** The rows of a list that takes more than a slice of time of the event loop; 0 for a shorter one. */
function largeListOf({ query }: FastifyRequest): number {
  const rows = Math.min(Number((query as { limit?: unknown }).limit), LIMITS.messagesPage);
  return rows > LARGE_LIST ? rows : 0;
}

const isExport = ({ policy, query }: FastifyRequest): boolean =>
  policy!.exports === 'always' ||
  (policy!.exports === 'format' && (query as { format?: unknown }).format !== undefined);

const hasTenantWork = ({ policy, query }: FastifyRequest): boolean =>
  policy!.tenantWork === 'always' ||
  (policy!.tenantWork === 'dryRun' && (query as { dryRun?: unknown }).dryRun === 'true');

/** Answers a request whose path exists with other methods only. */
function refuseMethod({ method }: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  if (method === 'OPTIONS') return reply.status(204).header('Allow', allow).send();
  throw new DomainError('method_not_allowed', `${method} is not among ${allow}`, {}, { Allow: allow });
}

function apply(verdict: RateCheck, reply: FastifyReply): void {
  void reply.headers({
    'RateLimit-Limit': verdict.limit,
    'RateLimit-Remaining': verdict.remaining,
    'RateLimit-Reset': verdict.resetSeconds,
    'RateLimit-Policy': verdict.policy,
  });
  refuseUnless(verdict);
}

/** Checks the encoding first, because decoding would silently replace invalid bytes. */
function checkTexts(source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  for (const [name, value] of Object.entries(source)) {
    for (const text of Array.isArray(value) ? value : [value]) if (typeof text === 'string') checkText(text, name);
  }
}
