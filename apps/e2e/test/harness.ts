import {
  type Channel,
  CHANNELS,
  type EnvironmentId,
  type IntegrationDto,
  type JobDto,
  type MessageDto,
  type NotificationDto,
  type StepId,
  type StepType,
} from '@clarion/contracts';
import { startDelivery } from '@clarion/delivery';
import { EnvironmentAdmin, runGateway } from '@clarion/gateway';
import { Database, EnvironmentRepository } from '@clarion/persistence';
import { createLogger, Health, loadConfig, Metrics, SecretBox } from '@clarion/platform';
import { openResources, type ProcessContext, type Resources, type RunningRole } from '@clarion/runtime';
import {
  createTestDatabase,
  deleteDemoIntegrations,
  type FakeProvider,
  startFakeProvider,
  testQueueBackend,
  uniquePrefix,
} from '@clarion/testing';
import { StepOffers } from '@clarion/queue';
import { startEngine } from '@clarion/workflow';

// A whole Clarion is started for each file, on a machine that may be busy.
jest.setTimeout(60_000);

export type Role = 'engine' | Channel;

export type Answer<T> = { status: number; body: T };

/** All of Clarion in this process, over a database and a queue of its own; providers are played by one fake. */
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
  /** The same, for an answer that must be a success. */
  must<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** A role may be started several times: each is one more of its kind. */
  start(...roles: Role[]): Promise<void>;
  /** All of these kinds. */
  stop(...roles: Role[]): Promise<void>;
  /** `diesBefore` ends it just before a prepared statement, known by its name. */
  startMortal(role: Role, diesBefore?: (statement: string) => boolean): Promise<MortalRole>;
  workflow(workflowId: string, steps: StepInput[], more?: object): Promise<{ _id: string }>;
  integration(providerId: string, channel: Channel, more?: object): Promise<IntegrationDto>;
  /** Posts an event and returns its transactionId. */
  trigger(name: string, to: unknown, more?: object): Promise<string>;
  /** Posts an event for one recipient and waits until its steps have ended. */
  run(name: string, to: unknown, more?: object): Promise<NotificationDto>;
  messages(transactionId: string): Promise<MessageDto[]>;
  /** Steps of a transaction that wait for their time are due now. */
  hurry(transactionId: string): Promise<void>;
  /** What a dead process held is anybody's now, without waiting for its leases. */
  expireLeases(): Promise<void>;
  /** The activity of one trigger, once it satisfies the condition; fails with what it saw last. */
  activity(
    transactionId: string,
    until: (notifications: NotificationDto[]) => boolean,
    timeoutMs?: number,
  ): Promise<NotificationDto[]>;
  close(): Promise<void>;
};

export type StepInput = { type: StepType; name?: string; stepId?: string; controlValues?: object } & Record<
  string,
  unknown
>;

/** A role whose process can end at any moment: from then on nothing it does reaches the database. */
export type MortalRole = { kill(): void };

