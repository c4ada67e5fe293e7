import {
  type EnvironmentDto,
  type HoldDto,
  type HoldListDto,
  INSTALLATION_HELD,
  type IntegrationDto,
  LIMITS,
  newId,
} from '@clarion/contracts';
import { holdsOf } from '../src/command-line';
import { callGateway, expectFieldErrors, OPERATOR_KEY, startGateway, type TestGateway } from './harness';

describe('holds', () => {
  let gateway: TestGateway;
  let integrationId: string;
  let workflowId: string;

  beforeAll(async () => {
    gateway = await startGateway();
    const made = await gateway.call<IntegrationDto>('POST', '/v1/integrations', {
      providerId: 'resend',
      channel: 'email',
      name: 'Mail',
    });
    integrationId = made.body._id!;
    const workflow = await gateway.call<{ _id: string }>('POST', '/v2/workflows', {
      name: 'Orders',
      workflowId: 'orders',
      steps: [{ name: 'x', type: 'in_app', controlValues: { body: 'x' } }],
    });
    workflowId = workflow.body._id;
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.query(`DELETE FROM hold`));

  const hold = (body: object) => gateway.call<HoldDto>('POST', '/v1/holds', body);
  const list = async () => (await gateway.call<HoldListDto>('GET', '/v1/holds')).body.data;

  it('holds each kind of target, lists the holds with who, why and since when, and resumes them', async () => {
    const targets = [
      { target: 'integration', id: integrationId, name: 'Mail' },
      { target: 'channel', id: 'sms', name: 'sms' },
      { target: 'workflow', id: workflowId, name: 'Orders' },
      { target: 'environment', id: gateway.environmentId, name: expect.any(String) },
    ];
    for (const { target, id, name } of targets) {
      const made = await hold({ target, id, reason: 'an incident' });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        _environmentId: gateway.environmentId,
        target,
        id,
        name,
        reason: 'an incident',
        heldBy: 'default',
        setBy: 'default',
        createdAt: expect.stringMatching(/Z$/),
        state: 'held',
        waitingSteps: 0,
      });
    }
    const held = await list();
    expect(held.map(({ target }) => target)).toEqual(['environment', 'workflow', 'channel', 'integration']);
    for (const { _id } of held) expect((await gateway.call('DELETE', `/v1/holds/${_id}`)).status).toBe(204);
    expect((await list()).map(({ state, resumedAt }) => [state, resumedAt])).toEqual(
      held.map(() => ['resuming', expect.stringMatching(/Z$/)]),
    );
  });

  it('keeps one hold per target, also under concurrent requests, and a new one after the resume', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => hold({ target: 'channel', id: 'push', reason: `r${at}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(9).fill(200), 201]);
    const [id] = new Set(answers.map(({ body }) => body._id));
    await gateway.call('DELETE', `/v1/holds/${id}`);
    const again = await hold({ target: 'channel', id: 'push' });
    expect(again).toMatchObject({ status: 201, body: { reason: 'no reason given' } });
    expect(again.body._id).not.toBe(id);
  });

  it('pauses and resumes an integration by its short form', async () => {
    const path = `/v1/integrations/${integrationId}`;
    expect(await gateway.call('POST', `${path}/pause`, { reason: 'r' })).toMatchObject({
      status: 201,
      body: { target: 'integration', id: integrationId, reason: 'r' },
    });
    expect((await gateway.call('POST', `${path}/pause`, {})).status).toBe(200);
    expect((await gateway.call('POST', `${path}/resume`)).status).toBe(204);
    expect((await gateway.call('POST', `${path}/resume`)).status).toBe(204);
  });

  it('finds a workflow by its workflowId', async () => {
    expect((await hold({ target: 'workflow', id: 'orders' })).body.id).toBe(workflowId);
  });

  it.each([
    [{}, ['target', 'id']],
    [{ target: 'topic', id: 'x' }, ['target']],
    [{ target: 'channel', id: 'fax' }, ['id']],
    [{ target: 'channel', id: 'email', reason: 'x'.repeat(501) }, ['reason']],
  ])('answers the hold %j with a 422 that names %j', async (body, fields) => {
    expectFieldErrors(await hold(body), fields);
  });

  it('answers 404 for a target, an integration and a hold that the environment does not have', async () => {
    const other = '01a1e28e-4934-7f6d-82a4-486e71a8174c';
    for (const target of ['integration', 'workflow', 'environment']) {
      expect((await hold({ target, id: other })).status).toBe(404);
    }
    expect((await gateway.call('POST', `/v1/integrations/${other}/pause`, {})).status).toBe(404);
    expect((await gateway.call('DELETE', `/v1/holds/${other}`)).status).toBe(404);
    const made = await hold({ target: 'channel', id: 'email' });
    const key = await gateway.secondKey();
    const foreign = await callGateway(gateway.url, key, 'DELETE', `/v1/holds/${made.body._id}`);
    expect(foreign.status).toBe(404);
  });

  it('records holds in the audit log', async () => {
    const { body } = await hold({ target: 'channel', id: 'chat', reason: 'r' });
    await gateway.call('DELETE', `/v1/holds/${body._id}`);
    const log = await gateway.call<{ data: { action: string; resource: { id: string } }[] }>(
      'GET',
      '/v1/audit-log?limit=2',
    );
    expect(log.body.data.map(({ action, resource: { id } }) => [action, id])).toEqual([
      ['hold.deleted', body._id],
      ['hold.created', body._id],
    ]);
  });

  it('resumes the hold of an integration that is deleted', async () => {
    const made = await gateway.call<IntegrationDto>('POST', '/v1/integrations', {
      providerId: 'expo',
      channel: 'push',
    });
    const { body } = await hold({ target: 'integration', id: made.body._id });
    await gateway.call('DELETE', `/v1/integrations/${made.body._id}`);
    expect((await list()).find(({ _id }) => _id === body._id)!.state).toBe('resuming');
  });

  describe('of the operator', () => {
    const why = 'complaints about spam';
    const environment = () => ({
      environmentId: gateway.environmentId,
      environmentName: 'Development',
      organizationId: gateway.organizationId,
    });
    const operator = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
      gateway.call<T>(method, path, body, {
        authorization: `ApiKey ${OPERATOR_KEY}`,
        'clarion-environment': gateway.environmentId,
      });
    const byOperator = (target: string, id: string) =>
      operator<HoldDto>('POST', '/v1/holds', { target, id, reason: why });
    const refusal = { status: 403, body: { message: expect.stringMatching(/operator.*complaints about spam/) } };
    const stateOf = async (id: string) => (await list()).find(({ _id }) => _id === id)?.state;

    it('refuses to resume a hold of the operator with a key of the scope admin, and says who set it and why', async () => {
      const onCommandLine = await holdsOf(gateway.database).hold('cli', environment(), {
        target: 'channel',
        id: 'sms',
        reason: why,
      });
      const made = await byOperator('integration', integrationId);
      expect(made).toMatchObject({ status: 201, body: { setBy: 'operator', reason: why } });
      expect((await list()).map(({ setBy, reason }) => [setBy, reason])).toEqual([
        ['operator', why],
        ['operator', why],
      ]);
      for (const id of [onCommandLine.hold._id, made.body._id]) {
        expect(await gateway.call('DELETE', `/v1/holds/${id}`)).toMatchObject(refusal);
      }
      expect(await gateway.call('POST', `/v1/integrations/${integrationId}/resume`)).toMatchObject(refusal);
      expect((await list()).map(({ state }) => state)).toEqual(['held', 'held']);
      expect((await operator('DELETE', `/v1/holds/${onCommandLine.hold._id}`)).status).toBe(204);
      expect((await operator('POST', `/v1/integrations/${integrationId}/resume`)).status).toBe(204);
      expect((await list()).map(({ state }) => state)).toEqual(['resuming', 'resuming']);
      const log = await gateway.call<{ data: { action: string; actor: object }[] }>('GET', '/v1/audit-log?limit=4');
      expect(log.body.data.map(({ action, actor }) => [action, actor])).toEqual([
        ['hold.deleted', { type: 'operator' }],
        ['hold.deleted', { type: 'operator' }],
        ['hold.created', { type: 'operator' }],
        ['hold.created', { type: 'cli' }],
      ]);
    });

    it('keeps a hold of the operator when the tenant deletes, publishes over or replaces what is held', async () => {
      const gone = { name: 'Gone', workflowId: 'gone', steps: [] };
      const workflow = await gateway.call<{ _id: string }>('POST', '/v2/workflows', gone);
      const held = [
        await byOperator('workflow', workflow.body._id),
        await byOperator('integration', integrationId),
        await byOperator('environment', gateway.environmentId),
      ].map(({ body }) => body._id);
      expect(await gateway.call('DELETE', '/v2/workflows/gone')).toMatchObject(refusal);
      expect(await gateway.call('DELETE', `/v1/integrations/${integrationId}`)).toMatchObject(refusal);
      const { environment: empty } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Empty' });
      const publish = { sourceEnvironmentId: empty.id };
      expect(await gateway.call('POST', `/v2/environments/${gateway.environmentId}/publish`, publish)).toMatchObject(
        refusal,
      );
      expect((await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { kind: 'sandbox' })).status).toBe(
        200,
      );
      const again = await hold({ target: 'environment', id: gateway.environmentId, reason: 'mine' });
      expect(again).toMatchObject({ status: 200, body: { setBy: 'operator', reason: why } });
      for (const id of held) expect(await stateOf(id)).toBe('held');
      expect((await gateway.call('GET', '/v2/workflows/gone')).status).toBe(200);
    });

    it('refuses to let a tenant delete an environment in which the operator holds something', async () => {
      const { environment: other } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Held' });
      const place = { environmentId: other.id, environmentName: other.name, organizationId: other.organizationId };
      await holdsOf(gateway.database).hold('cli', place, { target: 'channel', id: 'sms', reason: why });
      expect(await gateway.call('DELETE', `/v1/environments/${other.id}`)).toMatchObject(refusal);
      expect(await holdsOf(gateway.database).resumeTarget('cli', place, 'channel', 'sms')).toMatchObject({
        resumed: true,
      });
      expect((await gateway.call('DELETE', `/v1/environments/${other.id}`)).status).toBe(200);
    });

    it('puts the hold of the operator over that of a key, which stays when the operator resumes', async () => {
      const { body } = await hold({ target: 'channel', id: 'email', reason: 'mine' });
      expect(await byOperator('channel', 'email')).toMatchObject({
        status: 200,
        body: { _id: body._id, setBy: 'operator', reason: why },
      });
      expect(await gateway.call('DELETE', `/v1/holds/${body._id}`)).toMatchObject(refusal);
      expect((await operator('DELETE', `/v1/holds/${body._id}`)).status).toBe(204);
      expect(await list()).toMatchObject([{ _id: body._id, state: 'held', setBy: 'default', reason: 'mine' }]);
      expect((await gateway.call('DELETE', `/v1/holds/${body._id}`)).status).toBe(204);
      expect(await stateOf(body._id)).toBe('resuming');
    });

    it('keeps the hold that a key asked for while the operator held the target', async () => {
      const { body } = await byOperator('channel', 'chat');
      await hold({ target: 'channel', id: 'chat', reason: 'mine' });
      await operator('DELETE', `/v1/holds/${body._id}`);
      expect(await list()).toMatchObject([{ state: 'held', setBy: 'default', reason: 'mine' }]);
    });

    it('holds for the operator also when the tenant has as many holds as it may have', async () => {
      await gateway.database.query(
        `INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by)
         SELECT uuid_v7(), $1, 'workflow', 'w' || n, 'w', 'r', 'default' FROM generate_series(1, $2::int) n`,
        [gateway.environmentId, LIMITS.holds],
      );
      expect((await hold({ target: 'channel', id: 'sms' })).status).toBe(400);
      expect((await byOperator('channel', 'sms')).status).toBe(201);
    });

    it('holds the environments that are created while the installation is held', async () => {
      const make = async (name: string) => {
        const { body } = await gateway.call<EnvironmentDto>('POST', '/v1/environments', { name });
        const as = <T>(method: string, path: string) =>
          callGateway<T>(gateway.url, body.apiKeys![0]!.key, method, path);
        return { as, held: (await as<HoldListDto>('GET', '/v1/holds')).body.data };
      };
      await hold({ target: 'environment', id: gateway.environmentId, reason: `${INSTALLATION_HELD}mine` });
      expect((await make('Held by a key')).held).toEqual([]);
      const reason = `${INSTALLATION_HELD}restored`;
      const { body } = await operator<HoldDto>('POST', '/v1/holds', {
        target: 'environment',
        id: gateway.environmentId,
        reason,
      });
      const { as, held } = await make('Held');
      expect(held).toMatchObject([{ target: 'environment', name: 'Held', reason, setBy: 'operator', state: 'held' }]);
      expect((await as('DELETE', `/v1/holds/${held[0]!._id}`)).status).toBe(403);
      await operator('DELETE', `/v1/holds/${body._id}`);
      await gateway.database.query(`DELETE FROM hold WHERE id = $1`, [held[0]!._id]);
      expect((await make('Later')).held).toEqual([]);
    });

    it('shows the prefix of a key whose name is that of the operator', async () => {
      const key = { name: 'Operator', scope: 'full' };
      const made = await gateway.call<{ key: string }>(
        'POST',
        `/v1/environments/${gateway.environmentId}/api-keys`,
        key,
      );
      const held = await callGateway<HoldDto>(gateway.url, made.body.key, 'POST', '/v1/holds', {
        target: 'channel',
        id: 'push',
      });
      expect(held.body.setBy).toMatch(/^clr_/);
      expect((await gateway.call('DELETE', `/v1/holds/${held.body._id}`)).status).toBe(204);
    });

    it('requires Clarion-Environment of the operator', async () => {
      const ask = (headers: Record<string, string>) =>
        gateway.call('GET', '/v1/holds', undefined, { authorization: `ApiKey ${OPERATOR_KEY}`, ...headers });
      expectFieldErrors(await ask({}), ['Clarion-Environment']);
      expectFieldErrors(await ask({ 'clarion-environment': 'x' }), ['Clarion-Environment']);
      expect((await ask({ 'clarion-environment': newId() })).status).toBe(404);
      expect((await ask({ 'clarion-environment': gateway.environmentId })).status).toBe(200);
    });
  });
});
