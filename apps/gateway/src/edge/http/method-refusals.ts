import type { FastifyInstance } from 'fastify';
import type { Route, RoutePolicy } from './route-policy';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/**
 * Adds a route to every path for each method that the path does not have. It answers `405` with `Allow`, or `204` to
 * OPTIONS. The router matches these routes like any other. They require a key, of any scope, if the path requires one.
 */
export function installMethodRefusals(server: FastifyInstance): void {
  // Each path is compared with every route, so the patterns are split before.
  const routes = server.routeTable.map((route) => ({ ...route, segments: route.url.split('/') }));
  for (const [url, segments] of new Map(routes.map((route) => [route.url, route.segments]))) {
    const general = routes.filter((route) => covers(route.segments, segments));
    const present = new Set(general.map(({ method }) => method));
    const policy = { ...refusalPolicy(general), allow: METHODS.filter((method) => present.has(method)).join(', ') };
    const shadowed = new Set(
      routes.filter((route) => isShadowed(route.segments, segments)).map(({ method }) => method),
    );
    const method = METHODS.filter((name) => !present.has(name) && !shadowed.has(name));
    server.route({ method, url, exposeHeadRoute: false, config: { policy }, handler: unreachable });
  }
}

function refusalPolicy(routes: Route[]): Partial<RoutePolicy> {
  const takesKey = routes.some(({ policy }) => policy.access === 'key');
  return takesKey ? { access: 'key', scopes: ['read', 'trigger'] } : { access: routes[0]!.policy.access };
}

/** The `onRequest` hook of the edge answers before this handler runs. */
function unreachable(): never {
  throw new Error('a refused method reached a handler');
}

const isParameter = (segment: string | undefined): boolean => segment?.startsWith(':') === true;

/** Whether the general pattern matches every path that the special pattern matches. */
const covers = (general: string[], special: string[]): boolean =>
  general.length === special.length &&
  general.every((segment, index) => isParameter(segment) || segment === special[index]);

/** Whether the other pattern would take paths from the route, because the router prefers literal segments. */
function isShadowed(route: string[], other: string[]): boolean {
  if (route.length !== other.length) return false;
  const overlap = route.every(
    (segment, index) => isParameter(segment) || isParameter(other[index]) || segment === other[index],
  );
  const first = route.findIndex((segment, index) => isParameter(segment) !== isParameter(other[index]));
  return overlap && first >= 0 && isParameter(route[first]);
}
