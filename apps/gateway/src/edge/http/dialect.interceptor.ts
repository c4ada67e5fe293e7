import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { ADDED_PROVIDERS, ANY_PROMOTED_TYPE, type Dialect, mapItems, mapMembers, toNovuName } from '@clarion/contracts';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

/**
 * The interface has two dialects. In the `spec` dialect, single objects are not wrapped and built-in names start with
 * `platform`. In the `novu` dialect, which the Novu SDKs expect, single objects are wrapped in `data` and built-in
 * names start with `novu`. Only this file maps responses. Requests may use either spelling.
 *
 * An environment that asks for `spec` gets no value outside the closed lists of the interface: a client that is
 * generated from it would refuse the whole response. Without that setting, the values are shown as they are.
 */

/** Fields whose values are built-in names. */
const BRANDED_FIELDS = new Set(['providerId', 'origin', '__source']);
/** The SDK knows one type of resources that are published, and refuses any other text in this field. */
const RESOURCE_TYPE_FIELD = 'resourceType';
/** Fields that hold data of callers. Nothing inside them is rewritten. */
const CALLER_DATA_FIELDS = new Set([
  'payload',
  'data',
  'overrides',
  'credentials',
  'controls',
  'controlValues',
  'controlVariables',
  'events',
  'to',
  'raw',
  'content',
  'cta',
  'more',
  'diffs',
]);

/** Headers in which the SDKs identify themselves. User-Agent is not enough: browsers do not let a script set it. */
const SDK_HEADERS = ['user-agent', 'x-speakeasy-user-agent', 'novu-client-version', 'novu-user-agent'] as const;
/** `@novu/api`, `novu-py`, `github.com/novuhq/novu-go`, `novu/novu-php`, `co.novu`, `Novu`; but not `my-novu-tool`. */
const SDK_NAME = /(?:^|[\s@/.])novu(?:hq)?(?:[-_/@\s.]|$)/i;

/**
 * An SDK that identifies itself always gets the dialect that its parser needs. For other clients, such as `@novu/node`,
 * which sends `axios/1.7.2`, the setting of the environment decides, then the setting of the installation.
 */
export function dialectOf(headers: IncomingHttpHeaders, environment: Dialect | null, configured: Dialect): Dialect {
  return SDK_HEADERS.some((name) => SDK_NAME.test(String(headers[name] ?? ''))) ? 'novu' : (environment ?? configured);
}

@Injectable()
export class DialectInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.policy?.access === 'public') return next.handle();
    if (request.dialect === 'novu') return next.handle().pipe(map((answer) => toNovu(answer)));
    return request.isStrictDialect ? next.handle().pipe(map((answer) => toInterface(answer))) : next.handle();
  }
}

export function toNovu(answer: unknown): unknown {
  // Raw bytes are not JSON of this interface, so they are not wrapped.
  if (answer === undefined || Buffer.isBuffer(answer) || answer instanceof StreamableFile) return answer;
  if (isEnvelope(answer)) return { ...answer, data: renameBrands(answer.data) };
  return { data: renameBrands(answer) };
}

/** Lists of the interface whose elements have a provider of a closed list. Elsewhere a provider is any text. */
const LISTS_WITH_PROVIDERS = new Set(['jobs', 'executionDetails', 'channels']);

/** Writes values that the interface does not name as values that it names. */
export function toInterface(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return mapItems(value, (element) => toInterface(element, field));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Buffer.isBuffer(value) || value instanceof StreamableFile) return value;
  const shown = mapMembers(value, (member, key) =>
    // A page has its rows in `data`.
    CALLER_DATA_FIELDS.has(key) && !(field === '' && key === 'data') ? member : toInterface(member, key),
  ) as Record<string, unknown>;
  const added = LISTS_WITH_PROVIDERS.has(field) ? ADDED_PROVIDERS[String(shown['providerId'])] : undefined;
  if (added) return { ...shown, providerId: added };
  if (field !== 'children' || shown['on'] !== 'steps') return shown;
  return { ...shown, on: 'payload', field: `steps.${String(shown['field'])}` };
}

/** Lists already have `data` and no id; everything else is wrapped. */
function isEnvelope(answer: unknown): answer is { data: unknown } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'data' in answer &&
    Boolean(answer.data) &&
    !('_id' in answer) &&
    !('id' in answer)
  );
}

function renameBrands(value: unknown): unknown {
  if (Array.isArray(value)) return mapItems(value, renameBrands);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return mapMembers(value, (member, key) => {
    if (BRANDED_FIELDS.has(key) && typeof member === 'string') return toNovuName(member);
    if (key === RESOURCE_TYPE_FIELD && !isTranslation(value)) return ANY_PROMOTED_TYPE;
    return CALLER_DATA_FIELDS.has(key) ? member : renameBrands(member);
  });
}

/** The SDK knows the types of resources that have translations. */
const isTranslation = (value: object): boolean => 'locale' in value || 'locales' in value;
