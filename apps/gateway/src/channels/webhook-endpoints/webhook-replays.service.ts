import { Injectable } from '@nestjs/common';
import {
  DomainError,
  idAtTime,
  invalidField,
  type ReplayWebhooksDto,
  type WebhookDeliveryDto,
  type WebhookReplayDto,
} from '@clarion/contracts';
import {
  Database,
  type EndpointWithBacklog,
  EventLogRepository,
  type KeyOwner,
  type SequenceRange,
  WebhookEndpointRepository,
} from '@clarion/persistence';
import { readTime } from '../../edge/http/time-range';
import { toDeliveryDto } from './webhook-answers';
import { found } from './webhook-endpoints.service';

/** Without an end, every entry is meant. The clock that numbers them may be ahead of this one. */
const CLOCK_RESERVE_MS = 24 * 3600_000;

/** Tests and replays of webhook endpoints. They only store what is to be sent; a worker sends it. */
@Injectable()
export class WebhookReplays {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly entries: EventLogRepository,
  ) {}

  test(owner: KeyOwner, id: string): Promise<WebhookDeliveryDto> {
    return this.database.transaction(async () => {
      checkActive(found(await this.endpoints.lock(owner.environmentId, id), id));
      return toDeliveryDto(await this.endpoints.addTest(owner.environmentId, id));
    });
  }

  replay(owner: KeyOwner, id: string, input: ReplayWebhooksDto): Promise<WebhookReplayDto> {
    const { environmentId } = owner;
    const kinds = [
      input.failedOnly === true,
      input.after !== undefined || input.to !== undefined,
      input.since !== undefined || input.until !== undefined,
    ];
    if (kinds.filter(Boolean).length !== 1) {
      throw invalidField('failedOnly', 'Give failedOnly, or after and to, or since and until');
    }
    return this.database.transaction(async () => {
      checkActive(found(await this.endpoints.lock(environmentId, id), id));
      if (input.failedOnly) return { deliveries: await this.endpoints.retryFailed(environmentId, id) };
      const range = await this.rangeOf(owner, input);
      if (range.after >= range.to) return { ...range, to: range.after };
      if (!(await this.endpoints.replay(environmentId, id, range))) {
        throw new DomainError('conflict', 'A replay of this endpoint is running. Try again when it has ended.');
      }
      return range;
    });
  }

  private async rangeOf({ environmentId }: KeyOwner, input: ReplayWebhooksDto): Promise<SequenceRange> {
    const { firstSequence, lastSequence } = await this.entries.state(environmentId);
    if (input.since === undefined && input.until === undefined) {
      const after = input.after ?? firstSequence - 1;
      if (after < firstSequence - 1) throw goneBefore(firstSequence);
      if (input.to !== undefined && input.to > lastSequence) {
        throw invalidField('to', `to must not be greater than the last entry, ${lastSequence}`, input.to);
      }
      const to = input.to ?? lastSequence;
      if (input.after !== undefined && after > to) throw invalidField('after', 'after must not be greater than to');
      return { after, to };
    }
    const since = readTime('since', input.since);
    const until = readTime('until', input.until);
    if (since && until && since > until) throw invalidField('since', 'since must not be later than until', input.since);
    return this.endpoints.rangeBetween(
      environmentId,
      idAtTime(since?.getTime() ?? 0),
      idAtTime(until ? until.getTime() + 1 : Date.now() + CLOCK_RESERVE_MS),
    );
  }
}

export const goneBefore = (firstSequence: number): DomainError =>
  new DomainError('gone', `Entries before ${firstSequence} are no longer in the event log`, { firstSequence });

function checkActive({ active }: EndpointWithBacklog): void {
  if (!active) throw new DomainError('conflict', 'This webhook endpoint is not active. Switch it on first.');
}
