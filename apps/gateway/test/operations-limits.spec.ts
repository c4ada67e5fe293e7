import type { AuditLogListDto, LimitsDto, LimitsListDto } from '@clarion/contracts';
import { LimitRepository } from '@clarion/persistence';
import { newId } from '@clarion/contracts';
import { insertWorkflow } from '@clarion/testing';
import { EnvironmentLimits } from '../src/limits/environment-limits';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

describe('the limits of an environment', () => {
  let gateway: TestGateway;
  let limits: EnvironmentLimits;
  beforeAll(async () => {
    gateway = await startGateway();
    limits = gateway.app.get(EnvironmentLimits);
    await insertWorkflow(gateway.database, { environmentId: gateway.environmentId, workflowId: 'welcome' });
  });
  afterAll(() => gateway.close());

  const set = async (changes: object) => (await gateway.call<LimitsDto>('PUT', '/v1/operations/limits', changes)).body;
  const trigger = (count: number) =>
    gateway.call('POST', '/v1/events/trigger/bulk', {
      events: Array.from({ length: count }, () => ({ name: 'welcome', to: 'ada' })),
    });
  const none = { eventsPerSecond: null, messagesPerDay: null, renderMsPerSecond: null };
  afterEach(() => set(none));

  it('keeps what is not named, removes what is null, and is limited to the organization of an admin key', async () => {
    expect(await set({ eventsPerSecond: 50 })).toMatchObject({ ...none, eventsPerSecond: 50 });
    expect(await set({ messagesPerDay: 9 })).toMatchObject({ eventsPerSecond: 50, messagesPerDay: 9 });
    expect(await set({ eventsPerSecond: null })).toMatchObject({ ...none, messagesPerDay: 9 });
    await set({ messagesPerDay: 9 });
    const recorded = await gateway.call<AuditLogListDto>('GET', '/v1/audit-log?action=environment.updated');
    expect(recorded.body.data).toMatchObject([
      { before: { eventsPerSecond: 50 }, after: {}, actor: { type: 'key' } },
      { before: {}, after: { messagesPerDay: 9 }, resource: { id: gateway.environmentId } },
      { before: {}, after: { eventsPerSecond: 50 } },
    ]);
    const { key } = await gateway.admin.createOrganization('Other', { name: 'Theirs', type: 'dev' });
    const theirs = { authorization: `ApiKey ${key}` };
    const { body } = await gateway.call<LimitsListDto>('GET', '/v1/operations/limits', undefined, theirs);
    expect(body.data).toMatchObject([{ environment: 'Theirs', ...none }]);
    const foreign = { environmentId: gateway.environmentId, eventsPerSecond: 1 };
    expect((await gateway.call('PUT', '/v1/operations/limits', foreign, theirs)).status).toBe(404);
    const full = { authorization: `ApiKey ${await gateway.secondKey()}` };
    expect((await gateway.call('PUT', '/v1/operations/limits', {}, full)).status).toBe(403);
    expect((await gateway.call('PUT', '/v1/operations/limits', { eventsPerSecond: 0 })).status).toBe(422);
    for (const nothing of [{}, null, undefined, { environmentId: gateway.environmentId }]) {
      const refused = await gateway.call('PUT', '/v1/operations/limits', nothing);
      expectFieldErrors(refused, Object.keys(none));
    }
    const misspelled = await gateway.call('PUT', '/v1/operations/limits', { eventsPerSeconds: 5 });
    expectFieldErrors(misspelled, ['eventsPerSeconds']);
  });

  it('refuses events above the part of the limit that this gateway has, without a statement for an event', async () => {
    await set({ eventsPerSecond: 2 });
    await limits.refresh();
    const first = await trigger(11);
    expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([201, '10']);
    const stop = gateway.watchStatements();
    // As many again are allowed after more than five seconds.
    const refused = await trigger(11);
    expect(stop()).toEqual([]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body['message']).toMatch(
      /^API rate limit exceeded: the limit of this environment is 2 events a second; try again at 20\d\d-.*Z$/,
    );

    // Another gateway was asked for four times as much in the meantime: it gets most of the limit.
    const repository = new LimitRepository(gateway.database);
    const other = newId();
    await repository.share(other, { [gateway.environmentId]: 1_000_000 });
    await limits.refresh();
    expect((await trigger(1)).headers.get('ratelimit-limit')).toBe('1');
    // It is gone: the whole limit is this gateway's again.
    await gateway.database.query(`UPDATE gateway_process SET seen_at = now() - interval '10 seconds' WHERE id = $1`, [
      other,
    ]);
    await limits.refresh();
    expect((await trigger(1)).headers.get('ratelimit-limit')).toBe('10');
    expect((await gateway.call('GET', '/v1/notifications')).status).toBe(200);
  });

  it('refuses events until midnight when the messages of the day are used up, and says so in the metrics', async () => {
    await set({ messagesPerDay: 5 });
    await gateway.database.query(
      `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted, skipped)
       VALUES ($1, $2, date_trunc('minute', now()), 'email', 8, 4)`,
      [gateway.environmentId, newId()],
    );
    await limits.refresh();
    expect((await trigger(1)).status).toBe(201);
    await gateway.database.query(`UPDATE outcome_delta SET skipped = 3`);
    await limits.refresh();
    const refused = await trigger(1);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(refused.body['message']).toMatch(
      /exceeded: the limit of this environment is 5 messages a day; try again at 20\d\d-\d\d-\d\dT00:00:00Z$/,
    );
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(text).toContain('clarion_limit_use_ratio{limit="messages_per_day"} 1');
    expect(text).toMatch(/clarion_limit_refused_events_total\{limit="messages_per_day"\} 1/);
    const { body } = await gateway.call<LimitsListDto>('GET', '/v1/operations/limits');
    expect(body.data.find(({ environmentId }) => environmentId === gateway.environmentId)).toMatchObject({
      messagesToday: 5,
      messagesPerDay: 5,
    });
  });

  it('gives the environment its own budget of render time', async () => {
    await set({ renderMsPerSecond: 1 });
    await limits.refresh();
    const subject = '{% for i in (1..20000) %}{{ payload.number }}{% endfor %}';
    const steps = [{ name: 'Mail', type: 'email', controlValues: { subject, body: 'x' } }];
    const made = await gateway.call('POST', '/v2/workflows', { name: 'Slow', workflowId: 'slow', steps });
    const statuses = [made.status];
    let number = 0;
    // A text that was rendered before with the same values costs nothing.
    const dryRun = () => {
      const payload = { number: (number += 1) };
      return gateway.call('POST', '/v1/events/trigger?dryRun=true', { name: 'slow', to: 'ada', payload });
    };
    // How many renders fit into the budget depends on the machine.
    while (!statuses.includes(429) && statuses.length < 500) statuses.push((await dryRun()).status);
    expect(statuses).toContain(429);
    await set({ renderMsPerSecond: null });
    await limits.refresh();
    // The default budget refills what was used too much.
    while ((await dryRun()).status === 429) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
