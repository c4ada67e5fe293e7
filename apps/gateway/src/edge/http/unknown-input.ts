import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { closestName, DomainError, type FieldErrors, LIMITS } from '@clarion/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { type DtoClass, namesOf, type UnknownField } from './compiled-dto';

/**
 * Collects the fields and parameters that this interface does not know. They have no effect. The response lists them in
 * the header `Clarion-Warning`; with `Prefer: handling=strict` (RFC 7240), on a route with `StrictInput` and for a
 * misspelled `dryRun`, the request is refused with 422.
 */
class InputReport {
  private readonly unknown: (UnknownField & { kind: string })[] = [];

  constructor(
    private readonly reply: FastifyReply,
    private readonly isStrict: boolean,
  ) {}

  add(fields: UnknownField[] | undefined, prefix = '', kind = 'body field'): void {
    if (!fields || this.unknown.length >= LIMITS.unknownFields) return;
    for (const { path, meant } of fields.slice(0, LIMITS.unknownFields - this.unknown.length)) {
      this.unknown.push({ path: `${prefix}${path}`, meant, kind });
    }
    void this.reply.header('Clarion-Warning', headerOf(this.unknown));
  }

  /** Must be called after the whole input was read and before any work is done. */
  settle(): void {
    if (this.isStrict && this.unknown.length > 0) {
      throw new DomainError('unprocessable', 'Validation Error', { errors: errorsOf(this.unknown) });
    }
  }
}

const current = new AsyncLocalStorage<InputReport>();

/** Returns the report of the current request; undefined for requests without an API key or an inbox token. */
export const inputReport = (): InputReport | undefined => current.getStore();

@Injectable()
export class UnknownInputInterceptor implements NestInterceptor {
  private readonly parameters = new WeakMap<object, Parameters>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // Providers may add any parameters to their calls.
    if (!request.owner && !request.operator && !request.inboxCaller) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const refusesUnknown = request.policy?.refusesUnknown ?? false;
    const isStrict = STRICT.test(String(request.headers['prefer'] ?? ''));
    if (isStrict) void reply.header('Preference-Applied', 'handling=strict');
    const { query, hasBody } = this.parametersOf(context);
    const unknown = unknownNames(request.query as object, query);
    // A dry run that was misspelled would have its effects.
    const isMisspelledDryRun = unknown?.some(({ meant }) => meant === 'dryRun') ?? false;
    const report = new InputReport(reply, isStrict || refusesUnknown || isMisspelledDryRun);
    report.add(unknown, '', 'query parameter');
    if (refusesUnknown && !hasBody) report.add(unknownNames(Object(request.body ?? {}) as object, new Set()));
    if (!hasBody) report.settle();
    return current.run(report, () => next.handle());
  }

  private parametersOf(context: ExecutionContext): Parameters {
    const handler = context.getHandler();
    let known = this.parameters.get(handler);
    if (!known) this.parameters.set(handler, (known = parametersOf(context.getClass(), handler.name)));
    return known;
  }
}

/** The query parameters that a handler declares, and whether it reads the body. */
type Parameters = { query: ReadonlySet<string>; hasBody: boolean };

function parametersOf(controller: { prototype: object }, method: string): Parameters {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype, method) as unknown[];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const query = new Set<string>();
  let hasBody = false;
  for (const [key, { index, data }] of Object.entries(args)) {
    const kind = Number(key.split(':', 1)[0]);
    if (kind === RouteParamtypes.BODY) hasBody = true;
    if (kind !== RouteParamtypes.QUERY) continue;
    const names = typeof data === 'string' ? [data] : namesOf(types[index] as DtoClass<object>);
    for (const name of names) query.add(name);
  }
  return { query, hasBody };
}

function unknownNames(given: object, known: ReadonlySet<string>): UnknownField[] | undefined {
  let unknown: UnknownField[] | undefined;
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    unknown ??= [];
    if (unknown.length < LIMITS.unknownFields) unknown.push({ path: name, meant: closestName(name, known) });
  }
  return unknown;
}

const STRICT = /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i;
const NAME_CHARACTERS = 128;
const HEADER_CHARACTERS = 2_048;

function headerOf(unknown: (UnknownField & { kind: string })[]): string {
  let text = '';
  for (const { path, meant, kind } of unknown) {
    const hint = meant === undefined ? '' : ` (did you mean ${safe(meant)}?)`;
    const entry = `unknown ${kind} ${safe(path)}${hint}`;
    if (text.length + entry.length > HEADER_CHARACTERS) return `${text}; and more`;
    text += text === '' ? entry : `; ${entry}`;
  }
  return unknown.length < LIMITS.unknownFields ? text : `${text}; and possibly more`;
}

const safe = (name: string): string =>
  encodeURIComponent(name.slice(0, NAME_CHARACTERS).toWellFormed()).replace(/%(?:5B|5D|24|3A|40)/g, decodeURIComponent);

function errorsOf(unknown: (UnknownField & { kind: string })[]): FieldErrors {
  return Object.fromEntries(
    unknown.map(({ path, meant, kind }) => {
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return [path.slice(0, NAME_CHARACTERS), { messages: [`${kind} is not known${hint}`] }];
    }),
  );
}
