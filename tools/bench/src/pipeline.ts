import { Pool as HttpPool } from 'undici';
import type { Pool } from 'pg';
import { idAtTime } from '@clarion/contracts';
import { countEnded } from './progress-sql';
import { progress } from './report';
import { type Process, startProcess } from './processes';
import { openPool, type Scene, type Stage, type Tree } from './stage';

/** Events per bulk call. */
export const EVENTS = 100;
const CALLERS = 4;
/** Concurrent callers that post one event at a time. */
const LONE_CALLERS = 32;
const SUBSCRIBERS = 1_000;
/** Longer than any step takes, unless the pipeline is stuck. */
const STALLED_MS = 60_000;
const TELL_MS = 5_000;
const LOOK_MS = 500;

/** A workflow with one step, and its subscribers, driven through the gateway. */
export class Pipeline {
  private constructor(
    private readonly scene: Scene,
    private readonly http: HttpPool,
    readonly sql: Pool,
    readonly subscriberIds: string[],
    private readonly bodies: string[],
    private readonly workflowId: string,
  ) {}

  static async open(scene: Scene, workflowId: string, step: object): Promise<Pipeline> {
    const sql = openPool(scene, 2);
    const http = new HttpPool(scene.url, { connections: LONE_CALLERS });
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO subscriber (id, environment_id, subscriber_id, first_name, email)
       SELECT uuid_v7(), $1, $2 || '-' || n, 'Ada', 'user' || n || '@example.com'
         FROM generate_series(1, ${SUBSCRIBERS}) n
       RETURNING id`,
      [scene.environment.id, workflowId],
    );
    const bodies = Array.from({ length: SUBSCRIBERS / EVENTS }, (_, body) =>
      JSON.stringify({
        events: Array.from({ length: EVENTS }, (__, at) => eventOf(workflowId, body * EVENTS + at + 1)),
      }),
    );
    const ids = rows.map(({ id }) => id);
    const pipeline = new Pipeline(scene, http, sql, ids, bodies, workflowId);
    await call(http, scene, '/v2/workflows', JSON.stringify({ name: workflowId, workflowId, steps: [step] }));
    return pipeline;
  }

  /** Notifications per second, from the first call to the last recorded outcome. */
  async deliver(count: number, what: string, how: 'bulk' | 'lone' = 'bulk'): Promise<number> {
    const first = idAtTime(Date.now() - 1);
    const begin = performance.now();
    const accepting = how === 'bulk' ? this.accept(count) : this.acceptLone(count);
    await Promise.all([accepting, this.untilDone(first, count, what)]);
    return count / ((performance.now() - begin) / 1000);
  }

  /** Triggers this many events, in bulk calls of several callers. */
  async accept(count: number): Promise<void> {
    let left = count / EVENTS;
    const caller = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const answer = await call(
          this.http,
          this.scene,
          '/v1/events/trigger/bulk',
          this.bodies[left % this.bodies.length]!,
        );
        const processed = answer.split('"status":"processed"').length - 1;
        if (processed !== EVENTS) throw new Error(`only ${processed} of ${EVENTS} events were accepted: ${answer}`);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  private async acceptLone(count: number): Promise<void> {
    let left = count;
    const caller = async (): Promise<void> => {
      while (left > 0) await this.triggerOne((left -= 1));
    };
    await Promise.all(Array.from({ length: LONE_CALLERS }, caller));
  }

  /** One trigger for one subscriber. */
  triggerOne(number: number): Promise<void> {
    return this.trigger(eventOf(this.workflowId, 1 + (number % SUBSCRIBERS)));
  }

  async trigger(event: object): Promise<void> {
    await call(this.http, this.scene, '/v1/events/trigger', JSON.stringify(event));
  }

  /** Polls the rows, more often near the end; polling must cost little compared to the work. */
  async untilDone(first: string, count: number, what: string): Promise<void> {
    const begin = performance.now();
    let [seen, movedAt, toldAt] = [0, begin, begin];
    for (;;) {
      const now = performance.now();
      const done = await this.countDone(first, what);
      if (done >= count) return;
      if (done > seen) [seen, movedAt] = [done, now];
      if (now - movedAt > STALLED_MS) throw new Error(`${what}: ${done} of ${count} are done, and nothing moves`);
      if (now - toldAt > TELL_MS) {
        progress(`${what}: ${done} of ${count}`);
        toldAt = now;
      }
      const rest = done === 0 ? LOOK_MS : ((now - begin) / done) * (count - done) * 0.5;
      await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(rest, 10), 2_000)));
    }
  }

  /** The number of completed steps with this id or a later one; throws when one has failed. */
  async countDone(first: string, what: string): Promise<number> {
    const { completed, others } = await countEnded(this.sql, this.scene.environment.id, first);
    const other = others[0];
    if (other) throw new Error(`${what}: ${other.count} steps are ${other.state}`);
    return completed;
  }

  async close(): Promise<void> {
    await this.http.close();
    await this.sql.end();
  }
}

const eventOf = (workflowId: string, number: number): object => ({
  name: workflowId,
  to: [`${workflowId}-${number}`],
  payload: {
    name: `Customer ${number}`,
    order: { id: number, total: 12.5, items: ['book', 'pen'] },
    link: 'https://example.com/orders',
  },
});

async function call(http: HttpPool, scene: Scene, path: string, body: string): Promise<string> {
  const answer = await http.request({
    method: 'POST',
    path,
    headers: { authorization: `ApiKey ${scene.key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return text;
}

export const IN_APP_STEP = {
  name: 'In-app',
  type: 'in_app',
  controlValues: { subject: 'Order {{payload.order.id}}', body: 'Hello {{payload.name}}' },
};

export const EMAIL_STEP = {
  name: 'Email',
  type: 'email',
  controlValues: {
    subject: 'Order {{payload.order.id}}',
    body: '<p>Hello {{payload.name}}, your order {{payload.order.id}} is on its way.</p>',
  },
};

/** A provider that answers at once, unless a delay is set. */
export type Provider = {
  url: string;
  process: Process;
  /** The time of the next call, in milliseconds since 1970; requires `tell`. */
  nextCall(): Promise<number>;
};

/** The target of emails: an API with one call per email, or a mail server. */
export type EmailProvider = 'sendgrid' | 'nodemailer';

const SENDER = { from: 'hello@example.com', senderName: 'Bench' };
const EMAIL_PROVIDERS = {
  sendgrid: { name: 'SendGrid', fake: 'fake-process', credentials: { apiKey: 'SG.bench', ...SENDER } },
  nodemailer: {
    name: 'Mail server',
    fake: 'fake-smtp-process',
    credentials: { host: 'mail.example.com', port: '25', ...SENDER },
  },
};

export type EmailSceneOptions = {
  providerId?: EmailProvider;
  /** Arguments of the provider process; see `fake-process`. */
  words?: string[];
  /** False when the caller starts the gateway; then the caller also adds the integration. */
  gateway?: boolean;
  tree?: Tree | undefined;
  /** More variables of the processes; some name the URL of the provider, which answers every call. */
  variables?: ((providerUrl: string) => Record<string, string>) | undefined;
};

/** A scene whose emails go to a fake provider in a separate process. */
export async function openEmailScene(
  stage: Stage,
  name: string,
  { providerId = 'sendgrid', words = [], gateway = true, tree, variables: more }: EmailSceneOptions = {},
): Promise<{ scene: Scene; provider: Provider; close(): Promise<void> }> {
  const { process: fake, word } = await startProcess<{ url: string }>(EMAIL_PROVIDERS[providerId].fake, words);
  const variables = {
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify({ [providerId]: word.url }),
    ...more?.(word.url),
  };
  const scene = await stage.open(name, { variables, gateway, tree });
  if (gateway) await addIntegration(scene, providerId);
  return {
    scene,
    provider: {
      url: word.url,
      process: fake,
      nextCall: () =>
        new Promise((resolve) => {
          const stop = fake.listen((message) => {
            stop();
            resolve((message as { calledAt: number }).calledAt);
          });
        }),
    },
    async close() {
      await scene.close();
      await fake.stop();
    },
  };
}

export async function addIntegration(scene: Scene, providerId: EmailProvider = 'sendgrid'): Promise<void> {
  const { name, credentials } = EMAIL_PROVIDERS[providerId];
  await post(scene, '/v1/integrations', { name, providerId, channel: 'email', active: true, credentials });
}

/** What happens in the environment of the scene is sent to this URL. */
export const addWebhookEndpoint = (scene: Scene, url: string): Promise<void> =>
  post(scene, '/v1/webhook-endpoints', { url });

async function post(scene: Scene, path: string, body: object): Promise<void> {
  const http = new HttpPool(scene.url);
  await call(http, scene, path, JSON.stringify(body));
  await http.close();
}
