import { type Lag, type Lane, PRIORITIES } from '@clarion/contracts/core';
import { Busiest, OTHERS } from './busiest';
import type { MetricSet } from './metric-set';

/** Environments with separate series. */
const MOST = 10;
const SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** Latency and lag of the busiest environments. The number of series does not grow with that of environments. */
export class EnvironmentMetrics {
  private readonly busiest = new Busiest(MOST, (environment) => {
    for (const lane of PRIORITIES) this.endToEnd.remove({ environment, lane });
  });
  private readonly endToEnd = this.own.histogram(
    'clarion_environment_end_to_end_seconds',
    `From the accepted event to the sent message, for the ${MOST} environments with the most messages of the ` +
      `process; "${OTHERS}" is all others together.`,
    ['environment', 'lane'],
    SECONDS,
  );
  private readonly dueSteps = this.lag.gauge(
    'clarion_environment_due_steps',
    `Due steps that more processes would do sooner, of the ${MOST} environments with the most, up to 1000 for each ` +
      `channel and lane; "${OTHERS}" is all others together.`,
    ['environment'],
  );
  private readonly oldestDueAge = this.lag.gauge(
    'clarion_environment_oldest_due_age_seconds',
    'For how long the oldest of these steps has been due.',
    ['environment'],
  );

  constructor(
    private readonly own: MetricSet,
    private readonly lag: MetricSet,
  ) {}

  sent(environmentId: string, seconds: number, lane: Lane): void {
    const environment = this.busiest.label(environmentId);
    this.endToEnd.observe({ environment, lane: PRIORITIES[lane - 1]! }, Math.max(0, seconds));
  }

  /** The environment with the most due steps comes first. */
  writeLag(environments: Lag['environments']): void {
    this.dueSteps.reset();
    this.oldestDueAge.reset();
    for (const { environmentId, due, oldestSeconds } of environments.slice(0, MOST)) {
      this.dueSteps.set({ environment: environmentId }, due);
      this.oldestDueAge.set({ environment: environmentId }, oldestSeconds);
    }
    const others = environments.slice(MOST);
    const due = others.reduce((sum, row) => sum + row.due, 0);
    this.dueSteps.set({ environment: OTHERS }, due);
    this.oldestDueAge.set({ environment: OTHERS }, Math.max(0, ...others.map(({ oldestSeconds }) => oldestSeconds)));
  }
}
