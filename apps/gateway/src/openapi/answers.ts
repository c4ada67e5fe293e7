import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiHeader,
  ApiNotFoundResponse,
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
    description: `Present when the request holds unknown body fields or query parameters; names up to ${LIMITS.unknownFields} of them.`,
    schema: { type: 'string' as const },
  },
};

type Documented = {
  status?: number;
  type?: Type | [Type];
  description?: string;
  isBoolean?: boolean;
  /** HTML for a browser. */
  isPage?: boolean;
  /** Media types in which the same can be downloaded. */
  exportTypes?: string[];
  /** What a 400 looks like, where it has more to say than the others. */
  badRequest?: Type;
};

/** What an operation answers: its success and the refusals that every operation shares. */
export function Answers({
  status = 200,
  type,
  description = 'OK',
  isBoolean,
  isPage,
  exportTypes = [],
  badRequest = ErrorDto,
}: Documented): MethodDecorator {
  const success = isBoolean
    ? { status, description, schema: { type: 'boolean' as const } }
    : isPage
      ? { status, description, content: { 'text/html': { schema: { type: 'string' as const } } } }
      : type === undefined
        ? { status, description }
        : Array.isArray(type)
          ? { status, description, type: type[0], isArray: true }
          : { status, description, type, ...exportsAs(type, exportTypes) };
  return applyDecorators(
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
        '`handling=strict` (RFC 7240): unknown body fields and query parameters are answered with 422. Without it they have no effect.',
    }),
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
}

/** JSON, and text in the other media types. */
function exportsAs(type: Type, exportTypes: string[]): { content?: Record<string, { schema: object }> } {
  if (exportTypes.length === 0) return {};
  const texts = exportTypes.map((name) => [name, { schema: { type: 'string' } }]);
  return {
    content: { 'application/json': { schema: { $ref: getSchemaPath(type) } }, ...Object.fromEntries(texts) },
  };
}
