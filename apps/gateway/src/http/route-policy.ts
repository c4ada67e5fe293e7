import { RouteConfig } from '@nestjs/platform-fastify';
import { DomainError, type KeyScope, LIMITS } from '@clarion/contracts';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { JudgedList } from './json-body';
import type { RateCategory as Category } from './rate-limiter';

/**
 * What a route demands of its callers and how it answers, declared where the route is. The edge reads it from the route that
 * the router matched and never from the URL, which has many spellings. A route that declares nothing takes a key of the
 * scope `full`.
 */
export type RoutePolicy = {
  /**
   * `key`: callers with an API key of one of the scopes. `public`: everyone; pages and probes, which are neither counted as
   * answers of the interface nor written in a dialect. `provider`: providers, which prove in the handler who they are.
   */
  access: 'key' | 'public' | 'provider';
  scopes: readonly KeyScope[];
  rate: Category;
  bodyLimit: number;
  /** Its refusals have the shape that clients of the trigger endpoints expect, and its POSTs are measured as triggers. */
  triggers: boolean;
  /** On a route that only says which methods its path has: those methods. */
  allow?: string;
  /** A list in the body whose elements are judged one by one. */
  judged?: JudgedList;
  /** With a key of the scope `admin` it works on several environments, so row-level security does not keep it to one. */
  acrossEnvironments: boolean;
  /** When it has templates, schemas or rules of the caller worked on, which the environment has a budget for. */
  tenantWork?: 'always' | 'dryRun';
};

export type Route = { method: string; url: string; policy: RoutePolicy };

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Partial<RoutePolicy>;
  }
  interface FastifyRequest {
    /** Of the matched route; set before anything else happens to the request. */
    policy?: RoutePolicy;
  }
  interface FastifyInstance {
    /** Every route with its policy, in the order of registration. */
    routeTable: Route[];
  }
}

const CLOSED: RoutePolicy = {
  access: 'key',
  scopes: ['full'],
  rate: 'global',
  bodyLimit: LIMITS.bodyBytes,
  triggers: false,
  acrossEnvironments: false,
};

const INCLUDED: Record<KeyScope, readonly KeyScope[]> = {
  admin: ['admin', 'full', 'read', 'trigger'],
  full: ['full', 'read', 'trigger'],
  read: ['read'],
  trigger: ['trigger'],
};

/** Whether a key of this scope may do what is open to any of the scopes. */
export const scopeCovers = (scope: KeyScope, demanded: readonly KeyScope[]): boolean =>
  demanded.some((each) => INCLUDED[scope].includes(each));

/** No key. For pages and probes. */
export const Public = (): Declaration => declare({ access: 'public' });

/** Keys of any of these scopes may call, and keys of the scopes that include one of them. */
export const Scope = (...scopes: KeyScope[]): Declaration => declare({ scopes });

export const RateCategory = (rate: Category): Declaration => declare({ rate });

/** The largest body in bytes. */
export const BodyLimit = (bodyLimit: number): Declaration => declare({ bodyLimit });

/** For bulk operations: an element that no JSON body may hold becomes an `UnfitElement` instead of failing the request. */
export const JudgesEach = (list: string, id: string): Declaration => declare({ judged: { list, id } });

/** For the administration of environments. Other keys than those of the scope `admin` stay within their environment. */
export const AcrossEnvironments = (): Declaration => declare({ acrossEnvironments: true });

/**
 * For operations that have templates, schemas or rules of the caller worked on (`dryRun`: with `?dryRun=true`). An environment
 * without budget is refused before the body is read: parsing it again and again would cost the other environments as much.
 */
export const TenantWork = (tenantWork: 'always' | 'dryRun'): Declaration => declare({ tenantWork });

export const Triggers = (): Declaration => declare({ triggers: true });

/**
 * For operations that providers call: they have no key of ours, and what they sign is the body as it comes, of any type.
 * The handler finds out who calls.
 */
export const CalledByProviders = (): Declaration => declare({ access: 'provider', rate: 'inbound' });

/** The same for routes that are registered without Nest. */
export const PUBLIC_ROUTE = { config: { policy: { access: 'public' } } } as const;

type Declaration = ClassDecorator & MethodDecorator;

const POLICY = Symbol('route policy');

type Method = (...parameters: never[]) => unknown;

/** On a class it holds for every route of the class that does not declare otherwise. */
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
  // Nest hands this to Fastify as the `config` of the route.
  RouteConfig({ policy })(method);
}

/** Completes the policy of every route that is registered from now on. */
export function installRoutePolicies(server: FastifyInstance): void {
  server.decorate('routeTable', []);
  server.addHook('onRoute', (route: RouteOptions) => {
    const policy = { ...CLOSED, ...route.config?.policy };
    route.config = { ...route.config, policy } as RouteOptions['config'];
    // Fastify stops reading a body here, however the length was announced.
    route.bodyLimit = policy.bodyLimit;
    for (const method of [route.method].flat()) server.routeTable.push({ method, url: route.url, policy });
  });
}

/** An unknown route has none, and neither has one that was registered before the hook: both are closed. */
export const matchedPolicy = ({ routeOptions }: FastifyRequest): RoutePolicy => ({
  ...CLOSED,
  ...routeOptions.config?.policy,
});

export function checkScope({ method }: FastifyRequest, scope: KeyScope, { scopes }: RoutePolicy): void {
  if (scopeCovers(scope, scopes)) return;
  throw new DomainError('forbidden', `This API key has the scope "${scope}" and may not ${method} this resource`);
}
