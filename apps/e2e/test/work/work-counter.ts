import { AsyncLocalStorage } from 'node:async_hooks';
import { type Command, Redis } from 'ioredis';
import { type JobOffer, QueueProducer } from '@clarion/queue';
import { interceptStatements } from '@clarion/testing';

/** Longer than a write waits for others to share its statement. */
const QUIET_MS = 15;
/** A connection of a role has this application name. */
const APPLICATION = /^clarion-(gateway|engine|worker|webhooks)$/;
/** The first statement of the work on a job. */
const CLAIM = /^claim-(triggers|timers|\w+-steps)$/;
/** The role of what a spec itself does: it does not count. */
const SPEC = 'spec';

export type Role = 'gateway' | 'engine' | 'worker' | 'webhooks';

/** What was sent, by role; jobs by queue. */
export type Sent = {
  statements: Record<string, string[]>;
  commands: Record<string, string[]>;
  jobs: Record<string, string[]>;
};

const nothing = (): Sent => ({ statements: {}, commands: {}, jobs: {} });

/**
 * Counts what the roles in this process send to Postgres and to Redis. A claim is sent only when everything else has
 * come to rest: so a batch never meets another one, and how statements are shared does not depend on the machine.
 */
export class WorkCounter {
  private sent = nothing();
  /** Statements and commands that are not answered. */
  private inFlight = 0;
  /** Statements and commands that were sent or answered. */
  private activity = 0;
  private lastClaim: Promise<unknown> = Promise.resolve();
  private readonly roles = new AsyncLocalStorage<string>();
  private readonly ends = [this.watchStatements(), this.watchCommands(), this.watchJobs()];
  /** The name of the database whose statements count. */
  database: string | undefined;

  /** `held`: the number of steps that the workers hold. */
  constructor(private readonly held: () => number) {}

  /** Connections to Redis that the work opens belong to this role. */
  as<T>(role: Role | typeof SPEC, work: () => T): T {
    return this.roles.run(role, work);
  }

  /** Everything that was sent since the last call. */
  take(): Sent {
    const taken = this.sent;
    this.sent = nothing();
    return taken;
  }

  /** Resolves when everything is answered, nothing follows, and no step is held. */
  async quiet(): Promise<void> {
    let seen = -1;
    while (seen !== this.activity || this.inFlight > 0 || this.held() > 0) {
      seen = this.activity;
      // eslint-disable-next-line clarion/no-restricted-syntax -- until nothing was sent for so long
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
  }

  stop(): void {
    for (const end of this.ends) end();
  }

  private watchStatements(): () => void {
    return interceptStatements(({ client, application, name, text }, send) => {
      const role = client.database === this.database ? APPLICATION.exec(application)?.[1] : undefined;
      if (role === undefined) return send();
      add(this.sent.statements, role, name ?? text.replace(/\s+/g, ' ').trim().slice(0, 60));
      const sendNow = (): unknown => {
        const answer = send();
        // A statement with a callback has no promise.
        return answer instanceof Promise ? this.follow(answer) : answer;
      };
      if (!CLAIM.test(name ?? '')) return sendNow();
      const claim = this.lastClaim.then(() => this.quiet()).then(sendNow);
      // The claimed steps count as held a little later.
      this.lastClaim = claim.then(someTurns, someTurns);
      return claim;
    });
  }

  private watchCommands(): () => void {
    const { connect, sendCommand } = Redis.prototype;
    const roleOf = new WeakMap<Redis, string>();
    const onConnect = (redis: Redis): void => {
      const role = this.roles.getStore();
      if (role !== undefined) roleOf.set(redis, role);
    };
    const onCommand = (redis: Redis, command: Command): void => {
      const role = roleOf.get(redis);
      const name = nameOf(redis, command);
      // An idle worker waits for a job for some seconds, looks for one and waits again. Only a look that finds one
      // counts.
      if (role === undefined || name === 'bzpopmin') return;
      const count = (): void => add(this.sent.commands, role, name);
      if (name !== 'moveToActive') count();
      void this.follow(command.promise as Promise<unknown>).then(
        (answer) => name === 'moveToActive' && Array.isArray(answer) && answer[0] && count(),
        () => undefined,
      );
    };
    Redis.prototype.connect = function (this: Redis, ...args) {
      onConnect(this);
      return connect.apply(this, args);
    };
    Redis.prototype.sendCommand = function (this: Redis, command: Command, ...rest: []) {
      onCommand(this, command);
      return sendCommand.call(this, command, ...rest);
    };
    return () => Object.assign(Redis.prototype, { connect, sendCommand });
  }

  private watchJobs(): () => void {
    const { enqueueMany } = QueueProducer.prototype;
    const onJobs = (offers: JobOffer[]): void => {
      if (this.roles.getStore() === SPEC) return;
      for (const { name } of offers) add(this.sent.jobs, name, name);
    };
    QueueProducer.prototype.enqueueMany = function (this: QueueProducer, offers) {
      onJobs(offers);
      return enqueueMany.call(this, offers);
    };
    return () => void (QueueProducer.prototype.enqueueMany = enqueueMany);
  }

  private follow(answer: Promise<unknown>): Promise<unknown> {
    this.inFlight += 1;
    this.activity += 1;
    const end = (): void => {
      this.inFlight -= 1;
      this.activity += 1;
    };
    answer.then(end, end);
    return answer;
  }
}

const add = (sent: Record<string, string[]>, key: string, text: string): void => void (sent[key] ??= []).push(text);

/** The name of the command, or that of the script which it runs. */
function nameOf(redis: Redis, { name, args }: Command): string {
  const scripts = Object.entries((redis as unknown as { scriptsSet: Record<string, { sha: string }> }).scriptsSet);
  const script = name === 'evalsha' ? scripts.find(([, { sha }]) => sha === args[0]) : undefined;
  return script ? script[0].split(':')[0]! : name;
}

const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
