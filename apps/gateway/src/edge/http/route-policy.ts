import { applyDecorators, Get } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { DomainError, type KeyScope, LIMITS } from '@clarion/contracts';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { BulkList } from './json-body';
import type { RateCategory as Category } from './rate-limiter';

/**
 * What a route requires of its callers and how it responds, declared at the route. The edge reads it from the route
 * that the router matched and never from the URL, because one URL has many spellings. A route that declares nothing
 * requires a key of the scope `full`.
 */
export type RoutePolicy = {
  /**
   * `key`: callers with an API key of one of the scopes. `public`: all callers, for pages and probes; their responses
   * are not counted in the metrics of the interface and not written in a dialect. `provider`: providers, which the
   * handler authenticates. `signIn`: callers whose key is in the body; the handler authenticates them and counts wrong
   * keys. `inbox`: pages of a subscriber with the token of an inbox session. `inboxSession`: pages that ask for such a
   * token. Both may be of another origin.
   */
  access: 'key' | 'public' | 'provider' | 'signIn' | 'inbox' | 'inboxSession';
  /** `operator`: the key of the installation, which has no other scope. */
  scopes: readonly RouteScope[];
  rate: Category;
  bodyLimit: number;
  /** Its errors have the shape that clients of the trigger endpoints expect, and its POSTs are measured as triggers. */
  triggers: boolean;
  /** Set on routes that only refuse a method: the methods that the path has. */
  allow?: string;
  /** A list in the body whose elements are validated one by one. */
  bulkList?: BulkList;
  /** With a key of the scope `admin` the route works on several environments, so row-level security is not applied. */
  acrossEnvironments: boolean;
  /** A list whose rows may be older: the read replica answers it, if there is one. */
  readsReplica: boolean;
  /** A page with a form: a body that is not JSON is passed on as bytes. */
  takesForm?: boolean;
  /** The route also reads forms with files (`multipart/form-data`). */
  takesFiles: boolean;
  /** An unknown field or parameter is refused instead of reported. */
  refusesUnknown?: boolean;
  /** Whether an inbox session without a signature, which anyone can open, may use the route. */
  allowsUnsigned?: boolean;
  /** When the route runs templates, schemas or rules of the caller, for which the environment has a budget. */
  tenantWork?: 'always' | 'dryRun';
  /** Whether it reads or writes a document, which may have 50,000 values, or all of them. Few run at a time. */
  documents?: 'one' | 'all';
  /** When the response is a file of all rows, of which few are written at a time. */
  exports?: 'always' | 'format';
};

export type RouteScope = KeyScope | 'operator';

export type Route = { method: string; url: string; policy: RoutePolicy };

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Partial<RoutePolicy>;
  }
  interface FastifyRequest {
    /** The policy of the matched route. Set before any other hook runs. */
    policy?: RoutePolicy;
  }
  interface FastifyInstance {
    routeTable: Route[];
  }
}

const DEFAULT_POLICY: RoutePolicy = {
  access: 'key',
  scopes: ['full'],
  rate: 'global',
  bodyLimit: LIMITS.bodyBytes,
  triggers: false,
  acrossEnvironments: false,
  readsReplica: false,
  takesFiles: false,
};

const FORM_BYTES = 4 * 1024;

const INCLUDED: Record<RouteScope, readonly RouteScope[]> = {
  operator: ['operator'],
  admin: ['admin', 'full', 'read', 'trigger'],
  full: ['full', 'read', 'trigger'],
  read: ['read'],
  trigger: ['trigger'],
};

/** Whether a key of this scope includes at least one of the required scopes. */
export const scopeCovers = (scope: RouteScope, required: readonly RouteScope[]): boolean =>
  required.some((each) => INCLUDED[scope].includes(each));

/** For pages and probes, which require no key. */
export const Public = (): Declaration => declare({ access: 'public' });

/** For the forms of such pages. */
export const PublicForm = (): Declaration => declare({ access: 'public', takesForm: true, bodyLimit: FORM_BYTES });

/**
 * Allows keys of any of these scopes and of the scopes that include one of them. `operator` alone is for what concerns
 * the whole installation. A route that other keys use as well gets the caller by `@CalledBy()`.
 */
export const Scope = (...scopes: RouteScope[]): Declaration => declare({ scopes });

/** A GET for keys that may read; a plain `@Get()` requires the scope `full`. */
export const ReadRoute = (path?: string): MethodDecorator => applyDecorators(Get(path), Scope('read'));

export const RateCategory = (rate: Category): Declaration => declare({ rate });

export const BodyLimit = (bodyLimit: number): Declaration => declare({ bodyLimit });

/** For bulk operations: an element that breaks a rule for JSON bodies becomes an `InvalidElement`. */
export const ValidatesEach = (list: string, id: string): Declaration => declare({ bulkList: { list, id } });

