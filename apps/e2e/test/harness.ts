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
import { EngineModule } from '@clarion/engine';
import { runGateway, type RunningGateway } from '@clarion/gateway';
import { Database, type Environment } from '@clarion/persistence';
import { Health, Metrics } from '@clarion/platform';
import { type ProcessContext, type Resources, startRole } from '@clarion/runtime';
import { deleteDemoIntegrations, type FakeProvider, unrefHandles, until } from '@clarion/testing';
import { QueueProducer, StepOffers } from '@clarion/queue';
import { ChatModule } from '@clarion/worker-chat';
import { EmailModule } from '@clarion/worker-email';
import { InAppModule } from '@clarion/worker-in-app';
import { PushModule } from '@clarion/worker-push';
import { SmsModule } from '@clarion/worker-sms';
import { openStage, type Stage, type StageOptions } from './stage';

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

/** Roles of Clarion in this process, and an environment. One fake stands for all providers. */
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

type Options = {
  roles?: Role[];
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

let shared: Promise<Stage> | undefined;

/**
 * Starts roles for a new organization. The spec files of a worker share the database, the gateway and the providers.
 * `close` stops the roles, and deletes the work that is left, so that it does not run in another file.
 */
export async function startClarion(options: Options = {}): Promise<Clarion> {
  const stage = await (shared ??= openStage());
  stage.provider.reset();
  stage.logged.length = 0;
  // While no file runs roles there is no outage.
  await stage.database.query('DELETE FROM sweep');
  const made = await stage.admin.createOrganization('Spec', { name: 'Development', type: 'dev' });
  return startRoles(stage, options, made, async () => {
    for (const table of ['work', 'claim', 'hold', 'bulk_action', 'webhook_endpoint', 'new_log_entry', 'new_log_batch'])
      await stage.database.query(`DELETE FROM ${table}`);
    await unrefHandles();
  });
}

/**
 * The same with a separate database and gateway, for specs that need other variables, count what the whole installation
 * does, or change what all organizations share. Its organization is the first one.
 */
export async function startOwnClarion(options: Options & StageOptions = {}): Promise<Clarion> {
  const stage = await openStage(options);
  return startRoles(stage, options, (await stage.admin.ensureDefaults())!, () => stage.close());
}

async function startRoles(
  { admin: _admin, statements, close: _close, ...stage }: Stage,
  options: Options,
  { environment, key }: { environment: Environment; key: string },
  end: () => Promise<void>,
): Promise<Clarion> {
  const { url, database, resources, logged } = stage;
  if (!options.demoProviders) await deleteDemoIntegrations(database, environment.id);
  const running: { role: Role; instance: { close(): Promise<void> } }[] = [];
  const killed: Promise<void>[] = [];

  const call = async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `ApiKey ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
  const callOk = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await call<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const clarion: Clarion = {
    ...stage,
    key,
    environmentId: environment.id,
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
      const killable = new KillableDatabase(resources.database.dataSource, killBefore);
      const instance = await startRole(ROLES[role], { ...resources, database: killable });
      return {
        kill: () => {
          killable.kill();
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
      const steps = await database.rows<{ id: StepId; type: StepType; environmentId: EnvironmentId; lane: Lane }>(
        `UPDATE work w SET due_at = now(), offered_at = now() FROM trigger t
          WHERE w.environment_id = $1 AND w.type <> 'trigger' AND t.id = w.trigger_id AND t.transaction_id = $2
            AND w.claim_id IS NULL
        RETURNING w.id, w.type, w.environment_id, w.lane`,
        [clarion.environmentId, transactionId],
      );
      new StepOffers(new QueueProducer(resources.queueConnection)).steps(steps);
    },
    async expireLeases() {
      await database.query(`UPDATE claim SET lease_until = now()`);
      // Engines of the specs start and stop: the time without a sweeper is no outage.
      await database.query(`DELETE FROM sweep`);
    },
    async activity(transactionId, condition) {
      const path = `/v1/notifications?limit=50&transactionId=${encodeURIComponent(transactionId)}`;
      let seen: NotificationDto[] = [];
      let read = -1;
      let seenBefore = -1;
      let looks = 0;
      const holds = async (): Promise<boolean> => {
        const isWorking = seenBefore !== statements();
        seenBefore = statements();
        looks += 1;
        if ((isWorking || read === statements()) && looks % LOOKS !== 1) return false;
        read = statements();
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
      await end();
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
