import type { AuditLogListDto, LimitsDto, LimitsListDto } from '@clarion/contracts';
import { TemplateRenderer } from '@clarion/content';
import { LimitRepository } from '@clarion/persistence';
import { newId } from '@clarion/contracts';
import { insertWorkflow, until } from '@clarion/testing';
import { EnvironmentLimits } from '../src/edge/limits/environment-limits';
import { limitsOf } from '../src/command-line';
import { expectFieldErrors, OPERATOR_KEY, startOwnGateway, type TestGateway } from './harness';

describe('the limits of an environment', () => {
  let gateway: TestGateway;
  let limits: EnvironmentLimits;
  beforeAll(async () => {
    gateway = await startOwnGateway();
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
  const byOperator = (changes: object, headers = {}) =>
    gateway.call<LimitsDto>('PUT', '/v1/operations/limits', changes, {
      authorization: `ApiKey ${OPERATOR_KEY}`,
      'clarion-environment': gateway.environmentId,
      ...headers,
    });
  afterEach(() => byOperator(none));

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
    const inCapitals = { environmentId: gateway.environmentId.toUpperCase(), eventsPerSecond: 50 };
    expect(await set(inCapitals)).toMatchObject({ environmentId: gateway.environmentId, eventsPerSecond: 50 });
    await set({ eventsPerSecond: null });
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
    let refused = first;
    let statements: string[] = [];
    // As many again are allowed after more than five seconds, which have passed on a busy machine.
    await until(async () => {
      const stop = gateway.watchStatements();
      refused = await trigger(11);
      statements = stop();
      return refused.status === 429;
    });
    expect(statements).toEqual([]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body['message']).toMatch(
      /^API rate limit exceeded: the limit of this environment is 2 events a second, set by default; try again at 20\d\d-.*Z$/,
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
    await set({ messagesPerDay: 5, reason: 'a trial' });
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
      /exceeded: the limit of this environment is 5 messages a day, set by default \(a trial\); try again at 20\d\d-\d\d-\d\dT00:00:00Z$/,
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
    const dryRun = () => gateway.call('POST', '/v1/events/trigger?dryRun=true', { name: 'welcome', to: 'ada' });
    expect((await dryRun()).status).toBe(201);
    // Charged here rather than by a slow template: how long a template takes depends on the machine.
    gateway.app.get(TemplateRenderer).debit(gateway.environmentId, 100);
    const refused = await dryRun();
    expect(refused.status).toBe(429);
    expect(refused.body['message']).toContain('this environment have used up their processor time of 1 ms a second');
    await set({ renderMsPerSecond: null });
    await limits.refresh();
    // The default budget refills what was used too much.
    await until(async () => (await dryRun()).status !== 429);
  });

  describe('that the operator set', () => {
    const why = 'a flood of events';
    const place = () => ({ environmentId: gateway.environmentId, organizationId: gateway.organizationId });
    const refusal = { status: 403, body: { message: expect.stringMatching(/operator.*a flood of events/) } };
    const put = (changes: object) => gateway.call<LimitsDto>('PUT', '/v1/operations/limits', changes);
    const own = async () =>
      (await gateway.call<LimitsListDto>('GET', '/v1/operations/limits')).body.data.find(
        ({ environmentId }) => environmentId === gateway.environmentId,
      );

    it('refuses to change a limit of the operator with a key of the scope admin, which still sets and removes its own', async () => {
      await limitsOf(gateway.database).change('cli', place(), { eventsPerSecond: 5 }, why);
      expect(await byOperator({ messagesPerDay: 7, reason: why })).toMatchObject({
        status: 200,
        body: { eventsPerSecond: 5, messagesPerDay: 7, setBy: 'operator', reason: why },
      });
      for (const changes of [none, { eventsPerSecond: 6 }, { eventsPerSecond: null }, { messagesPerDay: 6 }]) {
        expect(await put({ ...changes, reason: 'mine' })).toMatchObject(refusal);
      }
      // The limits of the operator as they are, and one that is the tenant's own.
      const mine = { eventsPerSecond: 5, messagesPerDay: 7, renderMsPerSecond: 100, reason: 'mine' };
      expect(await put(mine)).toMatchObject({ status: 200, body: { setBy: 'operator', reason: why } });
      const setAt = expect.stringMatching(/Z$/) as string;
      expect((await own())!.sources).toEqual([
        { limit: 'eventsPerSecond', setBy: 'operator', reason: why, setAt },
        { limit: 'messagesPerDay', setBy: 'operator', reason: why, setAt },
        { limit: 'renderMsPerSecond', setBy: 'default', reason: 'mine', setAt },
      ]);
      expect((await put({ renderMsPerSecond: null })).status).toBe(200);
      expect(await byOperator(none)).toMatchObject({ status: 200, body: { ...none, setBy: null, sources: [] } });
      const log = await gateway.call<AuditLogListDto>('GET', '/v1/audit-log?action=environment.updated&actor=operator');
      expect(log.body.data.slice(0, 2)).toMatchObject([
        { actor: { type: 'operator' }, before: { eventsPerSecond: 5, messagesPerDay: 7 } },
        { actor: { type: 'operator' }, after: { messagesPerDay: 7, reasons: { messagesPerDay: why } } },
      ]);
      expect((await put({ eventsPerSecond: 4 })).body).toMatchObject({ setBy: 'default', reason: null });
    });

    it('counts all environments of the organization, also new ones, if the operator says so', async () => {
      const other = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Way out' });
      const foreign = await gateway.admin.createOrganization('Bystander', { name: 'Theirs', type: 'dev' });
      for (const { environment } of [other, foreign]) {
        await insertWorkflow(gateway.database, { environmentId: environment.id, workflowId: 'welcome' });
      }
      const send = (key: string, count: number) =>
        gateway.call(
          'POST',
          '/v1/events/trigger/bulk',
          { events: Array.from({ length: count }, () => ({ name: 'welcome', to: 'ada' })) },
          { authorization: `ApiKey ${key}` },
        );
      const { id: environmentId } = other.environment;
      const wide = { environmentId, eventsPerSecond: 2, counts: 'organization', reason: why };
      expect((await byOperator(wide)).body).toMatchObject({ counts: 'organization', setBy: 'operator' });
      await limits.refresh();
      expect((await trigger(8)).status).toBe(201);
      const refused = await send(other.key, 8);
      expect(refused.status).toBe(429);
      expect(refused.body['message']).toMatch(
        /the limit of this organization, for all its environments together, is 2 events a second, set by operator/,
      );
      expect((await send(foreign.key, 8)).status).toBe(201);

      expect(await put({ environmentId, messagesPerDay: 5, counts: 'environment' })).toMatchObject(refusal);
      await byOperator({ environmentId, eventsPerSecond: null, messagesPerDay: 3 });
      await gateway.database.query(
        `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted)
         VALUES ($1, $2, date_trunc('minute', now()), 'email', 3)`,
        [gateway.environmentId, newId()],
      );
      await limits.refresh();
      expect([
        (await trigger(1)).status,
        (await send(other.key, 1)).status,
        (await send(foreign.key, 1)).status,
      ]).toEqual([429, 429, 201]);
      const explain = `/v1/operations/explain?subscriberId=ada&workflowId=welcome&environmentId=${environmentId}`;
      await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' }, { authorization: `ApiKey ${other.key}` });
      const { body } = await gateway.call('GET', explain);
      expect(JSON.stringify(body)).toContain('The limit of 3 messages a day is used up');
      expect((await byOperator({ environmentId, ...none })).body).toMatchObject({ counts: 'environment' });
      await limits.refresh();
      expect((await send(other.key, 1)).status).toBe(201);
    });

    it('loses no limit of the operator to a change by a tenant at the same moment', async () => {
      for (let round = 0; round < 5; round += 1) {
        await byOperator(none);
        await Promise.all([byOperator({ eventsPerSecond: 1 }), put({ messagesPerDay: round + 1 })]);
        expect(await own()).toMatchObject({ eventsPerSecond: 1, messagesPerDay: round + 1 });
      }
    });

    it('refuses to delete an environment that the operator limits, also if it is not known who set the limit', async () => {
      const { environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Limited' });
      await gateway.database.query(`INSERT INTO environment_limit (environment_id, events_per_second) VALUES ($1, 3)`, [
        environment.id,
      ]);
      const unknown = { status: 403, body: { message: expect.stringContaining('by the operator: no reason given') } };
      expect(await gateway.call('DELETE', `/v1/environments/${environment.id}`)).toMatchObject(unknown);
      expect(await put({ environmentId: environment.id, eventsPerSecond: null })).toMatchObject(unknown);
      expect((await byOperator({ environmentId: environment.id, eventsPerSecond: null })).status).toBe(200);
      expect((await gateway.call('DELETE', `/v1/environments/${environment.id}`)).status).toBe(200);
    });

    it('lists the limits of all organizations to the operator, which has to name an environment to set one', async () => {
      const { environment } = await gateway.admin.createOrganization('Listed', { name: 'Foreign', type: 'dev' });
      const list = async (headers = {}) =>
        (
          await gateway.call<LimitsListDto>('GET', '/v1/operations/limits', undefined, {
            authorization: `ApiKey ${OPERATOR_KEY}`,
            ...headers,
          })
        ).body.data.map(({ environmentId }) => environmentId);
      expect(await list()).toEqual(expect.arrayContaining([gateway.environmentId, environment.id]));
      expect(await list({ 'clarion-environment': environment.id })).toEqual([environment.id]);
      expectFieldErrors(await byOperator({ eventsPerSecond: 1 }, { 'clarion-environment': '' }), [
        'Clarion-Environment',
      ]);
      expectFieldErrors(await byOperator({ eventsPerSeconds: 1 }), ['eventsPerSeconds']);
    });
  });
});
