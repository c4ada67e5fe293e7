import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, Priority } from '@clarion/contracts';
import { Pool as HttpPool } from 'undici';
import { EVENTS, openEmailScene, type Provider } from './pipeline';
import { type Figure, median, percentile, progress } from './report';
import type { Scene, Stage } from './stage';

export type LanesOptions = {
  /** Emails before the critical messages. */
  backlog: number;
  /** Emails for an account with this limit of messages a second. */
  limited: { emails: number; perSecond: number };
  /** Critical emails, beside half as many bulk ones. */
  flood: number;
  /** Critical messages of each part. */
  critical: number;
  /** Otherwise only the order counts: a busy machine is slower, but sends in the same order. */
  isTimed: boolean;
};

const STEPS: Record<Channel, object> = {
  in_app: { body: '{{payload.name}}' },
  email: { subject: 'Code', body: '{{payload.name}}' },
  sms: { body: '{{payload.name}}' },
  push: { subject: 'Code', body: '{{payload.name}}' },
  chat: { body: '{{payload.name}}' },
};
const CHANNELS = Object.keys(STEPS) as Channel[];
/** Besides that for emails. */
const ACCOUNTS: [string, Channel, object][] = [
  ['twilio', 'sms', { accountSid: 'AC1', token: 'token', from: '+15550000000' }],
  ['expo', 'push', { apiKey: 'key' }],
  ['slack', 'chat', { applicationId: 'A1', clientId: 'C1', secretKey: 'secret' }],
];
/** So slow that a full worker stays full for as long as a busy machine needs for the critical messages. */
const SLOW_CALL_MS = 3_000;
/** More than a worker holds. */
const FULL = 1_500;
const CRITICAL_EVERY_MS = 100;
const CALLERS = 4;
const STALLED_MS = 120_000;

/** `before`: emails that may be called between the acceptance of a critical message and its own call. */
const GOALS = { before: 100, p95Ms: 2_000, toIdle: 3, rate: 0.8, bulkShare: 0.08 };

/** A message at the provider, or in the inbox, in milliseconds since 1970. */
type Arrived = { name: string; at: number };
type Sent = { name: string; acceptedAt: number; tookMs: number };

/**
 * Critical messages of all channels while their environment has a backlog of emails: behind a worker that is full of
 * slow calls, behind a backlog that moves, and behind the limit of an account. Then bulk emails beside a flood of
 * critical ones.
 */
export async function lanes(stage: Stage, options: LanesOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const backend of stage.hasRedis ? ['redis', 'postgres'] : ['postgres']) {
    const { scene, provider, close } = await openEmailScene(stage, 'lanes', {
      words: ['keep'],
      variables: (url) => ({
        CLARION_QUEUE: backend,
        CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: url, twilio: url, expo: url }),
      }),
    });
    const tenant = new Tenant(scene, provider, backend);
    try {
      await tenant.prepare();
      await scene.start('engine', 'in_app', 'sms', 'push', 'chat');
      figures.push(...(await tenant.measure(options)));
    } finally {
      await tenant.close();
      await close();
    }
  }
  return figures;
}

class Tenant {
  private readonly http: HttpPool;
  private parts = 0;

  constructor(
    private readonly scene: Scene,
    private readonly provider: Provider,
    private readonly backend: string,
  ) {
    this.http = new HttpPool(scene.url, { connections: 8 });
  }

  async measure({ backlog, limited, flood, critical, isTimed }: LanesOptions): Promise<Figure[]> {
    const worker = await this.scene.start('email');
    const idle = await this.sendCritical('idle', critical, 'each alone');
    const figures: Figure[] = [];

    this.provider.process.tell({ delayMs: SLOW_CALL_MS });
    const full = await this.behind('a worker full of slow calls', FULL, critical);
    this.provider.process.tell({ delayMs: 0 });
    figures.push(this.orderFigure(full));
    await this.untilDone();

    if (isTimed) {
      const moving = await this.behind(`${backlog} emails`, backlog, critical);
      figures.push(this.timeFigure(moving, idle), this.rateFigure(moving));
      await this.untilDone();
    }

    await this.limit(limited.perSecond);
    const waiting = await this.behind(`a limit of ${limited.perSecond} a second`, limited.emails, critical);
    figures.push(isTimed ? this.timeFigure(waiting, idle) : this.orderFigure(waiting));
    await this.limit(0);
    await this.untilDone();

    await worker.stop();
    figures.push(await this.floodFigure(flood));
    return figures;
  }

