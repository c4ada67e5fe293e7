import type { HoldDto, HoldListDto, IntegrationDto } from '@clarion/contracts';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

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
        heldBy: expect.stringMatching(/./),
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
});
