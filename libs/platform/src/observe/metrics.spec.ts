import type { Lag } from '@clarion/contracts/core';
import { Metrics } from './metrics';

const lag = (more: Partial<Lag> = {}): Lag => ({
  steps: [
    { type: 'email', lane: 1, cause: 'runnable', due: 2, oldestSeconds: 0.5 },
    { type: 'email', lane: 3, cause: 'rate_limit', due: 5, oldestSeconds: 12.5 },
  ],
  environments: [],
  triggers: { open: 3, oldestSeconds: 1.5 },
  accounts: [{ channel: 'email', providerId: 'sendgrid', state: 'open', integrations: 2 }],
  held: [{ target: 'channel', steps: 4 }],
  webhooks: { waiting: 5, oldestSeconds: 2.5, endpoints: { active: 1, failing: 0, disabled: 0 } },
  mirrors: { waiting: 6, mirrors: { working: 0, failing: 1 } },
  postgres: {
    maintenanceSeconds: 60,
    retentionObstacles: 1,
    oldestTransactionSeconds: 4,
    oldestSnapshotTransactions: 9,
    deadRows: [{ table: 'work', rows: 100 }],
  },
  ...more,
});

describe('Metrics', () => {
  it('counts events by labels with few values', async () => {
    const metrics = new Metrics();
    metrics.acceptTriggers('one', 20);
    metrics.acceptTriggers('two', 1);
    metrics.message('email', 'sendgrid', 'sent', 'one');
    metrics.message('email', 'sendgrid', 'sent', 'two');
    metrics.providerFailure('sms', 'twilio', 'rate-limited', 'one');
    metrics.stage('provider', 'email', 0.2);
    const text = await metrics.expose();
    expect(text).toContain('clarion_triggers_accepted_total 21\n');
    expect(text).toContain('clarion_messages_total{channel="email",provider="sendgrid",outcome="sent"} 2\n');
    expect(text).toContain('clarion_provider_failures_total{channel="sms",provider="twilio",kind="rate-limited"} 1\n');
    expect(text).toContain('clarion_stage_seconds_bucket{le="0.25",stage="provider",channel="email"} 1\n');
    expect(text).toContain('clarion_stage_seconds_bucket{le="0.1",stage="provider",channel="email"} 0\n');
    expect(text).toMatch(/^clarion_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
    expect(text).not.toContain('environment=');
  });

  it('exports zero for failed calls from the start, so that a rule sees the first burst', async () => {
    const metrics = new Metrics();
    metrics.answer('trigger', 201);
    metrics.answer('trigger', 503);
    const shown = (await metrics.expose())
      .split('\n')
      .filter((line) => line.startsWith('clarion_http_responses_total'));
    expect(shown.toSorted()).toEqual([
      'clarion_http_responses_total{kind="other",status="500"} 0',
      'clarion_http_responses_total{kind="other",status="503"} 0',
      'clarion_http_responses_total{kind="trigger",status="201"} 1',
      'clarion_http_responses_total{kind="trigger",status="500"} 0',
      'clarion_http_responses_total{kind="trigger",status="503"} 1',
    ]);
  });

  it('adds environment labels when the operator enables them', async () => {
    const metrics = new Metrics(true);
    metrics.acceptTriggers('one', 2);
    metrics.message('email', 'sendgrid', 'sent', 'one');
    const account = { environmentId: 'one', integrationId: 'mine', integrations: 1 };
    metrics.exportLag(() =>
      Promise.resolve(lag({ accounts: [{ channel: 'email', providerId: 'ses', state: 'paused', ...account }] })),
    );
    const text = await metrics.expose();
    expect(text).toContain('clarion_triggers_accepted_total{environment="one"} 2\n');
    expect(text).toContain('outcome="sent",environment="one"} 1\n');
    expect(text).toContain(
      'clarion_integration_state{channel="email",provider="ses",environment="one",integration="mine",state="paused"} 1\n',
    );
  });

  it('has as many series about environments with a thousand of them as with ten and the others', async () => {
    const metrics = new Metrics();
    const environments = Array.from({ length: 1_000 }, (_, index) => ({
      environmentId: `e${index}`,
      due: 1_000 - index,
      oldestSeconds: index,
    }));
    metrics.exportLag(() => Promise.resolve(lag({ environments })));
    for (const { environmentId } of environments) metrics.endToEnd('email', 0.2, 1, environmentId);
    const text = await metrics.expose();
    const seriesOf = (name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`));
    expect(seriesOf('clarion_environment_due_steps')).toHaveLength(11);
    expect(seriesOf('clarion_environment_oldest_due_age_seconds')).toHaveLength(11);
    expect(seriesOf('clarion_environment_end_to_end_seconds_count')).toHaveLength(11);
    expect(text).toContain('clarion_environment_due_steps{environment="e0"} 1000\n');
    expect(text).toContain(`clarion_environment_due_steps{environment="other"} ${(990 * 991) / 2}\n`);
    expect(text).toContain('clarion_environment_oldest_due_age_seconds{environment="other"} 999\n');
    expect(text).toContain('clarion_environment_end_to_end_seconds_count{environment="other",lane="critical"} 990\n');
  });

  it('exports the age of a maintenance that has never ended as infinite', async () => {
    const metrics = new Metrics();
    const { postgres } = lag();
    metrics.exportLag(() => Promise.resolve(lag({ postgres: { ...postgres, maintenanceSeconds: null } })));
    expect(await metrics.expose()).toContain('clarion_maintenance_age_seconds +Inf\n');
  });

  it('exports the lag, with zero for idle channels', async () => {
    const metrics = new Metrics();
    metrics.exportLag(() => Promise.resolve(lag()));
    const text = await metrics.expose();
    expect(text).toContain('clarion_due_steps{channel="email"} 7\n');
    expect(text).toContain('clarion_due_steps{channel="email",lane="critical"} 2\n');
    expect(text).toContain('clarion_due_steps{channel="email",cause="rate_limit"} 5\n');
    expect(text).toContain('clarion_oldest_due_age_seconds{channel="email",cause="runnable"} 0.5\n');
    expect(text).toContain('clarion_due_steps{channel="email",cause="breaker"} 0\n');
    expect(text).toContain('clarion_due_steps{channel="email",lane="normal"} 0\n');
    expect(text).toContain('clarion_oldest_due_age_seconds{channel="email",lane="critical"} 0.5\n');
    expect(text).toContain('clarion_oldest_due_age_seconds{channel="email"} 12.5\n');
    for (const channel of ['in_app', 'sms', 'chat', 'push', 'digest', 'delay', 'throttle', 'custom']) {
      expect(text).toContain(`clarion_due_steps{channel="${channel}"} 0\n`);
      expect(text).toContain(`clarion_oldest_due_age_seconds{channel="${channel}"} 0\n`);
    }
    expect(text).toContain('clarion_open_triggers 3\n');
    expect(text).toContain('clarion_maintenance_age_seconds 60\n');
    expect(text).toContain('clarion_retention_obstacles 1\n');
    expect(text).toContain('clarion_postgres_oldest_transaction_seconds 4\n');
    expect(text).toContain('clarion_postgres_oldest_snapshot_transactions 9\n');
    expect(text).toContain('clarion_postgres_dead_rows{table="work"} 100\n');
    expect(text).toContain('clarion_integration_state{channel="email",provider="sendgrid",state="open"} 2\n');
    expect(text).toContain('clarion_integration_state{channel="email",provider="sendgrid",state="closed"} 0\n');
  });

  it('reads the database once for all scrapes within two seconds', async () => {
    jest.useFakeTimers();
    try {
      const metrics = new Metrics();
      let looks = 0;
      metrics.exportLag(() => {
        looks += 1;
        return Promise.resolve(lag({ triggers: { open: looks, oldestSeconds: 0 } }));
      });
      await Promise.all([metrics.expose(), metrics.expose()]);
      await jest.advanceTimersByTimeAsync(1_999);
      expect(await metrics.expose()).toContain('clarion_open_triggers 1\n');
      await jest.advanceTimersByTimeAsync(1);
      expect(await metrics.expose()).toContain('clarion_open_triggers 2\n');
    } finally {
      jest.useRealTimers();
    }
  });

  it('leaves out the lag when it cannot be read and exports the rest', async () => {
    const metrics = new Metrics();
    expect(await metrics.expose()).not.toContain('clarion_open_triggers');
    metrics.exportLag(() => Promise.reject(new Error('no database')));
    const text = await metrics.expose();
    expect(text).not.toContain('clarion_open_triggers');
    expect(text).toContain('clarion_triggers_accepted_total 0\n');
  });

  it('does not wait for a database that does not answer', async () => {
    jest.useFakeTimers();
    try {
      const metrics = new Metrics();
      metrics.exportLag(() => new Promise(() => undefined));
      const text = metrics.expose();
      await jest.advanceTimersByTimeAsync(3_000);
      expect(await text).toContain('clarion_triggers_accepted_total 0\n');
      expect(await text).not.toContain('clarion_open_triggers');
    } finally {
      jest.useRealTimers();
    }
  });

  it('reads watched values at each scrape and sums them', async () => {
    const metrics = new Metrics();
    const forget = metrics.watchPool(() => ({ used: 2, idle: 1, waiting: 0 }));
    metrics.watchPool(() => ({ used: 3, idle: 0, waiting: 4 }));
    metrics.countStatement();
    metrics.countStatement();
    metrics.queue.countCommand();
    metrics.queue.countFailedAdds(5);
    const text = await metrics.expose();
    expect(text).toContain('clarion_pool_connections{state="used"} 5\n');
    expect(text).toContain('clarion_pool_connections{state="waiting"} 4\n');
    expect(text).toContain('clarion_round_trips_total{store="postgres"} 2\n');
    expect(text).toContain('clarion_round_trips_total{store="redis"} 1\n');
    expect(text).toContain('clarion_queue_failed_adds_total 5\n');
    forget();
    expect(await metrics.expose()).toContain('clarion_pool_connections{state="used"} 3\n');
    expect(await metrics.expose()).toContain('clarion_round_trips_total{store="postgres"} 2\n');
  });

  it('names each metric with its labels', () => {
    const names = new Metrics(true).names();
    expect(names).toContainEqual({
      name: 'clarion_messages_total',
      labels: ['channel', 'provider', 'outcome', 'environment'],
    });
    expect(names).toContainEqual({ name: 'clarion_due_steps', labels: ['channel', 'lane', 'cause'] });
    expect(names.every(({ name }) => name.startsWith('clarion_'))).toBe(true);
  });
});