  async prepare(): Promise<void> {
    for (const [providerId, channel, credentials] of ACCOUNTS)
      await this.call('POST', '/v1/integrations', { providerId, channel, active: true, credentials });
    for (const channel of CHANNELS) {
      const steps = [{ name: channel, type: channel, controlValues: STEPS[channel] }];
      await this.call('POST', '/v2/workflows', { name: channel, workflowId: channel, steps });
    }
  }

  /** A backlog of emails and then, when they are queued and some are sent, critical messages of all channels. */
  private async behind(what: string, emails: number, critical: number): Promise<Behind> {
    const prefix = this.prefix();
    await this.accept(`${prefix}-other`, emails);
    await this.untilTriggered();
    await this.untilArrived(`${prefix}-other`, 32);
    const sent = await this.sendCritical(`${prefix}-critical`, critical, 'every 100 ms');
    const arrived = await this.arrived(prefix);
    progress(`lanes, ${this.backend}: behind ${what}`);
    return { what, sent, others: arrived.filter(({ name }) => name.includes('-other')).map(({ at }) => at) };
  }

  private orderFigure({ what, sent, others }: Behind): Figure {
    const before = sent.map(
      ({ acceptedAt, tookMs }) => others.filter((at) => at > acceptedAt && at < acceptedAt + tookMs).length,
    );
    const most = Math.max(...before);
    return {
      what: `${this.backend}: emails that went before a critical message behind ${what} (most of ${sent.length})`,
      measured: String(most),
      goal: `<= ${GOALS.before}`,
      reached: most <= GOALS.before,
    };
  }

  private timeFigure({ what, sent }: Behind, idle: Sent[]): Figure {
    const times = sent.map(({ tookMs }) => tookMs);
    const [p50, p95] = [median(times), percentile(times, 0.95)];
    const alone = median(idle.map(({ tookMs }) => tookMs));
    return {
      what: `${this.backend}: a critical message behind ${what}, from its call to the provider (p50 to idle, p95)`,
      measured: `${(p50 / alone).toFixed(1)} x, ${(p95 / 1_000).toFixed(2)} s`,
      goal: `<= ${GOALS.toIdle} x, <= ${GOALS.p95Ms / 1_000} s`,
      reached: p50 <= GOALS.toIdle * alone && p95 <= GOALS.p95Ms,
      values: { p50, p95, idle: alone },
    };
  }

  /** The rate of the others while critical messages are sent, to that before. */
  private rateFigure({ sent, others }: Behind): Figure {
    const perMs = (from: number, to: number): number =>
      others.filter((at) => at >= from && at < to).length / Math.max(1, to - from);
    const begin = sent[0]!.acceptedAt;
    const kept = perMs(begin, sent.at(-1)!.acceptedAt) / perMs(Math.min(...others), begin);
    return {
      what: `${this.backend}: the rate of the others beside ${1_000 / CRITICAL_EVERY_MS} critical ones a second`,
      measured: `${Math.round(kept * 100)} %`,
      goal: `>= ${GOALS.rate * 100} %`,
      reached: kept >= GOALS.rate,
    };
  }

  /** The part of bulk messages among those that are sent before the last critical one, when all of them wait. */
  private async floodFigure(flood: number): Promise<Figure> {
    const prefix = this.prefix();
    await this.accept(`${prefix}-critical`, flood, 'critical');
    await this.accept(`${prefix}-bulk`, flood / 2, 'bulk');
    await this.untilTriggered();
    await this.scene.start('email');
    await this.untilDone();
    const order = (await this.arrived(prefix)).toSorted((a, b) => a.at - b.at).map(({ name }) => name);
    const meanwhile = order.slice(
      0,
      order.findLastIndex((name) => name.includes('-critical')),
    );
    const share = meanwhile.filter((name) => name.includes('-bulk')).length / meanwhile.length;
    return {
      what: `${this.backend}: the part of bulk emails during a flood of ${flood} critical ones`,
      measured: `${Math.round(share * 100)} %`,
      goal: `>= ${GOALS.bulkShare * 100} %`,
      reached: share >= GOALS.bulkShare,
    };
  }

