import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { until } from '@clarion/testing';
import { createInAppWorkflow, startGateway, startOwnGateway, type TestGateway } from './harness';

describe('GET /metrics', () => {
  let gateway: TestGateway;
  let troubled: string;

  // The gateway caches the lag for two seconds, so all rows are there before it is read.
  beforeAll(async () => {
    gateway = await startOwnGateway();
    const insert = `INSERT INTO work (id, environment_id, trigger_id, type, is_delayed, due_at)
      VALUES (uuid_v7(), $1, $1, $2, $3, now() + $4::interval)`;
    for (const [type, isDelayed, due] of [
      ['trigger', false, '-90 s'],
      ['email', false, '-60 s'],
      ['email', false, '-5 s'],
      ['delay', true, '-10 s'],
      ['sms', true, '60 s'],
    ])
      await gateway.database.query(insert, [gateway.environmentId, type, isDelayed, due]);
    const create = async () =>
      (
        await gateway.call<{ _id: string }>('POST', '/v1/integrations', {
          providerId: 'sendgrid',
          channel: 'email',
          active: true,
          credentials: { apiKey: 'k', from: 'a@b.co', senderName: 'A' },
        })
      ).body._id;
    [troubled] = [await create(), await create()];
    await gateway.database.query(`UPDATE integration SET health = '{"state": "open", "since": "x"}' WHERE id = $1`, [
      troubled,
    ]);
    await createInAppWorkflow(gateway, 'w');
  });
  afterAll(() => gateway.close());

  const read = async (url = gateway.url): Promise<string> => (await fetch(`${url}/metrics`)).text();
  const valueOf = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    );

  it('serves the Prometheus text format without an API key', async () => {
    const answer = await fetch(`${gateway.url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('reports the number and age of open triggers', async () => {
    const text = await read();
    expect(valueOf(text, 'clarion_open_triggers')).toBe(1);
    expect(valueOf(text, 'clarion_oldest_open_trigger_age_seconds')).toBeGreaterThanOrEqual(90);
  });

  it('reports the number and age of due steps by channel', async () => {
    const text = await read();
    expect(valueOf(text, 'clarion_due_steps{channel="email"}')).toBe(2);
    expect(valueOf(text, 'clarion_due_steps{channel="delay"}')).toBe(1);
    expect(valueOf(text, 'clarion_oldest_due_age_seconds{channel="email"}')).toBeGreaterThanOrEqual(60);
    for (const channel of ['sms', 'push']) {
      expect(valueOf(text, `clarion_due_steps{channel="${channel}"}`)).toBe(0);
      expect(valueOf(text, `clarion_oldest_due_age_seconds{channel="${channel}"}`)).toBe(0);
    }
  });

  it('reports the number of integrations in each state without their ids', async () => {
    const text = await read();
    const inState = (state: string) =>
      valueOf(text, `clarion_integration_state{channel="email",provider="sendgrid",state="${state}"}`);
    expect([inState('open'), inState('paused'), inState('closed')]).toEqual([1, 0, 1]);
    expect(text).not.toContain(troubled);
    const { body: listed } = await gateway.call<{ _id: string; health?: { state: string } }[]>(
      'GET',
      '/v1/integrations',
    );
    expect(listed.find(({ _id }) => _id === troubled)!.health).toMatchObject({ state: 'open' });
  });

  it('counts accepted triggers and the time to accept them', async () => {
    const event = (transactionId: string, name = 'w') => ({ name, to: 'ada', transactionId });
    await gateway.call('POST', '/v1/events/trigger/bulk', { events: [event('a'), event('b'), event('c', 'unknown')] });
    await gateway.call('POST', '/v1/events/trigger', event('a'));
    await gateway.call('POST', '/v1/events/trigger?dryRun=true', event('d'));
    const text = await read();
    // Rejected events, duplicates and dry runs do not count.
    expect(valueOf(text, 'clarion_triggers_accepted_total')).toBe(2);
    expect(valueOf(text, 'clarion_stage_seconds_count{stage="accept"}')).toBe(2);
    expect(valueOf(text, 'clarion_commit_batch_size_sum{kind="accept"}')).toBe(2);
  });

  describe('clarion_http_responses_total', () => {
    /** The counters that are not zero. */
    const answers = async (url?: string): Promise<Record<string, number>> => {
      const found = (await read(url)).matchAll(/^clarion_http_responses_total\{kind="(.+)",status="(.+)"\} (\d+)$/gm);
      return counted([...found].map(([, kind, status, count]) => [`${kind} ${status}`, Number(count)]));
    };
    const counted = (counts: [string, number][]) => Object.fromEntries(counts.filter(([, count]) => count > 0));
    /** What was counted since then. */
    const answersSince = async (before: Record<string, number>) =>
      counted(Object.entries(await answers()).map(([name, count]) => [name, count - (before[name] ?? 0)]));

    it('counts responses by kind and status', async () => {
      const before = await answers();
      await gateway.call('POST', '/v1/events/trigger', { name: 'w', to: 'ada', transactionId: 't' });
      await gateway.call('POST', '/v1/events/trigger/bulk', { events: [{ name: 'w', to: 'ada' }] });
      await gateway.call('POST', '/v1/events/trigger', { name: 'unknown', to: 'ada' });
      await gateway.call('DELETE', '/v1/events/trigger/t');
      await gateway.call('GET', '/v2/subscribers?limit=none');
      await gateway.call('GET', '/v1/nothing');
      await fetch(`${gateway.url}/v2/subscribers`);
      await fetch(`${gateway.url}/nothing`);
      await fetch(`${gateway.url}/v2/subscribers/%`);
      // Probes and documentation do not count.
      for (const path of ['/health/ready', '/metrics', '/docs', '/openapi.json']) await fetch(gateway.url + path);
      expect(await answersSince(before)).toEqual({
        'trigger 201': 2,
        'trigger 422': 1,
        'other 200': 1,
        'other 401': 1,
        'other 400': 1,
        'other 404': 2,
        'other 422': 1,
      });
    });

    it('counts internal errors and an unavailable database', async () => {
      const event = { name: 'w', to: 'ada' };
      const broken = await startOwnGateway();
      try {
        await broken.database.query('ALTER TABLE workflow RENAME TO workflow_away');
        expect((await broken.call('POST', '/v1/events/trigger', event)).status).toBe(500);
        expect((await broken.call('GET', '/v2/workflows')).status).toBe(500);
        await broken.database.dataSource.destroy();
        expect((await broken.call('POST', '/v1/events/trigger', event)).status).toBe(503);
        expect(await answers(broken.url)).toEqual({ 'trigger 500': 1, 'trigger 503': 1, 'other 500': 1 });
      } finally {
        await broken.close();
      }
    });

    it('does not count a request whose caller disconnects before the response', async () => {
      const { database } = gateway;
      const before = await answers();
      const rows = async (sql: string): Promise<number> => (await database.query(sql)).length;
      const abort = new AbortController();
      const holder = database.dataSource.createQueryRunner();
      try {
        await holder.startTransaction();
        await holder.query('LOCK TABLE tenant');
        const received = once(gateway.app.getHttpServer() as Server, 'request') as Promise<[IncomingMessage]>;
        const call = fetch(`${gateway.url}/v1/tenants`, {
          method: 'POST',
          headers: { authorization: `ApiKey ${gateway.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ identifier: 'acme', name: 'Acme' }),
          signal: abort.signal,
        });
        const [{ socket }] = await received;
        const waiting = `SELECT 1 FROM pg_stat_activity
                          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        await until(async () => (await rows(waiting)) > 0);
        const disconnected = once(socket, 'close');
        abort.abort();
        await expect(call).rejects.toThrow('aborted');
        await disconnected;
        await holder.commitTransaction();
      } finally {
        await holder.release();
      }
      // The gateway still completes the request.
      await until(async () => (await rows('SELECT 1 FROM tenant')) > 0);
      expect((await gateway.call('GET', '/v1/tenants/acme')).status).toBe(200);
      expect(await answersSince(before)).toEqual({ 'other 200': 1 });
    });
  });
});

describe('GET /metrics on an address that is not local', () => {
  it('answers 404 on the API port when no metrics token is set', async () => {
    const gateway = await startGateway({ HOST: '0.0.0.0' });
    try {
      const refusal = await fetch(`${gateway.url}/metrics`);
      expect(refusal.status).toBe(404);
      expect(await refusal.text()).not.toContain('clarion_http_responses_total');
    } finally {
      await gateway.close();
    }
  });
});

describe('GET /metrics with CLARION_METRICS_TOKEN and CLARION_METRICS_ENVIRONMENTS', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({
      CLARION_METRICS_TOKEN: 'a-token-of-prometheus',
      CLARION_METRICS_ENVIRONMENTS: 'true',
    });
  });
  afterAll(() => gateway.close());

  const ask = (authorization?: string) =>
    fetch(`${gateway.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

  it('answers 401 without the right bearer token', async () => {
    for (const wrong of [undefined, 'Bearer wrong', 'a-token-of-prometheus', `ApiKey ${gateway.key}`]) {
      const answer = await ask(wrong);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="clarion metrics"']);
    }
    expect((await ask('Bearer a-token-of-prometheus')).status).toBe(200);
  });

  it('adds a label with the environment id', async () => {
    await createInAppWorkflow(gateway, 'w');
    await gateway.call('POST', '/v1/events/trigger', { name: 'w', to: 'ada' });
    const text = await (await ask('Bearer a-token-of-prometheus')).text();
    expect(text).toContain(`clarion_triggers_accepted_total{environment="${gateway.environmentId}"} 1\n`);
    expect(text).toMatch(
      new RegExp(
        `provider="platform",environment="${gateway.environmentId}",integration="[0-9a-f-]{36}",state="closed"} 1`,
      ),
    );
  });
});
