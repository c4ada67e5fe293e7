import { setTimeout as pause } from 'node:timers/promises';
import { Metrics } from '@clarion/platform';
import { type FakeProvider, startFakeProvider } from '@clarion/testing';
import { openAutoscaler } from './autoscaler';
import { EMAIL_STEP, EVENTS } from './pipeline';
import { type Figure, progress } from './report';
import { startRoles } from './roles';
import type { Scene, Stage } from './stage';

export type WaitsOptions = {
  /** Emails for an account with a limit: all of them, and how many are sent before the counts are read. */
  limited: { emails: number; sent: number; perSecond: number }[];
  /** Emails that wait for each of two accounts whose breaker is open, and for how long they are watched. */
  open: { emails: number; seconds: number };
  /** Emails of an account whose key was revoked, and for how long they are watched before the new key. */
  revoked: { emails: number; seconds: number };
};

const OLD_KEY = 'SG.old';
const NEW_KEY = 'SG.new';
const LEAST_PODS = 'the least pods';
const LOOK_MS = 1_000;
const STALLED_MS = 60_000;

/** Emails that were released or are in the memory of the worker, and rows that came back in vain, of a hundred. */
const AHEAD = 32;
const SLACK = 1.05;
/** One probe of each account in 30 s, and the calls of the first messages before the breaker opens. */
const MOST_CALLS = { first: 200, perSecond: 1 };

/**
 * Emails that wait for their account: for its limit of messages a second, for two circuit breakers that stay open, and
 * for a new key after the old one was revoked. It reports counts, which are the same on a busy machine.
 */
export async function waits(stage: Stage, options: WaitsOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const load of options.limited) figures.push(await onTrial(stage, (trial) => limited(trial, load)));
  figures.push(await onTrial(stage, (trial) => open(trial, options.open)));
  figures.push(await onTrial(stage, (trial) => revoked(trial, options.revoked)));
  return figures;
}

async function limited(trial: Trial, { emails, sent, perSecond }: WaitsOptions['limited'][number]): Promise<Figure> {
  const [tenant] = trial.tenants;
  await trial.integrate(tenant!, { configurations: { rateLimit: perSecond } });
  const seen = await trial.watch(`${emails} emails at ${perSecond} a second`, async () => {
    await trial.accept(tenant!, emails);
    await trial.until(async () => (await trial.count(tenant!, 'sent')) >= sent);
  });
  // Each email that is sent is marked; one that has to wait is written when it begins to wait and when it goes on.
  const least = emails + 2 * Math.min(emails, sent + AHEAD);
  return figureOf(
    `${emails} emails for an account with a limit of ${perSecond} a second, until ${sent} are sent`,
    seen,
    `<= ${least} updates, <= ${sent + AHEAD} renders, <= ${emails} details, ${LEAST_PODS}`,
    seen.updates <= SLACK * least &&
      seen.renders <= SLACK * (sent + AHEAD) &&
      seen.details <= emails &&
      seen.pods === seen.leastPods,
  );
}

async function open(trial: Trial, { emails, seconds }: WaitsOptions['open']): Promise<Figure> {
  trial.answer = () => ({ status: 503 });
  for (const tenant of trial.tenants) {
    await trial.integrate(tenant);
    await trial.accept(tenant, emails);
    await trial.until(async () => (await trial.isOpen(tenant)) && (await trial.runnable()) === 0);
  }
  const seen = await trial.watch('two open breakers', () => pause(seconds * 1_000));
  return figureOf(
    `${emails} emails for each of two accounts that cannot be called, ${seconds} s`,
    seen,
    `<= 1 call a second, <= ${emails} updates, ${LEAST_PODS}`,
    seen.calls <= seconds && seen.updates <= emails && seen.pods === seen.leastPods,
  );
}

