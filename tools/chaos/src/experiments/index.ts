import type { Experiment } from '../experiment';
import { brokenConnections } from './connections';
import { identicalCalls } from './identical-calls';
import { kills } from './kills';
import { fullDisk, partitions } from './network';
import { poison } from './poison';
import { pooler } from './pooler';
import { heldConnections, postgresRestarts } from './postgres';
import { frozenProcesses, rollingDeploys } from './processes';
import { noisyTenant, outageAndBacklog, refusingProviders, slowProviders } from './providers';
import { emptiedRedis, fullRedis, redisFailover } from './redis';
import { specExperiments } from './specs';
import { timersWithoutRedis, wrongClocks } from './timers';
import { upgrades } from './upgrades';
import { acceptLatency, largeTopic, soak } from './volume';

const ALL: Experiment[] = [
  kills,
  identicalCalls,
  emptiedRedis,
  redisFailover,
  fullRedis,
  frozenProcesses,
  brokenConnections,
  postgresRestarts,
  heldConnections,
  poison,
  slowProviders,
  refusingProviders,
  outageAndBacklog,
  noisyTenant,
  timersWithoutRedis,
  wrongClocks,
  largeTopic,
  rollingDeploys,
  upgrades,
  soak,
  acceptLatency,
  partitions,
  fullDisk,
  pooler,
  ...specExperiments,
];

const numberOf = ({ t }: Experiment): number => Number(t.slice(1));

/** In the order of their numbers. */
export const EXPERIMENTS: readonly Experiment[] = ALL.toSorted((one, other) => numberOf(one) - numberOf(other));
