/** Calculates the size of an installation from the measured cost of a notification. */

export const WORKERS = {
  email: 'worker-email',
  sms: 'worker-sms',
  chat: 'worker-chat',
  push: 'worker-push',
  in_app: 'worker-in-app',
} as const;
export type Channel = keyof typeof WORKERS;

/** The cost of one notification: seconds of processor time, and bytes. */
export type Cost = {
  gateway: number;
  engine: number;
  worker: number;
  postgres: number;
  redis: number;
  databaseBytes: number;
  walBytes: number;
  queueBytes: number;
};

export type Costs = {
  email: Cost;
  in_app: Cost;
  /** An email whose trigger was a single-event call. */
  lone: Cost;
  /** Concurrent calls of a worker to one account. */
  callsAtOnce: number;
};

export type Load = {
  /** Notifications per second. A notification on two channels counts twice. */
  rate: number;
  /** The share of each channel; the sum is 1. */
  channels: Partial<Record<Channel, number>>;
  /** Events per call. */
  eventsPerCall: number;
  /** The response time of a provider. */
  providerMs: number;
  /** The number of accounts that share the messages of a channel. */
  accounts: number;
  /** The target utilization of a processor: the rest is for peaks and the loss of a machine. */
  use: number;
  /** Cores of the largest available Postgres server. */
  postgresCores: number;
  retentionDays: number;
  /** How long the queue has to hold incoming work while the workers are down. */
  outageSeconds: number;
  /** Connections of each pod. */
  pool: number;
};

export type RolePlan = { role: string; pods: number; cores: number; why: string };

export type Plan = {
  roles: RolePlan[];
  postgres: {
    cores: number;
    servers: number;
    connections: number;
    walBytesPerSecond: number;
    bytesPerDay: number;
    bytes: number;
  };
  redis: { cores: number; shards: number; bytes: number };
  /** What exceeds a single server, and what to do about it. */
  limits: string[];
};

/** Two of each role, so that one can fail. */
const FEWEST_PODS = 2;
const DAY_SECONDS = 86_400;

export function planFor(load: Load, costs: Costs): Plan {
  const shares = Object.entries(load.channels) as [Channel, number][];
  const sum = (part: (cost: Cost) => number): number =>
    shares.reduce((total, [channel, share]) => total + load.rate * share * costOf(channel, load, costs, part), 0);

  const roles = [
    podsFor(
      'gateway',
      sum((cost) => cost.gateway),
      load,
    ),
    podsFor(
      'engine',
      sum((cost) => cost.engine),
      load,
    ),
    ...shares.map(([channel, share]) => workersFor(channel, load.rate * share, load, costs)),
  ];
  const pods = roles.reduce((total, role) => total + role.pods, 0);
  const postgresCores = sum((cost) => cost.postgres) / load.use;
  const redisCores = sum((cost) => cost.redis) / load.use;
  const bytesPerDay = sum((cost) => cost.databaseBytes) * DAY_SECONDS;
  const plan: Plan = {
    roles,
    postgres: {
      cores: postgresCores,
      servers: Math.ceil(postgresCores / load.postgresCores),
      connections: pods * load.pool,
      walBytesPerSecond: sum((cost) => cost.walBytes),
      bytesPerDay,
      bytes: bytesPerDay * load.retentionDays,
    },
    // Redis executes commands on one processor.
    redis: {
      cores: redisCores,
      shards: Math.ceil(redisCores),
      bytes: sum((cost) => cost.queueBytes) * load.outageSeconds,
    },
    limits: [],
  };
  return { ...plan, limits: limitsOf(plan, load) };
}

/**
 * Channels with a provider cost the same as email: they take the same path and make the same kind of call. The events
 * of a call share its fixed cost.
 */
function costOf(channel: Channel, load: Load, costs: Costs, part: (cost: Cost) => number): number {
  const ofCall = Math.max(0, part(costs.lone) - part(costs.email));
  return part(channel === 'in_app' ? costs.in_app : costs.email) + ofCall / load.eventsPerCall;
}

/** A process uses one processor, even if its pod has more. */
function podsFor(role: string, cores: number, { use }: Load): RolePlan {
  const wanted = Math.ceil(cores / use);
  const why = wanted < FEWEST_PODS ? 'one may go' : 'processor';
  return { role, pods: Math.max(wanted, FEWEST_PODS), cores: cores / use, why };
}

function workersFor(channel: Channel, rate: number, load: Load, costs: Costs): RolePlan {
  const cores = rate * costOf(channel, load, costs, (cost) => cost.worker);
  const plan = podsFor(WORKERS[channel], cores, load);
  if (channel === 'in_app') return plan;
  const calls = (rate * load.providerMs) / 1000;
  const pods = Math.ceil(calls / (costs.callsAtOnce * load.accounts));
  if (pods <= plan.pods) return plan;
  return { ...plan, pods, why: `${Math.ceil(calls)} calls under way` };
}

function limitsOf({ postgres, redis, roles }: Plan, load: Load): string[] {
  const limits: string[] = [];
  if (postgres.servers > 1) {
    limits.push(
      `Postgres: ${Math.ceil(postgres.cores)} cores are more than one server of ${load.postgresCores}. ` +
        `Split the environments over ${postgres.servers} installations, each with a separate Postgres.`,
    );
  }
  if (redis.shards > 1) {
    limits.push(`Redis: more than one processor. Use a Redis Cluster with ${redis.shards} shards or more.`);
  }
  for (const { role, why, pods } of roles) {
    if (why.endsWith('calls under way')) {
      limits.push(
        `${role}: ${pods} pods wait for the provider, not for a processor. Its own limit may be lower: ` +
          'ask how many calls at a time it takes, use an account that takes several messages in a call, ' +
          'or more accounts.',
      );
    }
  }
  return limits;
}
