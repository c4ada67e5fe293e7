import {
  type Channel,
  CHANNELS,
  type EnvironmentId,
  type IntegrationDto,
  type JobDto,
  type Lane,
  type MessageDto,
  type NotificationDto,
  type StepId,
  type StepType,
} from '@clarion/contracts';
import { TemplateRenderer } from '@clarion/content';
import { EngineModule } from '@clarion/engine';
import { runGateway, type RunningGateway } from '@clarion/gateway';
import { Database } from '@clarion/persistence';
import { createLogger, Health, loadConfig, Metrics, SecretBox } from '@clarion/platform';
import { openResources, type ProcessContext, type Resources, startRole } from '@clarion/runtime';
import {
  createTestDatabase,
  deleteDemoIntegrations,
  type FakeProvider,
  startFakeProvider,
  startFewRenderProcesses,
  testQueueBackend,
  uniquePrefix,
  until,
} from '@clarion/testing';
import { type QueueBackend, QueueProducer, StepOffers } from '@clarion/queue';
import { ChatModule } from '@clarion/worker-chat';
import { EmailModule } from '@clarion/worker-email';
import { InAppModule } from '@clarion/worker-in-app';
import { PushModule } from '@clarion/worker-push';
import { SmsModule } from '@clarion/worker-sms';
import type { Pool } from 'pg';
import { createDefaults } from './processes';

export type Role = 'engine' | Channel;

/** The module of each role. */
export const ROLES = {
  engine: EngineModule,
  in_app: InAppModule,
  email: EmailModule,
  sms: SmsModule,
  chat: ChatModule,
  push: PushModule,
};

export type Answer<T> = { status: number; body: T };

/** All roles of Clarion in this process, with a new database and queue. One fake stands for all providers. */
export type Clarion = {
  url: string;
  key: string;
  environmentId: EnvironmentId;
  database: Database;
  resources: Resources;
  context: ProcessContext;
  provider: FakeProvider;
  logged: string[];
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** Sends a request, fails unless the response is a success, and returns its body. */
  callOk<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Starts these roles. A role may be started several times. */
  start(...roles: Role[]): Promise<void>;
  /** Stops every running instance of these roles. */
  stop(...roles: Role[]): Promise<void>;
  /** Starts a role that can be killed. `killBefore` gets the name of each prepared statement before it runs. */
  startKillable(role: Role, killBefore?: (statement: string) => boolean): Promise<KillableRole>;
  workflow(workflowId: string, steps: StepInput[], more?: object): Promise<{ _id: string }>;
  integration(providerId: string, channel: Channel, more?: object): Promise<IntegrationDto>;
  /** Posts an event and returns its transactionId. */
  trigger(name: string, to: unknown, more?: object): Promise<string>;
  /** Posts an event for one recipient and waits until its steps have ended. */
  run(name: string, to: unknown, more?: object): Promise<NotificationDto>;
  messages(transactionId: string): Promise<MessageDto[]>;
  /** Makes the waiting steps of a transaction due now. */
  makeDue(transactionId: string): Promise<void>;
  /** Ends all leases, so that the work of a killed process can be claimed at once. */
  expireLeases(): Promise<void>;
  /** Waits until the activity of a trigger satisfies the condition. The error shows the last activity. */
  activity(transactionId: string, condition: (notifications: NotificationDto[]) => boolean): Promise<NotificationDto[]>;
  close(): Promise<void>;
};

export type StepInput = { type: StepType; name?: string; stepId?: string; controlValues?: object } & Record<
  string,
  unknown
>;

/** A role that can be killed. Afterwards none of its statements reaches the database. */
export type KillableRole = { kill(): void };

export type ClarionOptions = {
  roles?: Role[];
  environment?: Record<string, string>;
  providerIds?: string[];
  demoProviders?: boolean;
  /** Another way to the test database, for example through a pooler. */
  route?: (databaseUrl: string) => string;
  /** Instead of the queue backend under test. */
  queueBackend?: QueueBackend;
};