async function revoked(trial: Trial, { emails, seconds }: WaitsOptions['revoked']): Promise<Figure> {
  const [tenant] = trial.tenants;
  trial.answer = (key) =>
    key === NEW_KEY ? { status: 202, headers: { 'x-message-id': 'one' } } : { status: 401, json: { errors: [] } };
  await trial.integrate(tenant!);
  const seen = await trial.watch('a revoked key', async () => {
    await trial.accept(tenant!, emails);
    await pause(seconds * 1_000);
  });
  await trial.changeKey(tenant!);
  await trial.until(async () => (await trial.count(tenant!, 'sent')) >= emails);
  const failed = await trial.count(tenant!, 'error');
  const most = MOST_CALLS.first + MOST_CALLS.perSecond * seconds;
  const figure = figureOf(
    `${emails} emails for an account whose key was revoked, ${seconds} s; then a new key`,
    seen,
    `<= ${most} calls, ${LEAST_PODS}, 0 failed`,
    seen.calls <= most && seen.pods === seen.leastPods && failed === 0,
  );
  return { ...figure, measured: `${figure.measured}, ${failed} failed and all others sent with the new key` };
}

/** What happened while a load was watched. */
type Seen = Record<'updates' | 'renders' | 'details' | 'calls' | 'pods' | 'leastPods', number>;

const figureOf = (what: string, seen: Seen, goal: string, reached: boolean): Figure => ({
  what,
  measured:
    `${seen.updates} updates, ${seen.renders} renders, ${seen.details} details of waits, ${seen.calls} calls, ` +
    `${seen.pods} pods`,
  goal,
  reached,
  values: seen,
});

type Tenant = { environmentId: string; key: string; integrationId?: string };
type Answer = { status: number; headers?: Record<string, string>; json?: unknown };

async function onTrial(stage: Stage, run: (trial: Trial) => Promise<Figure>): Promise<Figure> {
  const provider = await startFakeProvider({ record: false });
  const scene = await stage.open('waits', {
    gateway: false,
    variables: {
      CLARION_EGRESS_ALLOW: '127.0.0.1',
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: provider.url }),
      LOG_LEVEL: 'error',
    },
  });
  const metrics = new Metrics();
  // In this process, because what a worker renders is only in its own metrics.
  const roles = await startRoles(['gateway', 'engine', 'email'], scene.variables, metrics);
  const trial = new Trial(scene, provider, metrics);
  try {
    await trial.prepare();
    return await run(trial);
  } finally {
    await roles.stop();
    await provider.close();
    await scene.close();
  }
}

class Trial {
  readonly tenants: Tenant[] = [];
  answer: (key: string | undefined) => Answer = () => ({ status: 202, headers: { 'x-message-id': 'one' } });

  constructor(
    private readonly scene: Scene,
    private readonly provider: FakeProvider,
    private readonly metrics: Metrics,
  ) {}

  /** Two environments of the organization with a workflow each. */
  async prepare(): Promise<void> {
    this.provider.always('/v3/mail/send', ({ headers }) => this.answer(headers.authorization?.replace('Bearer ', '')));
    const first = { environmentId: this.scene.environment.id, key: this.scene.key };
    type Created = { _id: string; apiKeys: { key: string }[] };
    const second = await this.call<Created>(first, 'POST', '/v1/environments', { name: 'Second', kind: 'development' });
    this.tenants.push(first, { environmentId: second._id, key: second.apiKeys[0]!.key });
    const body = { name: 'Mail', workflowId: 'mail', steps: [EMAIL_STEP] };
    for (const tenant of this.tenants) await this.call(tenant, 'POST', '/v2/workflows', body);
  }

  async integrate(tenant: Tenant, more: object = {}): Promise<void> {
    const credentials = { apiKey: OLD_KEY, from: 'hello@example.com', senderName: 'Bench' };
    const body = { providerId: 'sendgrid', channel: 'email', active: true, credentials, ...more };
    const { _id } = await this.call<{ _id: string }>(tenant, 'POST', '/v1/integrations', body);
    tenant.integrationId = _id;
  }

