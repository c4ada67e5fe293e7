import type { WorkflowDto, WorkflowVersionDetailDto, WorkflowVersionListDto } from '@clarion/contracts';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

const PATH = '/v2/workflows/order/versions';

describe('versions of a workflow', () => {
  let gateway: TestGateway;
  let first: WorkflowDto;

  const text = { name: 'Text', type: 'sms', stepId: 'text', controlValues: { body: 'One' } };
  const wait = { name: 'Wait', type: 'delay', stepId: 'wait', controlValues: { amount: 1, unit: 'hours' } };
  const put = async (steps: object[], more: object = {}) =>
    (await gateway.call<WorkflowDto>('PUT', '/v2/workflows/order', { name: 'Order', steps, ...more })).body;
  const list = async (query = '') => (await gateway.call<WorkflowVersionListDto>('GET', PATH + query)).body;

  beforeAll(async () => {
    gateway = await startGateway();
    const body = { name: 'Order', workflowId: 'order', steps: [text] };
    first = (await gateway.call<WorkflowDto>('POST', '/v2/workflows', body)).body;
    await put([wait, { ...text, controlValues: { body: 'Two', runIf: { '==': [1, 1] } } }]);
    await put([{ ...text, name: 'SMS', active: false, controlValues: { body: 'Two', runIf: { '==': [1, 1] } } }, wait]);
  });
  afterAll(() => gateway.close());

  it('lists the versions newest first with their changes in words and the key that made them', async () => {
    const { data, hasMore } = await list();
    expect(hasMore).toBe(false);
    expect(data.map(({ version, isCurrent, changes }) => ({ version, isCurrent, changes }))).toEqual([
      {
        version: 3,
        isCurrent: true,
        changes: [
          'Renamed the step "Text" to "SMS".',
          'Switched the step "SMS" off.',
          'Changed the order of the steps to "SMS", "Wait".',
        ],
      },
      {
        version: 2,
        isCurrent: false,
        changes: ['Added the delay step "Wait".', 'Changed Body, Run if of "Text".'],
      },
      { version: 1, isCurrent: false, changes: ['Created with 1 step.'] },
    ]);
    for (const { actor } of data) {
      expect(actor).toMatchObject({ type: 'key', keyId: expect.any(String) as string });
      expect(gateway.key.startsWith(actor!.keyPrefix!)).toBe(true);
    }
  });

  it('reads pages with limit and before', async () => {
    const page = await list('?limit=2');
    expect([page.data.map(({ version }) => version), page.hasMore]).toEqual([[3, 2], true]);
    const rest = await list('?limit=2&before=2');
    expect([rest.data.map(({ version }) => version), rest.hasMore]).toEqual([[1], false]);
  });

  it('retrieves the steps of a version', async () => {
    const { body } = await gateway.call<WorkflowVersionDetailDto>('GET', `${PATH}/1`);
    expect(body).toMatchObject({ version: 1, isCurrent: false });
    expect(body.steps).toEqual([expect.objectContaining({ stepId: 'text', controlValues: { body: 'One' } })]);
  });

  it('restores the steps of a version as a new version, keeps the other fields and records it', async () => {
    await put([wait], { name: 'Order', tags: ['shop'] });
    const restored = await gateway.call<WorkflowDto>('POST', `${PATH}/1/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ name: 'Order', tags: ['shop'] });
    expect(restored.body.steps.map(({ _id, controlValues }) => ({ _id, controlValues }))).toEqual([
      { _id: first.steps[0]!._id, controlValues: { body: 'One' } },
    ]);
    const { data } = await list('?limit=1');
    expect(data).toEqual([
      expect.objectContaining({ version: 5, isCurrent: true, actor: expect.anything() as object }),
    ]);
    await gateway.call('POST', `${PATH}/1/restore`);
    expect((await list('?limit=1')).data[0]!.version).toBe(5);
  });

  it('checks the restored steps by the payload schema of today', async () => {
    await put([{ ...text, controlValues: { body: '{{payload.total}}' } }]);
    const { version } = (await list('?limit=1')).data[0]!;
    await put([text], { payloadSchema: { type: 'object', properties: { name: { type: 'string' } } } });
    const { body } = await gateway.call<WorkflowDto>('POST', `${PATH}/${version}/restore`);
    expect(body.status).toBe('ERROR');
    expect(body.steps[0]!.issues!.controls['body']).toEqual([
      expect.objectContaining({ variableName: 'payload.total' }),
    ]);
  });

  it('answers 404 to an unknown version and 422 to a malformed one', async () => {
    expect((await gateway.call('GET', `${PATH}/99`)).status).toBe(404);
    expect((await gateway.call('POST', `${PATH}/99/restore`)).status).toBe(404);
    expectFieldErrors(await gateway.call('GET', `${PATH}/0`), ['version']);
    expectFieldErrors(await gateway.call('POST', `${PATH}/1e3/restore`), ['version']);
  });

  it('shows no version to another environment and restores none with a read key', async () => {
    const headers = { authorization: `ApiKey ${await gateway.secondKey()}` };
    expect((await gateway.call('GET', PATH, undefined, headers)).status).toBe(404);
    expect((await gateway.call('POST', `${PATH}/1/restore`, undefined, headers)).status).toBe(404);
    const path = `/v1/environments/${gateway.environmentId}/api-keys`;
    const { key } = (await gateway.call<{ key: string }>('POST', path, { scope: 'read' })).body;
    const reader = { authorization: `ApiKey ${key}` };
    expect((await gateway.call('GET', PATH, undefined, reader)).status).toBe(200);
    expect((await gateway.call('POST', `${PATH}/1/restore`, undefined, reader)).status).toBe(403);
  });
});
