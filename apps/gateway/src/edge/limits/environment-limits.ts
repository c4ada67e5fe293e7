import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, groupBy, type LimitName, newId } from '@clarion/contracts';
import { Database, LimitRepository, renderBudgetsOf, type SharedLimit } from '@clarion/persistence';
import { type Logger, Metrics } from '@clarion/platform';
import { LOGGER } from '../dependencies';
import { RateLimiter, type RateCheck } from '../http/rate-limiter';
import { sourceOf } from './limit-sources';

const REFRESH_MS = 1_000;
/** While there are no limits, to learn of the first one. */
const IDLE_REFRESH_MS = 5_000;
/** Events a second that each gateway asks for in addition, so that the first event after a pause is not refused. */
const SPARE = 1;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Applies the limits of environments. Nothing is asked of the database for an event: once a second this process
 * tells the other gateways what it was asked for, and takes the same part of each limit.
 */
@Injectable()
export class EnvironmentLimits implements OnModuleDestroy {
  private readonly gatewayId = newId();
  /** By environment, or by organization for those that count all of it. */
  private limits = new Map<string, SharedLimit[]>();
  private shares = new Map<string, number>();
  private asked = new Map<string, number>();
  private askedSince = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> | undefined;
  private readonly buckets = new RateLimiter((owner) => this.shares.get(owner) ?? Infinity);

  constructor(
    private readonly repository: LimitRepository,
    private readonly renderer: TemplateRenderer,
    private readonly metrics: Metrics,
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reads the limits, and again and again until the gateway stops. */
  async start(): Promise<void> {
    await this.refresh().catch((error: unknown) => this.logger.warn({ err: error }, 'limits could not be read'));
    if (this.timer === undefined) this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.refreshing?.catch(() => undefined);
  }

  /** Whether the environment may send this many events now; undefined without a limit. */
  take(environmentId: EnvironmentId, events: number): RateCheck | undefined {
    if (this.limits.size === 0) return undefined;
    const organizationId = this.database.organizations.of(environmentId);
    const limits = [environmentId, organizationId].flatMap((id) => this.limits.get(id) ?? []);
    const spent = limits.find(({ messagesPerDay, messagesToday }) => messagesToday >= (messagesPerDay ?? Infinity));
    if (spent) {
      this.metrics.limits.refuse('messages_per_day', events);
      return usedUp(spent);
    }
    // A row has the id of the environment that it was set for, also if it counts the organization.
    const owners = limits.flatMap((row) => (row.eventsPerSecond === null ? [] : [row.environmentId]));
    if (owners.length === 0) return undefined;
    for (const id of owners) this.asked.set(id, (this.asked.get(id) ?? 0) + events);
    const verdict = this.buckets.takeAll(owners, 'trigger', events);
    if (verdict.allowed) return verdict;
    this.metrics.limits.refuse('events_per_second', events);
    const until = new Date(Date.now() + verdict.resetSeconds * 1_000);
    const refusing = limits.find((row) => row.environmentId === verdict.owner)!;
    return { ...verdict, refusal: describe(refusing, 'eventsPerSecond', 'events a second', until) };
  }

  /** Shares the limits with the other gateways. */
  async refresh(): Promise<void> {
    const seconds = Math.max((performance.now() - this.askedSince) / 1000, 0.001);
    const asked = new Map([...this.asked].map(([id, events]) => [id, events / seconds]));
    this.asked = new Map();
    this.askedSince = performance.now();
    const rows = await this.repository.share(this.gatewayId, Object.fromEntries(asked));
    this.limits = groupBy(rows, ({ counts, environmentId, organizationId }) =>
      counts === 'organization' ? organizationId : environmentId,
    );
    this.shares = new Map(
      rows.flatMap((row) =>
        row.eventsPerSecond === null
          ? []
          : [[row.environmentId, shareOf(row, row.eventsPerSecond, asked.get(row.environmentId) ?? 0)]],
      ),
    );
    this.renderer.setBudgets(renderBudgetsOf(rows));
    this.metrics.limits.use(rows.map((row) => ({ ...row, askedPerSecond: asked.get(row.environmentId) ?? 0 })));
  }

  private schedule(): void {
    const wait = this.limits.size > 0 ? REFRESH_MS : IDLE_REFRESH_MS;
    this.timer = setTimeout(() => {
      this.refreshing = this.refresh()
        // The last shares stay: they add up to the limits.
        .catch((error: unknown) => this.logger.warn({ err: error }, 'limits could not be shared'))
        .finally(() => this.schedule());
    }, wait);
    this.timer.unref();
  }
}

/** The part of the limit that this gateway may use: as large as its part of what all were asked for. */
function shareOf({ otherGateways, otherEventsPerSecond }: SharedLimit, limit: number, asked: number): number {
  return (limit * (asked + SPARE)) / (asked + otherEventsPerSecond + SPARE * (otherGateways + 1));
}

function usedUp(row: SharedLimit): RateCheck {
  const limit = row.messagesPerDay!;
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  const policy = `${limit};w=${DAY_MS / 1000};comment="messages a day";category="trigger"`;
  const refusal = describe(row, 'messagesPerDay', 'messages a day', new Date(Date.now() + leftMs));
  return { allowed: false, limit, remaining: 0, resetSeconds: Math.ceil(leftMs / 1000), policy, refusal };
}

function describe({ sources, ...row }: SharedLimit, name: LimitName, unit: string, until: Date): string {
  const { setBy, reason } = sourceOf(sources, name);
  const why = reason === null ? '' : ` (${reason})`;
  const whose = row.counts === 'organization' ? 'organization, for all its environments together,' : 'environment';
  return (
    `the limit of this ${whose} is ${row[name]} ${unit}, set by ${setBy}${why}; ` +
    `try again at ${until.toISOString().slice(0, 19)}Z`
  );
}
