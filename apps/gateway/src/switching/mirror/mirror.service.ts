import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type EnvironmentId,
  invalidField,
  LIMITS,
  type ListMirrorDifferencesQuery,
  MIRROR_FIGURES,
  MIRROR_HEADER,
  type MirrorDifferenceDto,
  type MirrorDifferenceListDto,
  type MirrorDto,
  type MirrorFiguresDto,
  type StartMirrorDto,
  withoutTrailingSlashes,
} from '@clarion/contracts';
import {
  Database,
  type Mirror,
  type MirrorDifference,
  MirrorRepository,
  type MirrorStatus,
} from '@clarion/persistence';
import { Egress, hashApiKey, sealMirrorKey, SecretBox } from '@clarion/platform';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../../edge/audit-log/audit-log';
import { cursorEnvelope, withoutNulls } from '../../edge/http/page';

const DAY_MS = 24 * 3600 * 1000;
/** What a header can carry. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const TIME_IS_OVER = 'Its time is over';
const STOPPED = 'It was stopped';
/** One notification may repeat a large payload. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** The mirror of an environment: another system gets copies of its triggers, and both are compared. */
@Injectable()
export class MirrorService {
  constructor(
    private readonly database: Database,
    private readonly mirrors: MirrorRepository,
    private readonly egress: Egress,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  async start(actor: AuditActor, environment: EnvironmentRef, input: StartMirrorDto): Promise<MirrorDto> {
    const { environmentId } = environment;
    const { key, delivers, comparePercent, settleSeconds } = input;
    const url = this.checkedUrl(input.url);
    const until = checkedUntil(input.until);
    if (!PRINTABLE.test(key)) throw invalidField('key', 'key must have no spaces and only characters of ASCII');
    await this.database.beforehand(() => this.checkOther(environmentId, url, key));
    return this.database.transaction(async () => {
      const kind = await this.mirrors.lockEnvironment(environmentId);
      if (delivers === 'other' && kind !== 'sandbox') {
        throw invalidField(
          'delivers',
          `The environment is of the kind "${kind}", so people would get each message from both systems. Use an ` +
            'environment of the kind "sandbox", or set delivers to "clarion" and switch sending off in the other',
          delivers,
        );
      }
      const before = await this.mirrors.find(environmentId);
      if (before?.isRunning) throw new DomainError('conflict', 'The environment is mirrored already: stop that first');
      if (before && before.waiting > 0) {
        throw new DomainError(
          'conflict',
          `${before.waiting} copies of the last mirror wait to be sent: wait for them, or stop it with discard`,
        );
      }
      const settings = { url, delivers, comparePercent, settleSeconds, until };
      await this.mirrors.start(environmentId, { ...settings, key: sealMirrorKey(this.secrets, environmentId, key) });
      await this.audit.recordIn(actor, environment, {
        resource: 'mirror',
        id: environmentId,
        after: { ...settings, state: 'running' },
      });
      return this.status(environmentId);
    });
  }

  async status(environmentId: EnvironmentId): Promise<MirrorDto> {
    const mirror = await this.mirrors.find(environmentId);
    return mirror ? toMirrorDto(mirror) : { state: 'off' };
  }

  stop(actor: AuditActor, environment: EnvironmentRef, discard: boolean): Promise<MirrorDto> {
    const { environmentId } = environment;
    return this.database.transaction(async () => {
      await this.mirrors.lockEnvironment(environmentId);
      const before = await this.mirrors.find(environmentId);
      if (!before) throw new DomainError('not_found', 'The environment is not mirrored');
      if (before.isRunning) await this.mirrors.stop(environmentId, STOPPED);
      const discarded = discard ? await this.mirrors.discard(environmentId) : 0;
      await this.audit.recordIn(actor, environment, {
        resource: 'mirror',
        id: environmentId,
        before: { state: before.isRunning ? 'running' : 'ended' },
        after: { state: 'ended', ...(discarded > 0 && { discardedCopies: discarded }) },
      });
      return this.status(environmentId);
    });
  }

  async differences(environmentId: EnvironmentId, query: ListMirrorDifferencesQuery): Promise<MirrorDifferenceListDto> {
    const { kind: kinds, transactionId } = query;
    const filter = { ...(kinds && { kinds }), ...(transactionId !== undefined && { transactionId }) };
    return cursorEnvelope(await this.mirrors.listDifferences(environmentId, filter, query), toDifferenceDto);
  }

  /** The base URL without a slash at the end. The addresses of a host name are checked at each call. */
  private checkedUrl(text: string): string {
    const fault = this.egress.faultOf(text, 'https');
    if (fault !== undefined) throw invalidField('url', `url cannot be used: ${fault}`, text);
    const { search, hash } = new URL(text);
    if (search !== '' || hash !== '') throw invalidField('url', 'url must have no query and no fragment', text);
    return withoutTrailingSlashes(text);
  }

  /** The other system answers to the key, and is not this environment. */
  private async checkOther(environmentId: EnvironmentId, url: string, key: string): Promise<void> {
    if (await this.mirrors.hasKey(environmentId, hashApiKey(key))) {
      throw invalidField('key', 'key is one of this environment, which cannot be its own mirror');
    }
    const status = await this.egress
      .request({
        method: 'GET',
        url: `${url}/v1/notifications?page=0&limit=1`,
        origin: 'tenant',
        headers: { authorization: `ApiKey ${key}`, 'user-agent': 'Clarion-Mirror', [MIRROR_HEADER]: '1' },
        bodyBytes: ANSWER_BYTES,
      })
      .then(
        (response) => response.status,
        (error: Error) => {
          throw invalidField('url', `The other system cannot be reached: ${error.message}`, url);
        },
      );
    if (status === 401 || status === 403) {
      const rights = 'it must be able to trigger events and to read notifications';
      throw invalidField('key', `The other system answered ${status} to the key: ${rights}`);
    }
    if (status !== 200) {
      throw invalidField('url', `The other system answered ${status} to GET ${url}/v1/notifications`, url);
    }
  }
}

function checkedUntil(text: string): Date {
  const until = new Date(text);
  if (Number.isNaN(until.getTime())) throw invalidField('until', 'until must be a time in ISO 8601', text);
  if (until.getTime() <= Date.now()) throw invalidField('until', 'until must be in the future', text);
  if (until.getTime() > Date.now() + LIMITS.mirrorDays * DAY_MS) {
    throw invalidField('until', `until must be at most ${LIMITS.mirrorDays} days ahead`, text);
  }
  return until;
}

function toMirrorDto(mirror: MirrorStatus): MirrorDto {
  const { isRunning, failingSince, oldestWaitingSeconds } = mirror;
  const endedAt = isRunning ? undefined : (mirror.endedAt ?? mirror.until);
  return withoutNulls({
    state: isRunning ? ('running' as const) : ('ended' as const),
    url: mirror.url,
    delivers: mirror.delivers,
    until: mirror.until.toISOString(),
    comparePercent: mirror.comparePercent,
    settleSeconds: mirror.settleSeconds,
    startedAt: mirror.createdAt.toISOString(),
    endedAt: endedAt?.toISOString(),
    endedReason: isRunning ? undefined : (mirror.endedReason ?? TIME_IS_OVER),
    waiting: mirror.waiting,
    oldestWaitingSeconds,
    settling: mirror.settling,
    lastAnsweredAt: mirror.lastAnsweredAt?.toISOString(),
    failing: failingSince === null ? undefined : failingOf(mirror, failingSince),
    figures: Object.fromEntries(MIRROR_FIGURES.map((name) => [name, mirror.figures[name] ?? 0])) as MirrorFiguresDto &
      Record<string, number>,
  }) as MirrorDto;
}

function failingOf({ failures, lastError, notBefore }: Mirror, since: Date): NonNullable<MirrorDto['failing']> {
  return {
    failures,
    since: since.toISOString(),
    ...(lastError !== null && { error: lastError }),
    ...(notBefore !== null && notBefore.getTime() > Date.now() && { pausedUntil: notBefore.toISOString() }),
  };
}

const toDifferenceDto = ({ id, environmentId: _, createdAt, ...row }: MirrorDifference): MirrorDifferenceDto =>
  withoutNulls({ _id: id, ...row, createdAt: createdAt.toISOString() }) as MirrorDifferenceDto;