  /** Critical messages of all channels in turn, and how long each took from its call to the provider or the inbox. */
  private async sendCritical(prefix: string, count: number, how: 'each alone' | 'every 100 ms'): Promise<Sent[]> {
    const calls: Promise<[name: string, at: number]>[] = [];
    for (let n = 0; n < count; n += 1) {
      const name = `${prefix}-${n}`;
      calls.push(this.trigger(name, CHANNELS[n % CHANNELS.length]!));
      if (how === 'each alone') await this.untilArrived(name, 1);
      else await pause(CRITICAL_EVERY_MS);
    }
    const accepted = await Promise.all(calls);
    const arrived = new Map((await this.untilArrived(prefix, count)).map(({ name, at }) => [name, at]));
    return accepted.map(([name, at]) => ({ name, acceptedAt: at, tookMs: arrived.get(name)! - at }));
  }

  private async trigger(name: string, workflowId: Channel): Promise<[name: string, at: number]> {
    const at = Date.now();
    const chat = { providerId: 'slack', credentials: { webhookUrl: `${this.provider.url}/services/one` } };
    const push = { providerId: 'expo', credentials: { deviceTokens: ['ExponentPushToken[one]'] } };
    await this.call('POST', '/v1/events/trigger', {
      name: workflowId,
      to: { subscriberId: 'ada', email: 'ada@example.com', phone: '+15550100000', channels: [chat, push] },
      payload: { name },
      priority: 'critical',
    });
    return [name, at];
  }

  private async accept(prefix: string, count: number, priority?: Priority): Promise<void> {
    let left = Math.ceil(count / EVENTS);
    const caller = async (): Promise<void> => {
      while (left > 0) {
        const call = (left -= 1);
        const events = Array.from({ length: EVENTS }, (_, at) => ({
          name: 'email',
          to: { subscriberId: `s-${at}`, email: `s-${at}@example.com` },
          payload: { name: `${prefix}-${call * EVENTS + at}` },
          ...(priority && { priority }),
        }));
        await this.call('POST', '/v1/events/trigger/bulk', { events });
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** Messages a second of the account for emails. */
  private async limit(rateLimit: number): Promise<void> {
    type Integration = { _id: string; providerId: string };
    const integrations = await this.call<Integration[]>('GET', '/v1/integrations');
    const { _id } = integrations.find(({ providerId }) => providerId === 'sendgrid')!;
    await this.call('PUT', `/v1/integrations/${_id}`, { configurations: { rateLimit } });
  }

  private async arrived(prefix: string): Promise<Arrived[]> {
    const calls = (await this.provider.process.ask({ prefix })) as Arrived[];
    const inbox = await this.scene.database.query<Arrived>(
      `SELECT content #>> '{}' AS name, extract(epoch FROM created_at)::float8 * 1000 AS at FROM message
        WHERE environment_id = $1 AND channel = 'in_app' AND starts_with(content #>> '{}', $2)`,
      [this.scene.environment.id, prefix],
    );
    return [...calls, ...inbox];
  }

  private untilArrived(prefix: string, count: number): Promise<Arrived[]> {
    return this.until(`${prefix} arrived`, async () => {
      const arrived = await this.arrived(prefix);
      return { isDone: arrived.length >= count, seen: arrived.length, value: arrived };
    });
  }

  private async untilOpen(what: string, condition: string): Promise<void> {
    await this.until(what, async () => {
      const [row] = await this.scene.database.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM work WHERE environment_id = $1 AND ${condition}`,
        [this.scene.environment.id],
      );
      return { isDone: row!.open === 0, seen: -row!.open, value: undefined };
    });
  }

  private untilTriggered(): Promise<void> {
    return this.untilOpen('all events are notifications', `type = 'trigger'`);
  }

  private untilDone(): Promise<void> {
    return this.untilOpen('all steps ended', 'true');
  }

  private async until<T>(what: string, look: () => Promise<{ isDone: boolean; seen: number; value: T }>): Promise<T> {
    let [most, movedAt] = [-Infinity, performance.now()];
    for (;;) {
      const { isDone, seen, value } = await look();
      if (isDone) return value;
      if (seen > most) [most, movedAt] = [seen, performance.now()];
      if (performance.now() - movedAt > STALLED_MS) throw new Error(`lanes: ${what}: nothing moves at ${seen}`);
      await pause(20);
    }
  }

  private prefix(): string {
    return `${this.backend}-${(this.parts += 1)}`;
  }

  private async call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const headers = { authorization: `ApiKey ${this.scene.key}`, 'content-type': 'application/json' };
    const answer = await this.http.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

/** Critical messages, and when the emails of the backlog were called. */
type Behind = { what: string; sent: Sent[]; others: number[] };
