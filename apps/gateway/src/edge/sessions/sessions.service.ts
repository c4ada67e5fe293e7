import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type CreateSessionDto,
  DomainError,
  invalidField,
  LIMITS,
  type SessionDto,
  type SessionListDto,
  type SessionSummaryDto,
  pick,
} from '@clarion/contracts';
import {
  Database,
  EnvironmentRepository,
  type KeyOwner,
  type RequestSession,
  SessionRepository,
  type SessionSummary,
} from '@clarion/persistence';
import { sha256 } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { KeyDirectory } from '../auth/key-directory';
import { checkCovers, checkKeyLimits } from '../auth/key-limits';
import { OperatorKey } from '../auth/operator';
import { WrongKeys } from '../auth/wrong-keys';
import { withoutNulls } from '../http/page';

const LONGEST_USER_AGENT = 300;

@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly environments: EnvironmentRepository,
    private readonly keys: KeyDirectory,
    private readonly operatorKey: OperatorKey,
    private readonly wrongKeys: WrongKeys,
  ) {}

  /** Runs without an environment, as the system: the caller is not signed in yet. */
  open(
    input: CreateSessionDto,
    request: FastifyRequest,
  ): Promise<{ secret: string; session: RequestSession; owner: KeyOwner }> {
    // A token that is refused for its key stays usable, because the transaction is rolled back.
    return this.database.transaction(async () => {
      const owner = await this.ownerOf(input, request.ip);
      checkKeyLimits(owner, request.ip);
      if (owner.scope === 'trigger') {
        const reason = 'which can only send events: use a key of the scope "read", "full" or "admin"';
        throw new DomainError('forbidden', `This API key has the scope "trigger", ${reason}`);
      }
      const secret = randomBytes(32).toString('base64url');
      const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null;
      const opened = await this.sessions.open(
        { keyId: owner.keyId, hash: sha256(secret), address: request.ip, userAgent },
        { hours: LIMITS.sessionHours, sessionsPerKey: LIMITS.sessionsPerKey },
      );
      if (!opened) throw this.wrongKeys.refuse(request.ip);
      return { secret, session: opened, owner };
    });
  }

  async describe(owner: KeyOwner, session: RequestSession | undefined): Promise<SessionDto> {
    const { id, keyName, keyEnvironmentId, expiresAt } = checkSession(session);
    // The key may have another environment than the one that the request acts in.
    const environments = await this.database.asSystem(() => this.environments.list(owner.organizationId));
    return {
      _id: id,
      environmentId: keyEnvironmentId,
      organizationId: owner.organizationId,
      scope: owner.scope,
      keyName,
      expiresAt: expiresAt.toISOString(),
      environments: environments
        .filter((environment) => owner.scope === 'admin' || environment.id === keyEnvironmentId)
        .map(({ id: _id, name, identifier, kind }) => ({ _id, name, identifier, kind })),
    };
  }

  async list(owner: KeyOwner, currentId: string | undefined): Promise<SessionListDto> {
    const rows = await this.sessions.list(owner.environmentId, LIMITS.listedSessions);
    return { data: rows.map((row) => toSummaryDto(row, currentId)) };
  }

  async end(session: RequestSession | undefined): Promise<void> {
    const { id, keyEnvironmentId } = checkSession(session);
    await this.database.asSystem(() => this.sessions.revoke(keyEnvironmentId, id));
    this.database.afterCommit(() => this.keys.forget());
  }

  async revoke(owner: KeyOwner, sessionId: string): Promise<void> {
    const key = await this.sessions.findKey(owner.environmentId, sessionId);
    if (key) checkCovers(owner, key, 'revoke a session of a key');
    if (!key || !(await this.sessions.revoke(owner.environmentId, sessionId))) {
      throw new DomainError('not_found', `Session ${sessionId} was not found`);
    }
    this.database.afterCommit(() => this.keys.forget());
  }

  private async ownerOf({ apiKey, token }: CreateSessionDto, address: string): Promise<KeyOwner> {
    if ((apiKey === undefined) === (token === undefined)) {
      throw invalidField('apiKey', 'either apiKey or token is required');
    }
    if (apiKey !== undefined) {
      if (this.operatorKey.matches(apiKey.trim())) {
        const instead = 'sign in with an API key of an environment';
        throw new DomainError('forbidden', `The key of the operator has no session, ${instead}`);
      }
      const owner = await this.keys.find(apiKey.trim(), this.wrongKeys.isGuessing(address));
      if (!owner) throw this.wrongKeys.refuse(address);
      return owner;
    }
    const refusal = 'The sign-in link was used before, has expired or was replaced';
    // The next guess of an address that has sent many costs no statement.
    if (this.wrongKeys.isGuessing(address)) throw this.wrongKeys.refuse(address, refusal);
    const keyHash = await this.sessions.useToken(sha256(token!));
    const owner = keyHash && (await this.keys.findByHash(keyHash));
    if (!owner) throw this.wrongKeys.refuse(address, refusal);
    return owner;
  }
}

function checkSession(session: RequestSession | undefined): RequestSession {
  if (session) return session;
  throw new DomainError('not_found', 'This request was sent with an API key and has no session');
}

function toSummaryDto(row: SessionSummary, currentId: string | undefined): SessionSummaryDto {
  return withoutNulls({
    _id: row.id,
    ...pick(row, 'keyId', 'keyName', 'keyPrefix', 'scope', 'address', 'userAgent'),
    current: row.id === currentId,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  });
}
