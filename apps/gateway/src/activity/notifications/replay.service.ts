import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type EnvironmentId,
  invalidField,
  LIMITS,
  type ReplayDto,
  type ReplayResultDto,
} from '@clarion/contracts';
import { Database, type KeyOwner, type ReplayedStep, type ReplayFilter, ReplayRepository } from '@clarion/persistence';
import { QueueProducer, StepOffers } from '@clarion/queue';
import { readTimeRange } from '../../edge/http/time-range';

const BATCH_SIZE = 1_000;

/** An empty list in these filters is an error: it would not restrict the replay. */
const NOT_EMPTY_FILTERS = [
  'ids',
  'channels',
  'templates',
  'emails',
  'subscriberIds',
  'severity',
  'transactionId',
  'statuses',
] as const satisfies (keyof ReplayDto)[];

@Injectable()
export class ReplayService {
  private readonly offers = new StepOffers(this.producer);

  constructor(
    private readonly database: Database,
    private readonly replays: ReplayRepository,
    private readonly producer: QueueProducer,
  ) {}

  replay(owner: KeyOwner, body: ReplayDto): Promise<ReplayResultDto> {
    const filter = readFilter(body);
    return body.dryRun ? this.count(owner, filter, body) : this.run(owner, filter, body);
  }

  private async count(
    { environmentId }: KeyOwner,
    filter: ReplayFilter,
    { perSecond }: ReplayDto,
  ): Promise<ReplayResultDto> {
    const { steps, notifications } = await this.replays.count(environmentId, filter, LIMITS.replaySteps + 1);
    await this.checkRedacted(environmentId, filter, steps);
    const matched = Math.min(steps, LIMITS.replaySteps);
    return {
      dryRun: true,
      matched,
      notifications: Math.min(notifications, matched),
      replayed: 0,
      hasMore: steps > matched,
      seconds: Math.ceil(matched / perSecond),
    };
  }

  /** A replay of which nothing is left is refused, so that the caller learns why. */
  private async checkRedacted(environmentId: EnvironmentId, filter: ReplayFilter, replayed: number): Promise<void> {
    if (replayed > 0) return;
    const { steps } = await this.replays.count(environmentId, { ...filter, redacted: true }, LIMITS.replaySteps);
    if (steps === 0) return;
    throw new DomainError(
      'conflict',
      `The marked payload fields of ${steps} steps were redacted, so they cannot be replayed: send a new event`,
    );
  }

  /** All batches are one transaction, so that a step of the first cannot fail again and be replayed by the second. */
  private run({ environmentId }: KeyOwner, filter: ReplayFilter, { perSecond }: ReplayDto): Promise<ReplayResultDto> {
    return this.database.transaction(async () => {
      const replayed: ReplayedStep[] = [];
      while (replayed.length < LIMITS.replaySteps) {
        const limit = Math.min(BATCH_SIZE, LIMITS.replaySteps - replayed.length);
        const batch = await this.replays.replay(environmentId, filter, { limit, perSecond, offset: replayed.length });
        replayed.push(...batch);
        if (batch.length < limit) break;
      }
      await this.checkRedacted(environmentId, filter, replayed.length);
      const isFull = replayed.length === LIMITS.replaySteps;
      const due = replayed.filter(({ second }) => second === 0);
      if (due.length > 0) this.database.afterCommit(() => this.offers.steps(due));
      return {
        dryRun: false,
        matched: replayed.length,
        notifications: new Set(replayed.map(({ notificationId }) => notificationId)).size,
        replayed: replayed.length,
        hasMore: isFull && (await this.replays.count(environmentId, filter, 1)).steps > 0,
        seconds: Math.ceil(replayed.length / perSecond),
      };
    });
  }
}

function readFilter(body: ReplayDto): ReplayFilter {
  for (const name of NOT_EMPTY_FILTERS) {
    if (body[name]?.length === 0) throw invalidField(name, `${name} must not be empty`);
  }
  const { emails, subscriberIds } = body;
  return {
    ids: body.ids,
    statuses: body.statuses ?? ['failed'],
    subscribers: emails || subscriberIds ? { emails, subscriberIds } : undefined,
    transactionIds: body.transactionId,
    templates: body.templates,
    channels: body.channels,
    severity: body.severity,
    topicKey: body.topicKey || undefined,
    contextKeys: body.contextKeys,
    ...readTimeRange(body),
  };
}
