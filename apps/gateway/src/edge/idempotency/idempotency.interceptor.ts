import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { canonicalJson, DomainError, isJsonObject, LIMITS } from '@clarion/contracts';
import {
  CLAIM_LEASE_MS,
  Database,
  type IdempotencyScope,
  IdempotencyRepository,
  type StoredAnswer,
} from '@clarion/persistence';
import { openAnswer, sealAnswer, SecretBox, sha256 } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { shownTo } from '../http/disclosure';
import { describeError, errorBody } from '../http/error.filter';
import { withShortFiles } from '../http/short-files';
import { isWithoutEffect } from './without-effect';

const METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const RENEW_MS = CLAIM_LEASE_MS / 3;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Another request with this key is being processed. */
class KeyIsTaken extends DomainError {
  constructor(key: string) {
    super(
      'conflict',
      `Request with key "${key}" is currently being processed. Please retry after 1 second`,
      {},
      { 'Retry-After': '1', Link: '</docs>; rel="help"' },
    );
  }
}

/** Thrown to roll back when this request no longer holds the key: another request with it may have committed first. */
class LostClaim extends KeyIsTaken {}

/**
 * Implements `idempotency-key`: repeated requests with one key have one effect.
 *
 * The request claims the key by a record that is committed before the work begins. So a second request gets 409,
 * however long the first one waits for a provider. The handler then runs inside a transaction, which begins with its
 * first statement and stores the response at its end, if the request still holds the claim: the work and the response
 * commit together or not at all. Later requests get the stored response.
 *
 * The claim is renewed while the request runs; after a crash it expires within seconds. Errors that a repetition would
 * get again are stored too; after a 5xx, 408 or 429 the claim is released. Bodies are stored encrypted, because
 * responses may contain credentials.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRepository,
    private readonly secrets: SecretBox,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined || key === '' || !request.owner || !METHODS.has(request.method)) return next.handle();
    if (isWithoutEffect(context)) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(
      this.once(String(key), request, reply, () => lastValueFrom(next.handle(), { defaultValue: undefined })),
    );
  }

  private async once(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    if (key.length > LIMITS.idempotencyKey) {
      throw new DomainError(
        'bad_request',
        `idempotency-key must not be longer than ${LIMITS.idempotencyKey} characters`,
      );
    }
    const scope = {
      environmentId: request.owner!.environmentId,
      method: request.method,
      path: request.url.split('?', 1)[0]!,
      key,
    };
    // The caller is part of the fingerprint: a response may hold secrets that only the first caller may see.
    const caller = request.session?.id ?? request.owner!.keyId;
    const fingerprint = sha256(canonicalJson([caller, request.query, comparable(request.body)]));
    void reply.header('Idempotency-Key', key);
    try {
      return await this.answer(scope, fingerprint, request, reply, handle);
    } catch (error) {
      if (!(error instanceof LostClaim)) throw error;
      return this.answer(scope, fingerprint, request, reply, handle);
    }
  }

  private async answer(
    scope: IdempotencyScope,
    fingerprint: Buffer,
    request: FastifyRequest,
    reply: FastifyReply,
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    const { claim, answer } = await this.records.claim(scope, fingerprint);
    if (claim === undefined) return this.replay(scope, fingerprint, answer, reply);
    const renewal = setInterval(() => {
      this.records.renew(scope, claim).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await this.database.transaction(async () => {
        // Fastify does not change the text that is sent, so what the caller may not see is hidden here.
        const result = shownTo(request, await handle());
        const body = result === undefined ? '' : JSON.stringify(result);
        await this.store(scope, claim, reply.statusCode, body);
        return sendText(reply, body);
      });
    } catch (error) {
      if (error instanceof LostClaim) throw error;
      return await this.refuse(scope, claim, error, request, reply);
    } finally {
      clearInterval(renewal);
    }
  }

  private replay(
    scope: IdempotencyScope,
    fingerprint: Buffer,
    answer: StoredAnswer | undefined,
    reply: FastifyReply,
  ): unknown {
    if (!answer) throw new KeyIsTaken(scope.key);
    if (!answer.fingerprint.equals(fingerprint)) {
      throw new DomainError(
        'unprocessable',
        `Request with key "${scope.key}" is being reused for a different body`,
        {},
        { Link: '</docs>; rel="help"' },
      );
    }
    void reply.status(answer.status).header('Idempotency-Replay', 'true');
    return sendText(reply, openAnswer(this.secrets, scope, answer.body));
  }

  /** Stores and sends an error that a repetition would get again. Any other error releases the claim and is thrown. */
  private async refuse(
    scope: IdempotencyScope,
    claim: string,
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const answer = describeError(error);
    if (answer.status >= 500 || answer.status === 408 || answer.status === 429) {
      await this.records.release(scope, claim).catch(() => undefined);
      throw error;
    }
    const body = JSON.stringify(errorBody(answer, request));
    try {
      await this.store(scope, claim, answer.status, body);
    } catch {
      throw error;
    }
    void reply.status(answer.status).headers(answer.headers);
    return sendText(reply, body);
  }

  private async store(scope: IdempotencyScope, claim: string, status: number, body: string): Promise<void> {
    const sealed = sealAnswer(this.secrets, scope, body);
    if (!(await this.records.store(scope, claim, { status, contentType: JSON_TYPE, body: sealed })))
      throw new LostClaim(scope.key);
  }
}

/** Fastify sends a string unchanged, so a replayed response is byte for byte the first one. */
function sendText(reply: FastifyReply, body: string): string | undefined {
  if (body === '') return undefined;
  void reply.type(JSON_TYPE);
  return body;
}

/** The body, with hashes in place of the files of events. */
function comparable(body: unknown): unknown {
  if (!isJsonObject(body)) return body ?? null;
  const { events } = body;
  return Array.isArray(events) ? { ...body, events: events.map(withShortFiles) } : withShortFiles(body);
}