export type ClarionOptions = {
  roles?: Role[];
  environment?: Record<string, string>;
  providerIds?: string[];
  demoProviders?: boolean;
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
    databaseUrl: test.url,
    queueBackend: testQueueBackend(test.url),
    encryptionKeys: SecretBox.generateKey(),
    logger: createLogger({ level: config.LOG_LEVEL, name: 'e2e', destination }),
    metrics: new Metrics(config.CLARION_METRICS_ENVIRONMENTS),
    health: new Health(),
  };
  const environments = new EnvironmentRepository(test.database);
  const admin = new EnvironmentAdmin(test.database, environments, new SecretBox(context.encryptionKeys));
  const { key } = (await admin.ensureDefaults())!;
  const [environment] = await environments.list((await admin.organization()).id);
  if (!options.demoProviders) await deleteDemoIntegrations(test.database, environment!.id);
  const gateway = await runGateway(context);
  const resources = await openResources(context, 'e2e');
  const running: { role: Role; is: RunningRole }[] = [];
  const dead: Promise<void>[] = [];
  const startRole = (role: Role, context: Resources): Promise<RunningRole> =>
    role === 'engine' ? startEngine(context) : startDelivery(role, context);

  const call = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `ApiKey ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
  const must = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await call<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const clarion: Clarion = {
    url: gateway.url,
    key,
    environmentId: environment!.id,
    database: test.database,
    resources,
    context,
    provider,
    logged,
    call,
    must,
    async start(...roles) {
      for (const role of roles) running.push({ role, is: await startRole(role, resources) });
    },
    async stop(...roles) {
      const ending = running.filter(({ role }) => roles.includes(role));
      for (const one of ending) running.splice(running.indexOf(one), 1);
      await Promise.all(ending.map(({ is }) => is.stop()));
    },
    async startMortal(role, diesBefore = () => false) {
      const database = new MortalDatabase(resources.database.dataSource, diesBefore);
      const is = await startRole(role, { ...resources, database });
      return {
        kill: () => {
          database.kill();
          dead.push(is.stop().catch(() => undefined));
        },
      };
    },
    workflow: (workflowId, steps, more) =>
      must('POST', '/v2/workflows', {
        name: workflowId,
        workflowId,
        active: true,
        steps: steps.map((step) => ({ name: step.stepId ?? step.type, ...step })),
        ...more,
      }),
    integration: (providerId, channel, more) =>
      must('POST', '/v1/integrations', {
        providerId,
        channel,
        active: true,
        credentials: CREDENTIALS[providerId] ?? {},
        ...more,
      }),
    async trigger(name, to, more) {
      const result = await must<{ status: string; transactionId: string }>('POST', '/v1/events/trigger', {
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
      const { data } = await must<{ data: MessageDto[] }>('GET', path);
      return data.toReversed();
    },
    async hurry(transactionId) {
      const steps = await test.database.rows<{ id: StepId; type: StepType; environmentId: EnvironmentId }>(
        `UPDATE step SET due_at = now(), offered_until = now() + interval '3 seconds'
          WHERE environment_id = $1 AND transaction_id = $2 AND state IN ('queued', 'delayed') AND lease_until IS NULL
        RETURNING id, type, environment_id`,
        [clarion.environmentId, transactionId],
      );
      new StepOffers(resources.producer, 'granted').steps(steps);
    },
    async expireLeases() {
      await test.database.query(`UPDATE step SET lease_until = now(), offered_until = NULL WHERE lease_until > now()`);
      await test.database.query(
        `UPDATE trigger SET lease_until = now(), offered_until = now() WHERE lease_until > now()`,
      );
    },
    async activity(transactionId, until, timeoutMs = 15_000) {
      let seen: NotificationDto[] = [];
      const found = await eventually(async () => {
        const path = `/v1/notifications?limit=50&transactionId=${encodeURIComponent(transactionId)}`;
        seen = (await must<{ data: NotificationDto[] }>('GET', path)).data;
        return until(seen);
      }, timeoutMs);
      if (!found) {
        throw new Error(`the activity of ${transactionId} is:\n${describe_(seen)}\n${logged.slice(-20).join('')}`);
      }
      return seen;
    },
    async close() {
      await clarion.stop('engine', ...CHANNELS);
      await Promise.all(dead);
      await resources.close();
      await gateway.close();
      await provider.close();
      await test.drop();
    },
  };
  await clarion.start(...(options.roles ?? (['engine', ...CHANNELS] as Role[])));
  return clarion;
}

/** Asks again until the answer is yes; false when it never was. */
export async function eventually(condition: () => Promise<boolean> | boolean, timeoutMs = 15_000): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const ENDED = ['completed', 'failed', 'canceled', 'skipped', 'merged'];

/** Every step of every notification has ended. */
export const allEnded =
  (count = 1) =>
  (notifications: NotificationDto[]): boolean =>
    notifications.length === count &&
    notifications.every(({ jobs = [] }) => jobs.length > 0 && jobs.every(({ status }) => ENDED.includes(status)));

/** The record of a step as the on-call engineer reads it. */
export const recordOf = (job: JobDto): string[] =>
  job.executionDetails.map(({ status, detail, isRetry }) => `${status}: ${detail}${isRetry ? ' (retry)' : ''}`);

/** Each step with how it ended, and its record. */
export const storyOf = ({ jobs = [] }: NotificationDto): string[][] =>
  jobs.map((job) => [`${job.type} ${job.status}`, ...recordOf(job)]);

const describe_ = (notifications: NotificationDto[]): string =>
  notifications
    .flatMap(({ _id, jobs = [] }) => [
      _id,
      ...jobs.map((job) => `  ${job.type} ${job.status}: ${recordOf(job).join(' | ')}`),
    ])
    .join('\n');

/** The database as a process sees it that can end: afterwards nothing it does gets there. */
class MortalDatabase extends Database {
  private readonly life: { ended: boolean };

  constructor(
    dataSource: Database['dataSource'],
    private readonly diesBefore: (statement: string) => boolean,
  ) {
    const life = { ended: false };
    super(
      new Proxy(dataSource, {
        get: (target, name) => {
          if (life.ended) throw GONE;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
    );
    this.life = life;
  }

  kill(): void {
    this.life.ended = true;
  }

  override async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    if (this.diesBefore(name)) this.kill();
    if (this.life.ended) throw GONE;
    return super.prepared(name, text, values);
  }
}

const GONE = new Error('the process is gone');
