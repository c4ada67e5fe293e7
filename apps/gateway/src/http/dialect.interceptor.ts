import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { type Dialect, toNovuName } from '@clarion/contracts';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

/**
 * Two spellings of one interface. In the `spec` dialect single objects are bare and the built-in names start with
 * `platform`; in the `novu` dialect, which the SDK of that name speaks, single objects go under `data` and the built-in
 * names start with `novu`. Answers are mapped here and nowhere else; requests may use either spelling.
 */

/** Fields whose values are built-in names. */
const BRANDED_FIELDS = new Set(['providerId', 'origin', '__source']);
/** What callers own is never rewritten, whatever its keys are called. */
const CALLERS_OWN = new Set([
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
]);

/** Headers in which the SDKs name themselves; browsers do not let a script set User-Agent. */
const SDK_HEADERS = ['user-agent', 'x-speakeasy-user-agent', 'novu-client-version', 'novu-user-agent'] as const;
/** `@novu/api`, `novu-py`, `github.com/novuhq/novu-go`, `novu/novu-php`, `co.novu`, `Novu`; but not `my-novu-tool`. */
const SDK_NAME = /(?:^|[\s@/.])novu(?:hq)?(?:[-_/@\s.]|$)/i;

/**
 * An SDK that names itself gets what its parser needs, under every setting. Then the setting of the environment
 * decides, for clients such as `@novu/node` whose headers do not tell (`axios/1.7.2`), then that of the installation.
 */
export function dialectOf(headers: IncomingHttpHeaders, environment: Dialect | null, configured: Dialect): Dialect {
  return SDK_HEADERS.some((name) => SDK_NAME.test(String(headers[name] ?? ''))) ? 'novu' : (environment ?? configured);
}

@Injectable()
export class DialectInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.dialect !== 'novu' || request.policy?.access === 'public') return next.handle();
    return next.handle().pipe(map((answer) => toNovu(answer)));
  }
}

export function toNovu(answer: unknown): unknown {
  // Bytes are for somebody who expects exactly these.
  if (answer === undefined || Buffer.isBuffer(answer) || answer instanceof StreamableFile) return answer;
  if (isEnvelope(answer)) return { ...answer, data: renameBrands(answer.data) };
  return { data: renameBrands(answer) };
}

/** Lists already have `data` and no id of their own; everything else is wrapped. */
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
  if (Array.isArray(value)) return value.map(renameBrands);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (BRANDED_FIELDS.has(key) && typeof member === 'string') return [key, toNovuName(member)];
      return [key, CALLERS_OWN.has(key) ? member : renameBrands(member)];
    }),
  );
}
