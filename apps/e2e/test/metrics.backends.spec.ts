import { until } from '@clarion/testing';
import { type Clarion, startOwnClarion } from './harness';

describe('metrics of a notification', () => {
  let clarion: Clarion;
  const ANN = { subscriberId: 'ann', email: 'ann@x.test' };

  beforeAll(async () => {
    clarion = await startOwnClarion({ roles: ['engine', 'email', 'in_app'] });
    await clarion.integration('sendgrid', 'email');
    await clarion.workflow('mail', [
      { type: 'email', controlValues: { subject: 'x', body: 'y' } },
      { type: 'in_app', controlValues: { body: 'z' } },
    ]);
  });
  afterAll(() => clarion.close());

  /** Every series with its value. */
  const read = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${clarion.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  };

  it('counts every stage from the trigger to the sent message', async () => {
    await clarion.run('mail', ANN);
    const metrics = await read();
    const once = [
      'clarion_triggers_accepted_total',
      'clarion_notifications_created_total',
      'clarion_messages_total{channel="email",provider="sendgrid",outcome="sent"}',
      'clarion_messages_total{channel="in_app",provider="platform",outcome="sent"}',
      'clarion_stage_seconds_count{stage="accept"}',
      'clarion_commit_batch_size_sum{kind="fan_out"}',
      ...['render', 'provider', 'commit'].map(
        (stage) => `clarion_stage_seconds_count{stage="${stage}",channel="email"}`,
      ),
      ...['render', 'commit'].map((stage) => `clarion_stage_seconds_count{stage="${stage}",channel="in_app"}`),
      ...['queue', 'end_to_end'].flatMap((stage) =>
        ['email', 'in_app'].map(
          (channel) => `clarion_stage_seconds_count{stage="${stage}",channel="${channel}",lane="normal"}`,
        ),
      ),
      'clarion_integration_state{channel="email",provider="sendgrid",state="closed"}',
    ];
    expect(Object.fromEntries(once.map((series) => [series, metrics.get(series)]))).toEqual(
      Object.fromEntries(once.map((series) => [series, 1])),
    );
    expect(metrics.get('clarion_steps_held{channel="email"}')).toBe(0);
    expect(metrics.get('clarion_round_trips_total{store="postgres"}')).toBeGreaterThanOrEqual(4);
    if (clarion.context.queueBackend.kind === 'redis') {
      expect(metrics.get('clarion_round_trips_total{store="redis"}')).toBeGreaterThanOrEqual(4);
    }
    expect(metrics.get('clarion_pool_connections{state="used"}')).toBeGreaterThanOrEqual(0);
    for (const role of ['engine', 'sweeper', 'worker-email', 'worker-in-app']) {
      expect(metrics.get(`clarion_last_progress_age_seconds{role="${role}"}`)).toBeLessThan(30);
    }
  });

  it('counts a retried and a failed message by the kind of the failure', async () => {
    clarion.provider.next('/', { status: 503 }, { status: 400, json: { errors: [{ message: 'no such person' }] } });
    const transactionId = await clarion.trigger('mail', ANN);
    const series = (outcome: string) =>
      `clarion_messages_total{channel="email",provider="sendgrid",outcome="${outcome}"}`;
    await until(async () => (await read()).get(series('retried')) === 1);
    await clarion.makeDue(transactionId);
    await until(async () => (await read()).get(series('failed')) === 1);
    const failures = [...(await read())].filter(([name]) => name.startsWith('clarion_provider_failures_total'));
    expect(failures.map(([, count]) => count)).toEqual([1, 1]);
    expect(failures[0]![0]).toContain('channel="email",provider="sendgrid",kind="transient"');
  });
});