  async changeKey({ integrationId, ...tenant }: Tenant): Promise<void> {
    const credentials = { apiKey: NEW_KEY, from: 'hello@example.com', senderName: 'Bench' };
    await this.call(tenant, 'PUT', `/v1/integrations/${integrationId}`, { credentials });
  }

  async accept(tenant: Tenant, emails: number): Promise<void> {
    for (let accepted = 0; accepted < emails; accepted += EVENTS) {
      const events = Array.from({ length: Math.min(EVENTS, emails - accepted) }, (_, at) => ({
        name: 'mail',
        to: { subscriberId: `s-${accepted + at}`, email: `s-${accepted + at}@example.com` },
        payload: { name: 'Ada', order: { id: at } },
      }));
      await this.call(tenant, 'POST', '/v1/events/trigger/bulk', { events });
    }
  }

  async count({ environmentId }: Tenant, status: string): Promise<number> {
    return this.number(`SELECT count(*)::int AS value FROM message WHERE environment_id = $1 AND status = $2`, [
      environmentId,
      status,
    ]);
  }

  async isOpen({ integrationId }: Tenant): Promise<boolean> {
    const open = await this.number(
      `SELECT count(*)::int AS value FROM integration WHERE id = $1 AND health ->> 'state' = 'open'`,
      [integrationId],
    );
    return open > 0;
  }

  /** Open steps and triggers whose time has come. */
  runnable(): Promise<number> {
    return this.number(`SELECT count(*)::int AS value FROM work WHERE due_at <= now()`, []);
  }

  /** Counts what happens meanwhile. */
  async watch(what: string, work: () => Promise<unknown>): Promise<Seen> {
    const autoscaler = await openAutoscaler(this.scene, 'worker-email');
    const before = await this.counts();
    let [pods, isOver] = [0, false];
    const look = async (): Promise<void> => {
      for (let looks = 1; !isOver; looks += 1) {
        pods = Math.max(pods, await autoscaler.podsWanted());
        if (looks % 10 === 0) progress(`waits: ${what}: ${this.provider.count} calls, ${pods} pods`);
        await pause(LOOK_MS);
      }
    };
    try {
      await Promise.all([look(), work().finally(() => (isOver = true))]);
    } finally {
      await autoscaler.stop();
    }
    const after = await this.counts();
    const seen = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]!]));
    return { ...(seen as Seen), pods, leastPods: autoscaler.leastPods };
  }

  private async counts(): Promise<Record<string, number>> {
    const rendered = /^clarion_commit_batch_size_sum\{kind="render"\} (\d+)/m.exec(await this.metrics.expose());
    return {
      updates: await this.number(
        `SELECT n_tup_upd::int AS value FROM pg_stat_user_tables WHERE relid = 'work'::regclass`,
        [],
      ),
      renders: Number(rendered?.[1] ?? 0),
      details: await this.number(
        `SELECT count(*)::int AS value FROM execution_detail WHERE detail LIKE 'Step waits:%'`,
        [],
      ),
      calls: this.provider.count,
    };
  }

  async until(isDone: () => Promise<boolean>): Promise<void> {
    let [calls, movedAt] = [this.provider.count, performance.now()];
    while (!(await isDone())) {
      if (this.provider.count > calls) [calls, movedAt] = [this.provider.count, performance.now()];
      if (performance.now() - movedAt > STALLED_MS) throw new Error(`waits: nothing moves after ${calls} calls`);
      await pause(200);
    }
  }

  private async number(sql: string, parameters: unknown[]): Promise<number> {
    const [row] = await this.scene.database.query<{ value: number }>(sql, parameters);
    return row!.value;
  }

  private async call<T>({ key }: Tenant, method: 'POST' | 'PUT', path: string, body: object): Promise<T> {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(this.scene.url + path, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}
