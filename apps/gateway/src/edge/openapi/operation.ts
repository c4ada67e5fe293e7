import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiHeader,
  ApiNotFoundResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiResponse,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
  ApiUnprocessableEntityResponse,
  ApiUnsupportedMediaTypeResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ErrorDto, LIMITS, ValidationErrorDto } from '@clarion/contracts';

const WARNING = {
  'Clarion-Warning': {
    description:
      'Present when the request holds unknown body fields or query parameters; ' +
      `names up to ${LIMITS.unknownFields} of them.`,
    schema: { type: 'string' as const },
  },
};

type Prose = { description?: string; deprecated?: boolean; security?: Record<string, string[]>[] };

export type Documented = Prose & {
  status?: number;
  type?: Type | [Type];
  /** What a success means, if its status does not say it. */
  answer?: string;
  isBoolean?: boolean;
  isPage?: boolean;
  isEventStream?: boolean;
  /** Other media types in which the same data can be downloaded. */
  exportTypes?: string[];
  /** The type of a 400 if it has more fields than the usual error. */
  badRequest?: Type;
};

const MEANINGS: Readonly<Record<number, string>> = { 202: 'Accepted', 204: 'No Content' };

/** Documents an operation and its responses, also the errors that all operations share, and sets its status. */
export function Operation(summary: string, documented: Documented): MethodDecorator {
  const { status = 200, type, isBoolean, isPage, isEventStream, exportTypes = [], badRequest = ErrorDto } = documented;
  const description = documented.answer ?? MEANINGS[status] ?? 'OK';
  const textAnswer = (mediaType: string) => ({
    status,
    description,
    content: { [mediaType]: { schema: { type: 'string' as const } } },
  });
  const success = isBoolean
    ? { status, description, schema: { type: 'boolean' as const } }
    : isPage
      ? textAnswer('text/html')
      : isEventStream
        ? textAnswer('text/event-stream')
        : type === undefined
          ? { status, description }
          : Array.isArray(type)
            ? { status, description, type: type[0], isArray: true, ...exportsAs(type[0], exportTypes, true) }
            : { status, description, type, ...exportsAs(type, exportTypes) };
  return applyDecorators(
    Described(summary, documented, status),
    ApiResponse({ ...success, headers: WARNING }),
    ApiHeader({
      name: 'idempotency-key',
      required: false,
      description: 'Repeats under one key within 24 hours have one effect.',
    }),
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`handling=strict` (RFC 7240): unknown body fields and query parameters are answered with 422. ' +
        'Without it they have no effect.',
    }),
    Refusals(badRequest),
  );
}

type InboxDocumented = Prose & {
  status?: number;
  /** A list: an array whose elements are of one of these types. */
  type?: Type | Type[];
  /** The type has `data` itself. */
  isEnvelope?: boolean;
  /** The response is a number. */
  isCount?: boolean;
  /** The response can also be 204. */
  orEmpty?: boolean;
};

/** Documents an operation of the inbox: its response is in `data`, and it takes no idempotency key. */
export function InboxOperation(summary: string, documented: InboxDocumented): MethodDecorator {
  const { status = 200, type, isEnvelope, isCount, orEmpty } = documented;
  const types = [type ?? []].flat();
  const refs = types.map((each) => ({ $ref: getSchemaPath(each) }));
  const item = refs.length > 1 ? { oneOf: refs } : (refs[0] ?? { type: 'integer' });
  const data = Array.isArray(type) ? { type: 'array', items: item } : item;
  const schema = (isEnvelope ? data : { type: 'object', properties: { data }, required: ['data'] }) as object;
  return applyDecorators(
    Described(summary, documented, status),
    ApiExtraModels(...types),
    ApiResponse(type || isCount ? { status, description: 'OK', schema } : { status, description: 'No Content' }),
    ...(orEmpty ? [ApiResponse({ status: 204, description: 'No Content' })] : []),
    Refusals(ErrorDto),
  );
}

function Described(summary: string, { description, deprecated, security }: Prose, status: number): MethodDecorator {
  const given = Object.entries({ description, deprecated, security }).filter(([, value]) => value !== undefined);
  return applyDecorators(HttpCode(status), ApiOperation({ summary, ...Object.fromEntries(given) }));
}

const Refusals = (badRequest: Type): MethodDecorator =>
  applyDecorators(
    ApiBadRequestResponse({ type: badRequest }),
    ApiUnauthorizedResponse({ type: ErrorDto }),
    ApiForbiddenResponse({ type: ErrorDto }),
    ApiNotFoundResponse({ type: ErrorDto }),
    ApiConflictResponse({ type: ErrorDto }),
    ApiPayloadTooLargeResponse({ type: ErrorDto }),
    ApiUnsupportedMediaTypeResponse({ type: ErrorDto }),
    ApiUnprocessableEntityResponse({ type: ValidationErrorDto }),
    ApiTooManyRequestsResponse({ type: ErrorDto }),
    ApiResponse({ status: 503, type: ErrorDto }),
  );

/** Documents JSON, and text for the other media types. */
function exportsAs(
  type: Type,
  exportTypes: string[],
  isList = false,
): { content?: Record<string, { schema: object }> } {
  if (exportTypes.length === 0) return {};
  const texts = exportTypes.map((name) => [name, { schema: { type: 'string' } }]);
  const item = { $ref: getSchemaPath(type) };
  const schema = isList ? { type: 'array', items: item } : item;
  return { content: { 'application/json': { schema }, ...Object.fromEntries(texts) } };
}