const CREDENTIALS: Record<string, object> = {
  sendgrid: { apiKey: 'SG.key', from: 'hello@clarion.test', senderName: 'Clarion' },
  resend: { apiKey: 're_key', from: 'hello@clarion.test', senderName: 'Clarion' },
  mailgun: {
    apiKey: 'mg-key',
    user: 'api',
    baseUrl: 'https://api.mailgun.net',
    domain: 'clarion.test',
    from: 'hello@clarion.test',
    senderName: 'Clarion',
  },
  twilio: { accountSid: 'AC1', token: 'twilio-token', from: '+15550000000' },
  nexmo: { apiKey: 'nx-key', secretKey: 'nx-secret', from: '+15550000001' },
  slack: { applicationId: 'A1', clientId: 'C1', secretKey: 'slack-secret' },
  expo: { apiKey: 'expo-key' },
  'one-signal': { applicationId: 'app-1', apiKey: 'os-key' },
};

const PROVIDERS = ['sendgrid', 'resend', 'mailgun', 'twilio', 'nexmo', 'slack', 'discord', 'expo', 'one-signal', 'fcm'];

export async function startClarion(options: ClarionOptions = {}): Promise<Clarion> {
  const test = await createTestDatabase();
  const provider = await startFakeProvider();
  const urls = Object.fromEntries((options.providerIds ?? PROVIDERS).map((id) => [id, provider.url]));
  const config = loadConfig([], {
    PORT: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    CLARION_QUEUE_PREFIX: uniquePrefix(),
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify(urls),
    ...options.environment,
  });
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const context: ProcessContext = {
    config,
    databaseUrl: options.route?.(test.url) ?? test.url,
    queueBackend: options.queueBackend ?? testQueueBackend(test.url),
    encryptionKeys: SecretBox.generateKey(),
    logger: createLogger({ level: config.LOG_LEVEL, name: 'e2e', destination }),
    metrics: new Metrics(config.CLARION_METRICS_ENVIRONMENTS),
    health: new Health(),
  };
  const { key, environment } = await createDefaults(test, context.encryptionKeys);
  if (!options.demoProviders) await deleteDemoIntegrations(test.database, environment.id);
  const gateway = await runGateway(context);
  startFewRenderProcesses(gateway.app.get(TemplateRenderer));
  const resources = await openResources(context, 'e2e');
  let statements = 0;
  (resources.database.dataSource.driver as unknown as { master: Pool }).master.on('release', () => (statements += 1));
  const running: { role: Role; instance: { close(): Promise<void> } }[] = [];
  const killed: Promise<void>[] = [];

  const call = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `ApiKey ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
  const callOk = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    let answer = await call<T>(method, path, body);
    // On a busy machine a statement may take longer than the gateway waits. A client reads again, as the answer asks.
    const isReadAgain = async () => (answer = await call<T>(method, path)).status !== 503;
    if (method === 'GET' && answer.status === 503) await until(isReadAgain);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const clarion: Clarion = {
    url: gateway.url,
    key,
    environmentId: environment.id,
    database: test.database,
    resources,
    context,
    provider,
    logged,
    call,
    callOk,
    async start(...roles) {
      for (const role of roles) running.push({ role, instance: await startRole(ROLES[role], resources) });
    },
    async stop(...roles) {
      const ending = running.filter(({ role }) => roles.includes(role));
      for (const entry of ending) running.splice(running.indexOf(entry), 1);
      await Promise.all(ending.map(({ instance }) => instance.close()));
    },
    async startKillable(role, killBefore = () => false) {
      const database = new KillableDatabase(resources.database.dataSource, killBefore);
      const instance = await startRole(ROLES[role], { ...resources, database });
      return {
        kill: () => {
          database.kill();
          killed.push(instance.close().catch(() => undefined));
        },
      };
    },
    workflow: (workflowId, steps, more) =>
      callOk('POST', '/v2/workflows', {
        name: workflowId,
        workflowId,
        active: true,
        steps: steps.map((step) => ({ name: step.stepId ?? step.type, ...step })),
        ...more,
      }),
    integration: (providerId, channel, more) =>
      callOk('POST', '/v1/integrations', {
        providerId,
        channel,
        active: true,
        credentials: CREDENTIALS[providerId] ?? {},
        ...more,
      }),
    async trigger(name, to, more) {
      const result = await callOk<{ status: string; transactionId: string }>('POST', '/v1/events/trigger', {
        name,
        to,
        ...more,
      });
      if (result.status !== 'processed') throw new Error(`the event was not accepted: ${JSON.stringify(result)}`);
      return result.transactionId;
    },
    async run(name, to, more) {
      const [notification] = await clarion.activity(await clarion.trigger(name, to, more), allEnded());
      return notification!;
    },
    async messages(transactionId) {
      const path = `/v1/messages?limit=100&transactionId=${encodeURIComponent(transactionId)}`;
      const { data } = await callOk<{ data: MessageDto[] }>('GET', path);
      return data.toReversed();
    },
    async makeDue(transactionId) {
      const steps = await test.database.rows<{ id: StepId; type: StepType; environmentId: EnvironmentId; lane: Lane }>(
        `UPDATE work w SET due_at = now(), offered_at = now() FROM trigger t
          WHERE w.environment_id = $1 AND w.type <> 'trigger' AND t.id = w.trigger_id AND t.transaction_id = $2
            AND w.claim_id IS NULL
        RETURNING w.id, w.type, w.environment_id, w.lane`,
        [clarion.environmentId, transactionId],
      );
      new StepOffers(new QueueProducer(resources.queueConnection)).steps(steps);
    },
    async expireLeases() {
      await test.database.query(`UPDATE claim SET lease_until = now()`);
      // Engines of the specs start and stop: the time without a sweeper is no outage.
      await test.database.query(`DELETE FROM sweep`);
    },
    async activity(transactionId, condition) {
      const path = `/v1/notifications?limit=50&transactionId=${encodeURIComponent(transactionId)}`;
      let seen: NotificationDto[] = [];
      let read = -1;
      let seenBefore = -1;
      let looks = 0;
      const holds = async (): Promise<boolean> => {
        const isWorking = seenBefore !== statements;
        seenBefore = statements;
        looks += 1;
        if ((isWorking || read === statements) && looks % LOOKS !== 1) return false;
        read = statements;
        seen = (await callOk<{ data: NotificationDto[] }>('GET', path)).data;
        return condition(seen);
      };
      await until(holds).catch((error: Error) => {
        const lines = logged.slice(-20).join('');
        throw new Error(`${error.message}\nthe activity of ${transactionId}:\n${describeActivity(seen)}\n${lines}`);
      });
      return seen;
    },
    async close() {
      await clarion.stop('engine', ...CHANNELS);
      await Promise.all(killed);
      await resources.close();
      await gateway.close();
      await provider.close();
      await test.drop();
    },
  };
  await clarion.start(...(options.roles ?? (['engine', ...CHANNELS] as Role[])));
  return clarion;
}

/**
 * The activity is read at once, again when the roles have sent statements and pause, and every so often: the gateway
 * can change it too. To read it costs more than most steps do.
 */
const LOOKS = 10;

const ENDED = ['completed', 'failed', 'canceled', 'skipped', 'merged'];

/** Whether there are `count` notifications and every step has ended. */
export const allEnded =
  (count = 1) =>
  (notifications: NotificationDto[]): boolean =>
    notifications.length === count &&
    notifications.every(({ jobs = [] }) => jobs.length > 0 && jobs.every(({ status }) => ENDED.includes(status)));

/** The execution details of a step, one line each. */
export const detailsOf = (job: JobDto): string[] =>
  job.executionDetails.map(({ status, detail, isRetry }) => `${status}: ${detail}${isRetry ? ' (retry)' : ''}`);

/** Type, status and execution details of each step. */
export const historyOf = ({ jobs = [] }: NotificationDto): string[][] =>
  jobs.map((job) => [`${job.type} ${job.status}`, ...detailsOf(job)]);

const describeActivity = (notifications: NotificationDto[]): string =>
  notifications
    .flatMap(({ _id, jobs = [] }) => [
      _id,
      ...jobs.map((job) => `  ${job.type} ${job.status}: ${detailsOf(job).join(' | ')}`),
    ])
    .join('\n');

/** A database that rejects everything after `kill`, like the database of a process that has ended. */
class KillableDatabase extends Database {
  private readonly state: { killed: boolean };

  constructor(
    dataSource: Database['dataSource'],
    private readonly killBefore: (statement: string) => boolean,
  ) {
    const state = { killed: false };
    super(
      new Proxy(dataSource, {
        get: (target, name) => {
          if (state.killed) throw KILLED;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
    );
    this.state = state;
  }

  kill(): void {
    this.state.killed = true;
  }

  override async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    if (this.killBefore(name)) this.kill();
    if (this.state.killed) throw KILLED;
    return super.prepared(name, text, values);
  }
}

const KILLED = new Error('the process was killed');

/** A second gateway on the same database and queue, as another pod. */
export const startAnotherGateway = ({ context }: Clarion, port = 0): Promise<RunningGateway> =>
  runGateway({
    ...context,
    config: { ...context.config, PORT: port },
    metrics: new Metrics(),
    health: new Health(),
  });
