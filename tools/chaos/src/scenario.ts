import { setTimeout as delay } from 'node:timers/promises';
import type { EnvironmentId } from '@clarion/contracts';
import { acknowledgedOf, check, type CheckOptions, doubledCalls, type Fault } from './checker';
import type { History, WorkflowFacts } from './history';
import { type Load, type LoadOptions, openLoad } from './load';
import { DIGEST_MARK, mark } from './provider';
import { countOpen, readRecords } from './records';
import type { World } from './world';

export const TIMER_SECONDS = 6;

const EMAIL = { type: 'email', name: 'mail', stepId: 'mail', controlValues: { subject: mark('mail'), body: 'Hello.' } };
const TIMER = { type: 'regular', amount: TIMER_SECONDS, unit: 'seconds' };

type WorkflowStep = { type: string; name: string; stepId: string; controlValues: object };

/** The workflows of the experiments, and what each promises. */
const WORKFLOWS = {
  mail: { facts: { steps: [{ key: 'mail', type: 'email' }] }, steps: [EMAIL] },
  mixed: {
    facts: {
      steps: [
        { key: 'inbox', type: 'in_app' },
        { key: 'mail', type: 'email' },
        { key: 'text', type: 'sms' },
      ],
    },
    steps: [
      { type: 'in_app', name: 'inbox', stepId: 'inbox', controlValues: { body: mark('inbox') } },
      EMAIL,
      { type: 'sms', name: 'text', stepId: 'text', controlValues: { body: mark('text') } },
    ],
  },
  inbox: {
    facts: { steps: [{ key: 'inbox', type: 'in_app' }] },
    steps: [{ type: 'in_app', name: 'inbox', stepId: 'inbox', controlValues: { body: mark('inbox') } }],
  },
  delayed: {
    facts: {
      steps: [
        { key: 'wait', type: 'delay' },
        { key: 'mail', type: 'email' },
      ],
      timerMs: TIMER_SECONDS * 1000,
    },
    steps: [{ type: 'delay', name: 'wait', stepId: 'wait', controlValues: TIMER }, EMAIL],
  },
  digested: {
    facts: {
      steps: [
        { key: 'collect', type: 'digest' },
        { key: 'mail', type: 'email' },
      ],
    },
    steps: [
      { type: 'digest', name: 'collect', stepId: 'collect', controlValues: TIMER },
      { ...EMAIL, controlValues: { subject: mark('mail'), body: DIGEST_MARK } },
    ],
  },
} satisfies Record<string, { facts: WorkflowFacts; steps: WorkflowStep[] }>;

export type WorkflowName = keyof typeof WORKFLOWS;

/** Resend reads an idempotency key, SendGrid none. */
export type EmailProvider = 'sendgrid' | 'resend';

export type ScenarioOptions = {
  world: World;
  /** Unique in the run; the transactionIds begin with it. */
  name: string;
  workflows: WorkflowName[];
  emailProvider?: EmailProvider;
  /** Messages a second of the email integration. */
  rateLimit?: number;
  /** Additional steps to prepare the environment. */
  load: Pick<LoadOptions, 'perSecond' | 'bulk'> & Partial<Pick<LoadOptions, 'event' | 'onAnswer'>>;
};

export type Finished = {
  history: History;
  faults: Fault[];
  acknowledged: number;
  /** Accepted calls beyond the first for each message. */
  doubled: number;
  flagged: number;
  drainedMs: number;
};

export type Scenario = {
  name: string;
  environmentId: EnvironmentId;
  key: string;
  /** The account of its email integration in the log of the provider. */
  account: string;
  load: Load;
  /** The number of open rows. */
  open(): Promise<number>;
  /** Waits until nothing is open, and compares everything. */
  finish(options?: CheckOptions & { deadlineMs?: number }): Promise<Finished>;
};

const DRAIN_DEADLINE_MS = 240_000;
const SUBSCRIBERS = 200;

/** An environment with integrations, workflows and a caller. */
export async function openScenario(options: ScenarioOptions): Promise<Scenario> {
  const { world, name, workflows, emailProvider = 'sendgrid', rateLimit = 0 } = options;
  const { id, key } = await world.createEnvironment(name);
  const account = `account-${name}`;
  const sender = { from: 'hello@chaos.test', senderName: 'Chaos' };
  await world.call(key, 'POST', '/v1/integrations', {
    providerId: emailProvider,
    channel: 'email',
    active: true,
    credentials: { apiKey: account, ...sender },
    configurations: { rateLimit },
  });
  await world.call(key, 'POST', '/v1/integrations', {
    providerId: 'twilio',
    channel: 'sms',
    active: true,
    credentials: { accountSid: `AC${name}`, token: 'token', from: '+15550000000' },
  });
  for (const workflowId of workflows) {
    const { steps } = WORKFLOWS[workflowId];
    await world.call(key, 'POST', '/v2/workflows', { name: workflowId, workflowId, active: true, steps });
  }
  const prefix = `${name}-`;
  const load = openLoad({
    gateways: world.gateways,
    key,
    prefix,
    event: (n) => ({ workflow: workflows[n % workflows.length]!, subscribers: [`s-${n % SUBSCRIBERS}`] }),
    ...options.load,
  });
  const open = (): Promise<number> => countOpen(world.stores, [id]);
  return {
    name,
    environmentId: id,
    key,
    account,
    load,
    open,
    async finish({ deadlineMs = DRAIN_DEADLINE_MS, ...checkOptions } = {}) {
      const begin = Date.now();
      while ((await open()) > 0 && Date.now() - begin < deadlineMs) await delay(250);
      const drainedMs = Date.now() - begin;
      const history: History = {
        events: load.events,
        responses: load.responses,
        calls: world.provider.calls(prefix),
        records: await readRecords(world.stores, id),
        workflows: Object.fromEntries(workflows.map((workflow) => [workflow, WORKFLOWS[workflow].facts])),
      };
      const faults = check(history, checkOptions);
      for (const event of history.events) world.note({ event });
      for (const call of history.calls) world.note({ call });
      for (const fault of faults) world.note({ fault });
      return {
        history,
        faults,
        acknowledged: acknowledgedOf(history.events),
        doubled: doubledCalls(history),
        flagged: history.records.steps.filter(({ flaggedResends }) => flaggedResends > 0).length,
        drainedMs,
      };
    },
  };
}
