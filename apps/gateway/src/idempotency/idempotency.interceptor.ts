import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { canonicalJson, DomainError, LIMITS } from '@clarion/contracts';
import { Database, type IdempotencyScope, IdempotencyRepository, type StoredAnswer } from '@clarion/persistence';
import { openAnswer, sealAnswer, SecretBox, sha256 } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { describeError, errorBody } from '../http/error.filter';
import { isWithoutEffect } from './without-effect';

const METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const JSON_TYPE = 'application/json; charset=utf-8';

/** Thrown to undo our work when another request with the same key committed first. */
class LostRace extends Error {}

/** About the key itself, so never stored under it. */
class KeyRefusal extends DomainError {}

/**
 * `idempotency-key`: one effect per key, whatever the network does.
 *
 * The handler runs inside a transaction that holds an advisory lock on the key and, at its end, stores the answer: work and
 * record commit together or not at all. A second request meanwhile gets 409; afterwards it gets the stored answer. A crash
 * frees the key by itself, because the lock dies with the connection. Refusals that would come out the same again are stored
 * too; 5xx, 408 and 429 are not. Bodies are stored encrypted: answers may carry credentials.
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
    const fingerprint = sha256(canonicalJson([request.query, request.body ?? null]));
    void reply.header('Idempotency-Key', key);
    const first = async (): Promise<unknown> => {
      const stored = await this.storedAnswer(scope, fingerprint);
      if (stored) return this.answerAgain(scope, stored, reply);
      const answer = await handle();
      const body = answer === undefined ? '' : JSON.stringify(answer);
      await this.store(scope, fingerprint, reply.statusCode, body);
      return sendText(reply, body);
    };
    try {
      return await this.database.transaction(first);
    } catch (error) {
      if (error instanceof LostRace) return this.database.transaction(first);
      return this.refuse(scope, fingerprint, error, request, reply);
    }
  }

  /** Undefined when this request is the first and must do the work. */
  private async storedAnswer(scope: IdempotencyScope, fingerprint: Buffer): Promise<StoredAnswer | undefined> {
    const { free, answer } = await this.records.claim(scope);
    if (!answer && !free) {
      throw new KeyRefusal(
        'conflict',
        `Request with key "${scope.key}" is currently being processed. Please retry after 1 second`,
        {},
        { 'Retry-After': '1', Link: '</docs>; rel="help"' },
      );
    }
    if (answer && !answer.fingerprint.equals(fingerprint)) {
      throw new KeyRefusal(
        'unprocessable',
        `Request with key "${scope.key}" is being reused for a different body`,
        {},
        { Link: '</docs>; rel="help"' },
      );
    }
    return answer;
  }

  private answerAgain(scope: IdempotencyScope, answer: StoredAnswer, reply: FastifyReply): unknown {
    void reply.status(answer.status).header('Idempotency-Replay', 'true');
    return sendText(reply, openAnswer(this.secrets, scope, answer.body));
  }

  /** A refusal that would come out the same again is stored and sent as one text; any other goes the usual way. */
  private async refuse(
    scope: IdempotencyScope,
    fingerprint: Buffer,
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const answer = describeError(error);
    if (error instanceof KeyRefusal || answer.status >= 500 || answer.status === 408 || answer.status === 429)
      throw error;
    const body = JSON.stringify(errorBody(answer, request));
    try {
      await this.store(scope, fingerprint, answer.status, body);
    } catch {
      throw error;
    }
    void reply.status(answer.status).headers(answer.headers);
    return sendText(reply, body);
  }

  private async store(scope: IdempotencyScope, fingerprint: Buffer, status: number, body: string): Promise<void> {
    const sealed = sealAnswer(this.secrets, scope, body);
    const stored = await this.records.store(scope, { fingerprint, status, contentType: JSON_TYPE, body: sealed });
    if (!stored) throw new LostRace();
  }
}

/** Fastify sends a text as it is, so a replay is byte for byte the first answer. */
function sendText(reply: FastifyReply, body: string): string | undefined {
  if (body === '') return undefined;
  void reply.type(JSON_TYPE);
  return body;
}
