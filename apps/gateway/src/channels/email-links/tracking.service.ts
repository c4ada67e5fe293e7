import { Inject, Injectable } from '@nestjs/common';
import { type EnvironmentId, withTimeoutOr } from '@clarion/contracts';
import { Database, DeliveryEventRepository } from '@clarion/persistence';
import { type EmailLink, LinkTokens, type Logger, SecretBox } from '@clarion/platform';
import { LOGGER } from '../../edge/dependencies';
import { toNewEvent } from '../inbound-webhooks/event-record';

type TrackedLink = Extract<EmailLink, { kind: 'open' | 'click' }>;

/** The person waits for the page behind the link, not for the record. */
const RECORD_MS = 1_000;
/** Links that this process has recorded. Mail programs load the same picture again and again. */
const REMEMBERED = 20_000;

@Injectable()
export class TrackingService {
  private readonly tokens: LinkTokens;
  private readonly recorded = new Set<string>();

  constructor(
    secrets: SecretBox,
    private readonly database: Database,
    private readonly events: DeliveryEventRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.tokens = new LinkTokens(secrets);
  }

  /** Undefined for a token that is not valid for this kind of link. */
  read<Kind extends TrackedLink['kind']>(kind: Kind, token: string): Extract<TrackedLink, { kind: Kind }> | undefined {
    return this.tokens.read(kind, token) as Extract<TrackedLink, { kind: Kind }> | undefined;
  }

  /** Never fails: the person gets the picture or the page in any case. */
  async record(link: TrackedLink): Promise<void> {
    const key = `${link.kind} ${link.messageId}`;
    if (this.recorded.has(key)) return;
    const writing = this.write(link).then(
      (isKnown) => {
        if (isKnown) this.remember(key);
      },
      (error: unknown) => {
        const { kind, environmentId, messageId } = link;
        this.logger.warn({ err: error, kind, environmentId, messageId }, 'A followed link could not be recorded.');
      },
    );
    await withTimeoutOr(writing, RECORD_MS, undefined);
  }

  /** False while the message is not stored; then the next visit records it. */
  private write(link: TrackedLink): Promise<boolean> {
    const { kind, messageId } = link;
    const environmentId = link.environmentId as EnvironmentId;
    return this.database.asTenant(environmentId, async () => {
      const source = await this.events.trackedSource(environmentId, messageId);
      if (!source) return false;
      const isTracked = kind === 'open' ? source.trackOpens : source.trackClicks;
      if (!isTracked) return true;
      // The id of the event is that of the message: repeated visits change nothing.
      const id = `tracked ${kind} ${messageId}`;
      const event = toNewEvent(source, { id, kind: kind === 'open' ? 'opened' : 'clicked', messageId });
      const raw = JSON.stringify({ kind, source: 'tracking', ...(link.kind === 'click' && { url: link.url }) });
      await this.events.take(source, [{ ...event, raw }]);
      return true;
    });
  }

  private remember(key: string): void {
    this.recorded.add(key);
    if (this.recorded.size > REMEMBERED) this.recorded.delete(this.recorded.values().next().value!);
  }
}