/** For the administration of environments. Keys without the scope `admin` still see only their environment. */
export const AcrossEnvironments = (): Declaration => declare({ acrossEnvironments: true });

/** For lists and figures that decide nothing. The response says in `Clarion-Data-Lag` how old they may be. */
export const FromReplica = (): Declaration => declare({ readsReplica: true });

export const Files = (): Declaration => declare({ takesFiles: true });

/** For operations that the input restricts or that cannot be undone: a misspelled filter would reach too much. */
export const StrictInput = (): Declaration => declare({ refusesUnknown: true });

/**
 * For operations that run templates, schemas or rules of the caller (`dryRun`: only with `?dryRun=true`). An
 * environment without budget is refused before its body is read, because parsing delays other environments too.
 */
export const TenantWork = (tenantWork: 'always' | 'dryRun'): Declaration => declare({ tenantWork });

/** For operations on workflows, layouts and translations, of which few are handled at a time. */
export const Documents = (documents: 'one' | 'all'): Declaration => declare({ documents });

/** For operations that stream all rows (`format`: only if the query names a format). */
export const Exports = (exports: 'always' | 'format'): Declaration => declare({ exports });

export const Triggers = (): Declaration => declare({ triggers: true });

/** Providers have no API key and sign the raw body, of any content type. The handler authenticates them. */
export const CalledByProviders = (): Declaration => declare({ access: 'provider', rate: 'inbound' });

export const SignIn = (): Declaration => declare({ access: 'signIn' });

export const OpensInbox = (): Declaration => declare({ access: 'inboxSession', rate: 'inbox', bodyLimit: 64 * 1024 });

/** For operations of a subscriber. Controllers declare it by `InboxRoutes`, which also loads the subscriber. */
export const ForInbox = (): Declaration => declare({ access: 'inbox', rate: 'inbox', bodyLimit: 256 * 1024 });

/**
 * For operations of the inbox that read or mark its messages. Without it a route needs a session that a backend
 * signed: an unsigned session must not reach profile, channels, topics or preferences, nor delete or use buttons.
 */
export const AllowsUnsigned = (): Declaration => declare({ allowsUnsigned: true });

/** `Public` for routes that are registered without Nest. */
export const PUBLIC_ROUTE = { config: { policy: { access: 'public' } } } as const;

type Declaration = ClassDecorator & MethodDecorator;

const POLICY = Symbol('route policy');

type Method = (...parameters: never[]) => unknown;

/** On a class, the declaration applies to every route of the class that does not declare otherwise. */
function declare(part: Partial<RoutePolicy>): Declaration {
  return (target: object, _?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (descriptor) {
      const method = descriptor.value as Method;
      return setPolicy(method, { ...declaredPolicy(method), ...part });
    }
    const { prototype } = target as { prototype: Record<string, unknown> };
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = prototype[name];
      if (name === 'constructor' || typeof method !== 'function') continue;
      setPolicy(method as Method, { ...part, ...declaredPolicy(method as Method) });
    }
  };
}

const declaredPolicy = (method: Method): Partial<RoutePolicy> =>
  (Reflect.getMetadata(POLICY, method) as Partial<RoutePolicy> | undefined) ?? {};

function setPolicy(method: Method, policy: Partial<RoutePolicy>): void {
  Reflect.defineMetadata(POLICY, policy, method);
  // Nest passes this to Fastify as the `config` of the route.
  RouteConfig({ policy })(method);
}

/** Completes the policy of every route that is registered after this call. */
export function installRoutePolicies(server: FastifyInstance): void {
  server.decorate('routeTable', []);
  server.addHook('onRoute', (route: RouteOptions) => {
    const policy = { ...DEFAULT_POLICY, ...route.config?.policy };
    route.config = { ...route.config, policy } as RouteOptions['config'];
    // Fastify stops reading a body at this length, also if Content-Length is absent or wrong.
    route.bodyLimit = policy.bodyLimit;
    for (const method of [route.method].flat()) server.routeTable.push({ method, url: route.url, policy });
  });
}

/** Unknown routes, and routes that were registered before the hook, declare no policy and get the default. */
export const matchedPolicy = ({ routeOptions }: FastifyRequest): RoutePolicy => ({
  ...DEFAULT_POLICY,
  ...routeOptions.config?.policy,
});

export function checkScope({ method }: FastifyRequest, scope: RouteScope, { scopes }: RoutePolicy): void {
  if (scopeCovers(scope, scopes)) return;
  if (scope === 'operator') {
    const instead = 'it belongs to no environment. Use an API key of the environment';
    throw new DomainError('forbidden', `The key of the operator may not ${method} this resource: ${instead}`);
  }
  const why = scopes.every((each) => each === 'operator')
    ? ': it concerns the whole installation. Use the key of the operator (CLARION_OPERATOR_KEY) or the command line'
    : '';
  throw new DomainError('forbidden', `This API key has the scope "${scope}" and may not ${method} this resource${why}`);
}
