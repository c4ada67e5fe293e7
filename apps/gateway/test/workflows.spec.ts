import {
  type AuthoredStepType,
  type JsonObject,
  type StepPreviewDto,
  TENANT_LIMITS,
  type WorkflowDto,
  type WorkflowListDto,
  type WorkflowStep,
  type WorkflowStepDto,
} from '@clarion/contracts';
import { until } from '@clarion/testing';
import { WorkflowDirectory } from '../src/authoring/workflows/workflow-directory';
import { WorkflowsService } from '../src/authoring/workflows/workflows.service';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

const PATH = '/v2/workflows';
const sms = (body: string, extra: object = {}) => ({ name: 'Text', type: 'sms', controlValues: { body }, ...extra });

describe('workflows', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    // Without an integration on its channel a step has an issue.
    for (const [channel, providerId] of Object.entries({
      email: 'email-webhook',
      sms: 'generic-sms',
      chat: 'slack',
      push: 'push-webhook',
    })) {
      await gateway.database.query(
        `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active)
         VALUES (gen_random_uuid(), $1, $2, $2, $2, $3, true)`,
        [gateway.environmentId, providerId, channel],
      );
    }
  });
  afterAll(() => gateway.close());

  const create = (body: object) => gateway.call<WorkflowDto>('POST', PATH, { name: 'W', steps: [], ...body });
  const put = (id: string, body: object) => gateway.call<WorkflowDto>('PUT', `${PATH}/${id}`, body);
  const get = (id: string) => gateway.call<WorkflowDto>('GET', `${PATH}/${id}`);
  const versions = (id: string) =>
    gateway.database.rows<{ version: number; steps: WorkflowStep[] }>(
      `SELECT version, steps FROM workflow_version WHERE workflow_id = $1 ORDER BY version`,
      [id],
    );

  it('handles few requests for workflows of an organization at a time, and those of others beside them', async () => {
    const { status } = await create({ workflowId: 'in-turn' });
    expect(status).toBe(201);
    const { retrieve } = WorkflowsService.prototype;
    let [running, most] = [0, 0];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const reading = jest.spyOn(WorkflowsService.prototype, 'retrieve').mockImplementation(async function (
      this: WorkflowsService,
      ...given
    ) {
      const isOurs = given[0].environmentId === gateway.environmentId;
      if (isOurs) most = Math.max(most, (running += 1));
      if (isOurs) await released;
      return retrieve.apply(this, given).finally(() => isOurs && (running -= 1));
    });
    const answers = Array.from({ length: 12 }, () => get('in-turn'));
    await until(() => running === TENANT_LIMITS.documents().environment);
    const { key } = await gateway.admin.createOrganization('Other', { name: 'Theirs' });
    expect((await callGateway(gateway.url, key, 'GET', `${PATH}/unknown`)).status).toBe(404);
    release();
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    expect(most).toBe(TENANT_LIMITS.documents().environment);
    reading.mockRestore();
  });

  it('creates a workflow with every field and answers 201', async () => {
    const payloadSchema = {
      type: 'object',
      properties: { order: { type: 'string' }, total: { type: 'number', default: 3 } },
    };
    const filters = [
      {
        isNegated: false,
        type: 'GROUP',
        value: 'AND',
        children: [{ field: 'a', value: '1', operator: 'EQUAL', on: 'payload' }],
      },
    ];
    const answer = await create({
      name: 'Order shipped',
      workflowId: 'order-shipped',
      description: 'Tells the customer',
      tags: ['orders', 'orders', 'shop'],
      validatePayload: true,
      payloadSchema,
      severity: 'high',
      origin: 'novu-cloud',
      __source: 'editor',
      preferences: {
        workflow: { all: { enabled: true, readOnly: true }, channels: { sms: { enabled: false } } },
        user: { all: { enabled: false } },
      },
      steps: [
        { name: 'Wait', type: 'digest', controlValues: { amount: 5, unit: 'minutes' } },
        {
          name: 'Mail',
          type: 'email',
          stepId: 'the_mail',
          controlValues: { subject: 'Hi', body: 'x' },
          filters,
          active: false,
          shouldStopOnFail: true,
          variants: [{ name: 'Gold', filters, controlValues: { subject: 'Dear' } }],
        },
      ],
    });

    expect(answer.status).toBe(201);
    const { body } = answer;
    const allChannels = (enabled: boolean) =>
      Object.fromEntries(['in_app', 'email', 'sms', 'chat', 'push'].map((channel) => [channel, { enabled }]));
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workflowId: 'order-shipped',
      slug: expect.stringMatching(/^order-shipped_wf_[0-9A-Za-z]+$/),
      name: 'Order shipped',
      description: 'Tells the customer',
      tags: ['orders', 'shop'],
      active: true,
      status: 'ACTIVE',
      origin: 'platform-cloud',
      severity: 'high',
      revision: expect.stringMatching(/^[\w-]{43}$/),
      validatePayload: true,
      escapeHtml: true,
      whileRetrying: 'continue',
      payloadSchema,
      payloadExample: { order: 'order', total: 3 },
      preferences: {
        default: {
          all: { enabled: true, readOnly: true },
          channels: { ...allChannels(true), sms: { enabled: false } },
        },
        user: { all: { enabled: false, readOnly: false }, channels: allChannels(false) },
      },
      steps: [expect.any(Object), expect.any(Object)],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(body.steps[0]).toMatchObject({
      stepId: 'wait',
      type: 'digest',
      active: true,
      shouldStopOnFail: false,
      filters: [],
      variants: [],
    });
    expect(body.steps[1]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      stepId: 'the_mail',
      slug: expect.stringMatching(/^mail_st_[0-9A-Za-z]+$/),
      name: 'Mail',
      type: 'email',
      origin: 'platform-cloud',
      workflowId: 'order-shipped',
      workflowDatabaseId: body._id,
      controls: { values: { subject: 'Hi', body: 'x' } },
      controlValues: { subject: 'Hi', body: 'x' },
      variables: expect.objectContaining({ type: 'object' }),
      active: false,
      shouldStopOnFail: true,
      filters,
      variants: [{ _id: expect.any(String), name: 'Gold', active: true, filters, controlValues: { subject: 'Dear' } }],
    });
    const { properties } = body.steps[1]!.variables as { properties: Record<string, { properties: JsonObject }> };
    expect(properties['payload']).toEqual(payloadSchema);
    expect(Object.keys(properties['steps']!.properties)).toEqual(['wait']);
  });

  it('creates a minimal workflow and leaves out its absent fields', async () => {
    const { status, body } = await create({ workflowId: 'smallest' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      active: true,
      status: 'ACTIVE',
      severity: 'none',
      validatePayload: false,
      tags: [],
      steps: [],
    });
    for (const absent of ['description', 'payloadSchema', 'payloadExample', 'lastTriggeredAt']) {
      expect(body).not.toHaveProperty(absent);
    }
    expect(body.preferences).not.toHaveProperty('user');
  });

  it('adds a random suffix to a workflowId that is taken, also under concurrent creates', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ workflowId: 'taken' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const ids = answers.map(({ body }) => body.workflowId);
    expect(new Set(ids).size).toBe(10);
    expect(ids.filter((id) => id === 'taken')).toHaveLength(1);
    expect(ids.filter((id) => /^taken-[0-9a-f]{8}$/.test(id))).toHaveLength(9);
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined, workflowId: 'x' }, 'name'],
    ['a blank name', { name: ' ', workflowId: 'x' }, 'name'],
    ['no workflowId', {}, 'workflowId'],
    ['a workflowId with a space', { workflowId: 'a b' }, 'workflowId'],
    ['a workflowId that ends with a dash', { workflowId: 'a-' }, 'workflowId'],
    ['no steps', { workflowId: 'x', steps: undefined }, 'steps'],
    ['steps that are not a list', { workflowId: 'x', steps: {} }, 'steps'],
    ['21 steps', { workflowId: 'x', steps: Array(21).fill(sms('x')) }, 'steps'],
    ['a step that is not an object', { workflowId: 'x', steps: ['sms'] }, 'steps'],
    ['an unknown step type', { workflowId: 'x', steps: [sms('x'), { name: 'F', type: 'fax' }] }, 'steps.1.type'],
    ['a trigger step', { workflowId: 'x', steps: [{ name: 'F', type: 'trigger' }] }, 'steps.0.type'],
    ['a step without a name', { workflowId: 'x', steps: [{ type: 'sms' }] }, 'steps.0.name'],
    [
      'controlValues that are a list',
      { workflowId: 'x', steps: [sms('x', { controlValues: [] })] },
      'steps.0.controlValues',
    ],
    ['a malformed step id', { workflowId: 'x', steps: [sms('x', { _id: '1' })] }, 'steps.0._id'],
    ['a stepId with a dot', { workflowId: 'x', steps: [sms('x', { stepId: 'a.b' })] }, 'steps.0.stepId'],
    [
      'a stepId twice',
      { workflowId: 'x', steps: [sms('x', { stepId: 'a' }), sms('y', { stepId: 'a' })] },
      'steps.1.stepId',
    ],
    [
      'an unknown filter operator',
      {
        workflowId: 'x',
        steps: [sms('x', { filters: [{ children: [{ field: 'a', value: 'b', on: 'payload', operator: 'X' }] }] })],
      },
      'steps.0.filters.0.children.0.operator',
    ],
    [
      'a variant with a bad field',
      { workflowId: 'x', steps: [sms('x', { variants: [{ active: 'yes' }] })] },
      'steps.0.variants.0.active',
    ],
    ['17 tags', { workflowId: 'x', tags: Array.from({ length: 17 }, (_, index) => `t${index}`) }, 'tags'],
    ['a long tag', { workflowId: 'x', tags: ['x'.repeat(65)] }, 'tags'],
    ['an unknown severity', { workflowId: 'x', severity: 'huge' }, 'severity'],
    ['an unknown origin', { workflowId: 'x', origin: 'moon' }, 'origin'],
    ['active as a text', { workflowId: 'x', active: 'true' }, 'active'],
    ['null for active', { workflowId: 'x', active: null }, 'active'],
    [
      'a preference that is not a boolean',
      { workflowId: 'x', preferences: { user: { all: { enabled: 1 } } } },
      'preferences.user.all.enabled',
    ],
    ['a schema of an unknown type', { workflowId: 'x', payloadSchema: { type: 'nonsense' } }, 'payloadSchema'],
    [
      'a schema with an external reference',
      { workflowId: 'x', payloadSchema: { $ref: 'https://example.com/a.json' } },
      'payloadSchema',
    ],
    ['a schema that is a list', { workflowId: 'x', payloadSchema: [] }, 'payloadSchema'],
    [
      'a schema that is too large',
      { workflowId: 'x', payloadSchema: { description: 'x'.repeat(70_000) } },
      'payloadSchema',
    ],
  ])('answers %s with a 422 that names the field', async (_, body, field) => {
    const answer = await gateway.call<{ errors: Record<string, unknown> }>('POST', PATH, {
      name: 'W',
      steps: [],
      ...body,
    });
    expect(answer.status).toBe(422);
    const named = Object.keys(answer.body.errors);
    expect(named[0]).toBe(field);
    expect(named.filter((name) => !name.startsWith(field))).toEqual([]);
  });

  it('finds a workflow by workflowId, id and slug, also by the old slug after a rename', async () => {
    const { body } = await create({ workflowId: 'three.names', name: 'First name' });
    for (const id of ['three.names', body._id, body._id.toUpperCase(), body.slug]) {
      expect(await get(id)).toMatchObject({ status: 200, body: { _id: body._id } });
    }
    await gateway.call('PATCH', `${PATH}/three.names`, { name: 'Second name' });
    expect((await get(body.slug)).body).toMatchObject({
      _id: body._id,
      slug: expect.stringMatching(/^second-name_wf_/),
    });
  });

  it('prefers a workflowId to an id with the same text', async () => {
    const { body: first } = await create({ workflowId: 'has-an-id' });
    const { body: second } = await create({ workflowId: first._id });
    expect((await get(first._id)).body._id).toBe(second._id);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('answers 404 to %s of an unknown workflow', async (method) => {
    for (const id of ['missing', '018f0000-0000-7000-8000-000000000000', 'x_wf_0']) {
      const body = method === 'PUT' ? { name: 'W', steps: [] } : method === 'PATCH' ? {} : undefined;
      expect(await gateway.call(method, `${PATH}/${id}`, body)).toMatchObject({
        status: 404,
        body: { message: `Workflow ${id} was not found` },
      });
    }
  });

  it('refuses a replacement of another revision than the current one', async () => {
    const { body: first } = await create({ workflowId: 'revised', name: 'W', steps: [sms('one', { stepId: 's' })] });
    const { revision } = first;
    expect((await get('revised')).body.revision).toBe(revision);
    const change = { name: 'W', steps: [sms('two', { stepId: 's' })], revision };
    const { status, body: second } = await put('revised', change);
    expect([status, second.revision]).toEqual([200, (await get('revised')).body.revision]);
    expect(second.revision).not.toBe(revision);
    expect((await put('revised', { ...change, steps: [] })).status).toBe(409);
    expect((await get('revised')).body.steps).toHaveLength(1);
    // What is the same again has the same revision, whenever it was written.
    const { body: third } = await put('revised', {
      ...change,
      steps: [sms('one', { stepId: 's' })],
      revision: undefined,
    });
    expect(third.revision).toBe(revision);
  });

  it('replaces the whole workflow: keeps step ids, deletes missing steps and resets absent fields', async () => {
    const { body: before } = await create({
      workflowId: 'replaced',
      description: 'd',
      tags: ['t'],
      active: false,
      severity: 'low',
      payloadSchema: {},
      steps: [sms('one', { stepId: 'one' }), sms('two', { stepId: 'two' }), sms('three', { stepId: 'three' })],
    });
    const [, two, three] = before.steps;
    const { status, body: after } = await put('replaced', {
      name: 'New name',
      workflowId: 'ignored',
      steps: [sms('new', { name: 'New' }), { ...sms('three'), _id: three!._id }, sms('two again', { stepId: 'two' })],
    });
    expect(status).toBe(200);
    expect(after.steps.map(({ stepId, controlValues }) => [stepId, controlValues['body']])).toEqual([
      ['new', 'new'],
      ['three', 'three'],
      ['two', 'two again'],
    ]);
    expect(after.steps.slice(1).map(({ _id }) => _id)).toEqual([three!._id, two!._id]);
    expect(after).toMatchObject({
      _id: before._id,
      workflowId: 'replaced',
      name: 'New name',
      active: false,
      tags: [],
      severity: 'none',
    });
    for (const absent of ['description', 'payloadSchema']) expect(after).not.toHaveProperty(absent);
    expect((await get('replaced')).body).toEqual(after);
  });

  it('patches single fields of a workflow', async () => {
    await create({ workflowId: 'patched', description: 'd', payloadSchema: { type: 'object' }, steps: [sms('x')] });
    const patch = (body: object) => gateway.call<WorkflowDto>('PATCH', `${PATH}/patched`, body);
    expect(await patch({ active: false })).toMatchObject({ status: 200, body: { active: false, status: 'INACTIVE' } });
    expect((await patch({ tags: ['a', 'a'], severity: 'medium', validatePayload: true })).body).toMatchObject({
      active: false,
      tags: ['a'],
      severity: 'medium',
      validatePayload: true,
      description: 'd',
    });
    const { body } = await patch({
      name: 'N',
      description: null,
      payloadSchema: null,
      active: true,
      workflowId: 'ignored',
    });
    expect(body).toMatchObject({ name: 'N', workflowId: 'patched', status: 'ACTIVE', severity: 'medium' });
    for (const absent of ['description', 'payloadSchema']) expect(body).not.toHaveProperty(absent);
    expect((await patch({})).body).toMatchObject({ name: 'N', tags: ['a'] });

    expectFieldErrors(await gateway.call('PATCH', `${PATH}/patched`, { payloadSchema: { type: 1 } }), [
      'payloadSchema',
    ]);
  });

  describe('workflow versions', () => {
    it('writes a version for each change of the steps and keeps the old ones unchanged', async () => {
      const { body } = await create({ workflowId: 'versioned', steps: [sms('one', { stepId: 's' })] });
      const first = await versions(body._id);
      await put('versioned', { name: 'W', steps: [sms('two', { stepId: 's' })] });
      await put('versioned', { name: 'W', steps: [] });

      const all = await versions(body._id);
      expect(
        all.map(({ version, steps }) => [version, steps.map(({ controlValues }) => controlValues['body'])]),
      ).toEqual([
        [1, ['one']],
        [2, ['two']],
        [3, []],
      ]);
      expect(all[0]).toEqual(first[0]);
    });

    it('writes no version when the steps stay the same', async () => {
      const filters = [{ children: [{ field: 'a', value: '1', operator: 'EQUAL', on: 'payload' }] }];
      const step = sms('x', { stepId: 's', filters, variants: [{ controlValues: { body: 'v' } }] });
      const { body } = await create({ workflowId: 'unchanged', steps: [step] });
      const [{ _id, variants }] = body.steps as [WorkflowStepDto];
      await gateway.call('PATCH', `${PATH}/unchanged`, { name: 'Other', active: false });
      const { body: after } = await put('unchanged', {
        name: 'Third',
        steps: [{ ...step, _id, variants: [{ ...variants[0], active: true }] }],
      });
      expect(after).toMatchObject({ name: 'Third', steps: body.steps });
      expect(await versions(body._id)).toHaveLength(1);
    });

    it('prevents changes of a version in the database itself', async () => {
      const { body } = await create({ workflowId: 'immutable', steps: [sms('x')] });
      await expect(
        gateway.database.execute(`UPDATE workflow_version SET steps = '[]' WHERE workflow_id = $1`, [body._id]),
      ).rejects.toThrow('workflow_version rows are immutable');
    });

    it('numbers versions without a gap under concurrent edits', async () => {
      const { body } = await create({ workflowId: 'busy', steps: [sms('0', { stepId: 's' })] });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          put('busy', { name: 'W', steps: [sms(`edit ${index}`, { stepId: 's' })] }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const all = await versions(body._id);
      expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      const texts = all.slice(1).map(({ steps }) => steps[0]!.controlValues['body']);
      expect(new Set(texts).size).toBe(20);
      expect((await get('busy')).body.steps[0]!.controlValues['body']).toBe(texts.at(-1));
    });
  });

  it('writes one version under ten concurrent equal edits', async () => {
    const { body } = await create({ workflowId: 'equal-edits', steps: [sms('0', { stepId: 's' })] });
    const edits = Array.from({ length: 10 }, () =>
      put('equal-edits', { name: 'W', steps: [sms('1', { stepId: 's' }), sms('2', { stepId: 'new' })] }),
    );
    const answers = await Promise.all(edits);
    expect(await versions(body._id)).toHaveLength(2);
    expect(new Set(answers.map((answer) => answer.body.steps[1]!._id)).size).toBe(1);
  });

  it('deletes a workflow: answers 404 afterwards, frees the workflowId and keeps the versions', async () => {
    const { body: gone } = await create({
      workflowId: 'deleted',
      name: 'Deleted one',
      steps: [sms('x', { stepId: 's' })],
    });
    const answer = await gateway.call('DELETE', `${PATH}/deleted`);
    expect(answer).toMatchObject({ status: 204, text: '' });

    for (const id of ['deleted', gone._id, gone.slug]) {
      expect((await get(id)).status).toBe(404);
      expect((await put(id, { name: 'W', steps: [] })).status).toBe(404);
      expect((await gateway.call('PATCH', `${PATH}/${id}`, {})).status).toBe(404);
      expect((await gateway.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
      expect((await gateway.call('GET', `${PATH}/${id}/steps/s`)).status).toBe(404);
      expect((await gateway.call('POST', `${PATH}/${id}/step/s/preview`, {})).status).toBe(404);
    }
    const list = await gateway.call<WorkflowListDto>('GET', `${PATH}?query=Deleted%20one`);
    expect(list.body).toEqual({ workflows: [], totalCount: 0 });

    const { body: again } = await create({ workflowId: 'deleted' });
    expect(again).toMatchObject({ workflowId: 'deleted' });
    expect(again._id).not.toBe(gone._id);
    expect(await versions(gone._id)).toHaveLength(1);
  });

  it('never shows workflows of another environment', async () => {
    const { body } = await create({ workflowId: 'mine', steps: [sms('x', { stepId: 's' })] });
    const asStranger = { authorization: `ApiKey ${await gateway.secondKey()}` };
    for (const id of ['mine', body._id, body.slug]) {
      for (const [method, path, content] of [
        ['GET', ''],
        ['PUT', '', { name: 'W', steps: [] }],
        ['PATCH', '', { name: 'X' }],
        ['DELETE', ''],
        ['GET', '/steps/s'],
        ['POST', '/step/s/preview', {}],
      ] as [string, string, object?][]) {
        const foreign = await gateway.call(method, `${PATH}/${id}${path}`, content, asStranger);
        expect(foreign).toMatchObject({ status: 404, body: { message: `Workflow ${id} was not found` } });
      }
    }
    const list = await gateway.call('GET', PATH, undefined, asStranger);
    expect(list.body).toEqual({ workflows: [], totalCount: 0 });
    const own = await gateway.call('POST', PATH, { name: 'W', workflowId: 'mine', steps: [] }, asStranger);
    expect(own.body).toMatchObject({ workflowId: 'mine' });
    expect((await get('mine')).body).toEqual(body);
  });

  it('creates one workflow for two calls with one idempotency key', async () => {
    const body = { name: 'W', workflowId: 'once', steps: [sms('x')] };
    const key = { 'idempotency-key': 'workflow-once' };
    const first = await gateway.call('POST', PATH, body, key);
    const second = await gateway.call('POST', PATH, body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
  });

  describe('issues of step controls', () => {
    it.each<[AuthoredStepType, JsonObject, string]>([
      ['email', { body: 'x' }, 'subject'],
      ['in_app', { avatar: '/a.png' }, 'body'],
      ['sms', {}, 'body'],
      ['chat', { body: '' }, 'body'],
      ['push', { subject: 'x', body: 7 }, 'body'],
      ['delay', { type: 'regular', amount: 1 }, 'unit'],
      ['digest', { type: 'timed', cron: 'soon' }, 'cron'],
      ['throttle', { amount: 1, unit: 'months' }, 'unit'],
      ['custom', { text: '{{ oops' }, 'text'],
    ])('saves a %s step with %j and lists an issue under %s', async (type, controlValues, field) => {
      const { status, body } = await create({ workflowId: `bad-${type}`, steps: [{ name: 'S', type, controlValues }] });
      expect(status).toBe(201);
      expect(body.status).toBe('ERROR');
      expect(body.steps[0]!.issues).toEqual({
        controls: { [field]: [{ issueType: expect.any(String), message: expect.any(String) }] },
      });
      const { body: list } = await gateway.call<WorkflowListDto>('GET', `${PATH}?query=${body.workflowId}`);
      expect(list.workflows[0]).toMatchObject({ status: 'ERROR', steps: [{ issues: body.steps[0]!.issues }] });
    });

    it.each<[AuthoredStepType, JsonObject]>([
      ['email', { subject: 'x', body: 'y' }],
      ['in_app', { body: 'x' }],
      ['sms', { body: 'x' }],
      ['chat', { body: 'x' }],
      ['push', { subject: 'x', body: 'y' }],
      ['delay', { type: 'scheduled', delayPath: 'sendAt' }],
      ['digest', { amount: 1, unit: 'hours', digestKey: 'payload.order', lookBackWindow: { amount: 1, unit: 'days' } }],
      ['throttle', { amount: 1, unit: 'hours', threshold: 2 }],
      ['custom', { anything: 1 }],
    ])('lists no issues for a valid %s step', async (type, controlValues) => {
      const { body } = await create({ workflowId: `good-${type}`, steps: [{ name: 'S', type, controlValues }] });
      expect(body.status).toBe('ACTIVE');
      expect(body.steps[0]).not.toHaveProperty('issues');
    });

    it('keeps the status ERROR until the issues are fixed, active or not', async () => {
      const { body } = await create({ workflowId: 'mended', active: false, steps: [sms('', { stepId: 's' })] });
      expect(body.status).toBe('ERROR');
      const patched = await gateway.call('PATCH', `${PATH}/mended`, { active: true });
      expect(patched.body).toMatchObject({ active: true, status: 'ERROR' });
      expect((await put('mended', { name: 'W', steps: [sms('x', { stepId: 's' })] })).body.status).toBe('ACTIVE');
    });
  });

  it('retrieves a step by stepId, id and slug', async () => {
    const { body } = await create({ workflowId: 'with-steps', steps: [sms('a'), sms('b', { stepId: 'second' })] });
    const step = body.steps[1]!;
    for (const id of ['second', step._id, step.slug]) {
      const answer = await gateway.call<WorkflowStepDto>('GET', `${PATH}/with-steps/steps/${id}`);
      expect(answer).toMatchObject({ status: 200, body: step });
    }
    expect(await gateway.call('GET', `${PATH}/with-steps/steps/third`)).toMatchObject({
      status: 404,
      body: { message: 'Step third was not found' },
    });
  });

  it('translates the origin of a workflow for a @novu/ client', async () => {
    const agent = { 'user-agent': 'speakeasy-sdk @novu/api' };
    await create({ workflowId: 'dialect', steps: [sms('x')] });
    const one = await gateway.call<{ data: WorkflowDto }>('GET', `${PATH}/dialect`, undefined, agent);
    expect(one.body.data).toMatchObject({ origin: 'novu-cloud', steps: [{ origin: 'novu-cloud' }] });
    const list = await gateway.call<{ data: WorkflowListDto }>('GET', `${PATH}?query=dialect`, undefined, agent);
    expect(list.body.data).toMatchObject({ totalCount: 1, workflows: [{ origin: 'novu-cloud' }] });
  });
});

describe('GET /v2/workflows', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    const workflows = [
      {
        workflowId: 'alpha',
        name: 'Zulu',
        tags: ['a', 'b'],
        steps: [sms('x'), { name: 'D', type: 'delay', controlValues: { amount: 1, unit: 'days' } }],
      },
      { workflowId: 'beta', name: 'Yankee 100%', tags: ['b'], active: false },
      { workflowId: 'gamma', name: 'X-Ray', tags: ['c'], steps: [sms('')] },
      { workflowId: 'delta', name: 'Whiskey' },
    ];
    for (const workflow of workflows) await gateway.call('POST', PATH, { steps: [], ...workflow });
    await gateway.call('PATCH', `${PATH}/alpha`, { description: 'edited last' });
    await gateway.database.execute(
      `UPDATE workflow SET last_triggered_at =
              now() - (CASE workflow_id WHEN 'beta' THEN interval '1 hour' ELSE interval '2 hours' END)
        WHERE workflow_id IN ('beta', 'gamma')`,
    );
  });
  afterAll(() => gateway.close());

  const list = (query: string) => gateway.call<WorkflowListDto>('GET', `${PATH}?${query}`);
  const ids = (body: WorkflowListDto) => body.workflows.map(({ workflowId }) => workflowId);

  it('lists workflows newest first with an overview of the steps', async () => {
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(ids(body)).toEqual(['delta', 'gamma', 'beta', 'alpha']);
    expect(body.totalCount).toBe(4);
    expect(body.workflows[3]).toEqual({
      _id: expect.any(String),
      workflowId: 'alpha',
      slug: expect.stringMatching(/^zulu_wf_/),
      name: 'Zulu',
      description: 'edited last',
      tags: ['a', 'b'],
      active: true,
      status: 'ACTIVE',
      origin: 'platform-cloud',
      severity: 'none',
      stepTypeOverviews: ['sms', 'delay'],
      steps: [
        {
          _id: expect.any(String),
          stepId: 'text',
          slug: expect.stringMatching(/^text_st_/),
          name: 'Text',
          type: 'sms',
        },
        { _id: expect.any(String), stepId: 'd', slug: expect.stringMatching(/^d_st_/), name: 'D', type: 'delay' },
      ],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ['orderDirection=ASC', ['alpha', 'beta', 'gamma', 'delta']],
    ['orderBy=name&orderDirection=ASC', ['delta', 'gamma', 'beta', 'alpha']],
    ['orderBy=updatedAt&limit=1', ['alpha']],
    ['orderBy=lastTriggeredAt&limit=2', ['beta', 'gamma']],
    ['orderBy=lastTriggeredAt&orderDirection=ASC&limit=2', ['gamma', 'beta']],
    ['limit=2&offset=1', ['gamma', 'beta']],
    ['offset=4', []],
  ])('orders and pages workflows by %s', async (query, expected) => {
    const { body } = await list(query);
    expect(ids(body)).toEqual(expected);
    expect(body.totalCount).toBe(4);
  });

  it.each([
    ['query=zU', ['alpha']],
    ['query=ET', ['beta']],
    ['query=100%25', ['beta']],
    ['query=_', []],
    ['tags=a', ['alpha']],
    ['tags=a&tags=c', ['gamma', 'alpha']],
    ['tags[]=b', ['beta', 'alpha']],
    ['status=ERROR', ['gamma']],
    ['status=ERROR&status=INACTIVE', ['gamma', 'beta']],
    ['status=ACTIVE&tags=b&query=a', ['alpha']],
  ])('filters workflows by %s', async (query, expected) => {
    const { body } = await list(query);
    expect(ids(body)).toEqual(expected);
    expect(body.totalCount).toBe(expected.length);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=10000001', 'offset'],
    ['orderBy=id', 'orderBy'],
    ['orderDirection=up', 'orderDirection'],
    ['status=BROKEN', 'status'],
  ])('answers the workflow query %s with a 422 that names %s', async (query, field) => {
    expectFieldErrors(await gateway.call('GET', `${PATH}?${query}`), [field]);
  });
});

describe('step issues', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const save = async (workflowId: string, steps: object[], more: object = {}) =>
    (await gateway.call<WorkflowDto>('POST', PATH, { name: 'W', workflowId, steps, ...more })).body;
  const MISSING = { email: [{ issueType: 'MISSING_INTEGRATION', message: expect.stringContaining('email') }] };

  it('lists misspelt controls, unknown variables and filters as issues, and sets the status ERROR', async () => {
    const payloadSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const body = await save(
      'misspelt',
      [
        { name: 'Limit', type: 'throttle', controlValues: { amount: 1, unit: 'hours', limit: 3 } },
        {
          name: 'Bell',
          type: 'in_app',
          controlValues: { body: '{{payload.nme}}', subject: '{{steps.limit.throttled}} {{payload.name | shout}}' },
        },
      ],
      { payloadSchema },
    );
    expect(body.status).toBe('ERROR');
    expect(body.steps[0]!.issues).toEqual({
      controls: {
        limit: [
          { issueType: 'UNSUPPORTED_PROPERTY', message: 'there is no control "limit"; did you mean "threshold"?' },
        ],
      },
    });
    expect(body.steps[1]!.issues).toEqual({
      controls: {
        body: [
          {
            issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
            variableName: 'payload.nme',
            message: 'the variable "payload.nme" is unknown; did you mean "payload.name"?',
          },
        ],
        subject: [
          {
            issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
            message: expect.stringContaining('undefined filter: shout'),
          },
        ],
      },
    });
  });

  it('lists a missing layout and a channel without an integration as issues until they exist', async () => {
    const step = { name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B', layoutId: 'newsletter' } };
    const saved = await save('surroundings', [step]);
    const layoutIssue = { issueType: 'UNSUPPORTED_PROPERTY', message: expect.stringContaining('newsletter') };
    expect(saved.steps[0]!.issues).toEqual({ controls: { layoutId: [layoutIssue] }, integration: MISSING });
    const found = async () => (await gateway.call<WorkflowDto>('GET', `${PATH}/surroundings`)).body.steps[0]!.issues;
    expect(await found()).toEqual(saved.steps[0]!.issues);

    await gateway.call('POST', '/v2/layouts', { layoutId: 'newsletter', name: 'N' });
    expect(await found()).toEqual({ controls: {}, integration: MISSING });
    const credentials = { apiKey: 'k', from: 'a@x.test', senderName: 'A' };
    const created = await gateway.call('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials,
    });
    expect(created.status).toBe(201);
    expect(await found()).toBeUndefined();
  });
});

describe('POST /v2/workflows/{workflowId}/step/{stepId}/preview', () => {
  let gateway: TestGateway;

  const STEPS = {
    digest: { amount: 1, unit: 'hours' },
    email: {
      subject: 'Hi {{subscriber.firstName}}',
      body: '<p>{{payload.order.id}} {{payload.missing}}</p>',
      editorType: 'html',
    },
    in_app: {
      subject: '{{payload.order.id}}',
      body: '{{workflow.name}}',
      avatar: 'https://example.com/{{payload.order.id}}.png',
      primaryAction: {
        label: 'Open {{payload.order.id}}',
        redirect: { url: '/o/{{payload.order.id}}', target: '_self' },
      },
      data: { id: '{{payload.order.id}}', n: 1 },
    },
    sms: { body: '{{steps.digest.eventCount | pluralize: "order"}}', skip: { '==': [1, 1] } },
    chat: { body: '{% for e in steps.digest.events %}{{e.payload.order.id}};{% endfor %}' },
    push: { subject: 'S', body: '{{context.tenant.id}}' },
    delay: { type: 'dynamic', dynamicKey: 'payload.at' },
  };

  beforeAll(async () => {
    gateway = await startGateway();
    const steps = Object.entries(STEPS).map(([type, controlValues]) => ({
      name: type,
      stepId: type,
      type,
      controlValues,
    }));
    await gateway.call('POST', PATH, { name: 'Orders', workflowId: 'previewed', steps });
  });
  afterAll(() => gateway.close());

  const preview = (step: string, body: object = {}) =>
    gateway.call<StepPreviewDto>('POST', `${PATH}/previewed/step/${step}/preview`, body);

  it('previews a template with a path of more levels than the stack reaches, and goes on for others', async () => {
    const body = `{{ payload.order.id }} {{ ${'a.'.repeat(6_000)}a }}.`;
    expect(await preview('in_app', { controlValues: { body } })).toMatchObject({
      status: 201,
      body: { result: { preview: { body: 'id .' } }, previewPayloadExample: { payload: { order: { id: 'id' } } } },
    });
    const key = await gateway.secondKey();
    const steps = [{ name: 'S', stepId: 's', type: 'sms', controlValues: { body: 'Hi {{payload.name}}' } }];
    await callGateway(gateway.url, key, 'POST', PATH, { name: 'Other', workflowId: 'other', steps });
    expect(await callGateway(gateway.url, key, 'POST', `${PATH}/other/step/s/preview`, {})).toMatchObject({
      body: { result: { preview: { body: 'Hi name' } } },
    });
  });

  const previewPayload = {
    subscriber: { firstName: 'Ada' },
    payload: { order: { id: 'A1' } },
    steps: {
      digest: { eventCount: 2, events: [{ payload: { order: { id: 'A1' } } }, { payload: { order: { id: 'A2' } } }] },
    },
    context: { tenant: { id: 'acme' } },
  };

  it.each<[string, JsonObject]>([
    ['email', { subject: 'Hi Ada', body: '<p>A1 </p>' }],
    [
      'in_app',
      {
        subject: 'A1',
        body: 'Orders',
        avatar: 'https://example.com/A1.png',
        primaryAction: { label: 'Open A1', redirect: { url: '/o/A1', target: '_self' } },
        data: { id: 'A1', n: 1 },
      },
    ],
    ['sms', { body: '2 orders' }],
    ['chat', { body: 'A1;A2;' }],
    ['push', { subject: 'S', body: 'acme' }],
    ['digest', { amount: 1, unit: 'hours' }],
    ['delay', { type: 'dynamic', dynamicKey: 'payload.at' }],
  ])('previews a %s step', async (type, expected) => {
    const answer = await preview(type, { previewPayload });
    expect(answer.status).toBe(201);
    expect(answer.body.result).toEqual({ type, preview: expected });
  });

  it('returns an example of every variable and renders with it when no payload is given', async () => {
    const { body } = await preview('email');
    expect(body.previewPayloadExample).toMatchObject({
      subscriber: { firstName: 'firstName' },
      payload: { order: { id: 'id' }, missing: 'missing' },
    });
    expect(body.result.preview).toEqual({ subject: 'Hi firstName', body: '<p>id missing</p>' });
    expect((await preview('chat')).body.result.preview).toEqual({ body: ';;' });
    expect(
      (await preview('email', { previewPayload: { payload: { missing: 'x' } } })).body.previewPayloadExample,
    ).toMatchObject({
      payload: { order: { id: 'id' }, missing: 'x' },
    });
  });

  it('renders the given control values instead of the stored ones, and accepts an empty request', async () => {
    const given = await preview('sms', {
      controlValues: { body: '{{payload.a}}' },
      previewPayload: { payload: { a: 'new' } },
    });
    expect(given.body.result.preview).toEqual({ body: 'new' });
    expect((await preview('email', { controlValues: {} })).body.result.preview).toEqual({ subject: '', body: '' });
    const bare = await gateway.call('POST', `${PATH}/previewed/step/push/preview`);
    expect(bare.status).toBe(201);
  });

  it('evaluates the given conditions and rules with the same values, and says what each compared', async () => {
    const compared = (field: string, value: string) => ({ on: 'subscriber', field, operator: 'EQUAL', value });
    const filters = [{ children: [compared('locale', 'de_DE'), compared('firstName', 'Bob')] }];
    const controlValues = { body: 'Hi', runIf: { '==': [{ var: 'payload.n' }, 2] } };
    const given = { subscriber: { locale: 'de_DE', firstName: 'Ada' }, payload: { n: 2 } };
    const { body } = await preview('sms', { filters, controlValues, previewPayload: given });
    expect(body.rules).toEqual([
      {
        rule: 'conditions',
        passed: false,
        values: {
          conditions: [
            expect.objectContaining({ field: 'locale', actual: 'de_DE', passed: true }),
            expect.objectContaining({ field: 'firstName', actual: 'Ada', passed: false }),
          ],
        },
      },
      expect.objectContaining({ rule: 'runIf', passed: true }),
    ]);
    expect((await preview('sms')).body.rules).toMatchObject([{ rule: 'skip', passed: true }]);
    expect((await preview('email')).body.rules).toBeUndefined();
    const bad = await gateway.call('POST', `${PATH}/previewed/step/sms/preview`, { filters: [{ children: [{}] }] });
    expect(bad.status).toBe(422);
  });

  it('shows what the step behind a digest gets', async () => {
    const { body } = await preview('digest', { previewPayload: { payload: { order: { id: 'A1' } } } });
    const { digest } = body.previewPayloadExample.steps as { digest: { eventCount: number; events: object[] } };
    expect(digest.eventCount).toBe(2);
    expect(digest.events).toEqual([1, 2].map(() => expect.objectContaining({ payload: { order: { id: 'A1' } } })));
  });

  it('renders a step that is not saved yet by its type', async () => {
    const given = await preview('unsaved', { type: 'sms', controlValues: { body: 'Hi {{payload.a}}' } });
    expect(given.body.result).toEqual({ type: 'sms', preview: { body: 'Hi a' } });
  });

  it.each([
    ['a template that does not compile', { subject: 'x', body: '{% if %}' }, 'controlValues.body'],
    [
      'a template that never ends',
      {
        subject:
          '{% for a in (1..99999) %}{% for b in (1..99999) %}{% for c in (1..99) %}' +
          '{% endfor %}{% endfor %}{% endfor %}',
      },
      'controlValues.subject',
    ],
    ['a template that reads files', { body: '{% include "package.json" %}' }, 'controlValues.body'],
  ])('answers a preview of %s with a 422 that names the control', async (_, controlValues, field) => {
    expectFieldErrors(
      await gateway.call('POST', `${PATH}/previewed/step/email/preview`, {
        controlValues,
      }),
      [field],
    );
  });

  it('answers 422 to a payload of the wrong type and 404 to an unknown step', async () => {
    const bad = await gateway.call('POST', `${PATH}/previewed/step/email/preview`, {
      previewPayload: { payload: 'x' },
    });
    expectFieldErrors(bad, ['previewPayload.payload']);
    expect((await preview('nothing')).status).toBe(404);
  });
});

describe('WorkflowDirectory', () => {
  let gateway: TestGateway;
  let directory: WorkflowDirectory;

  beforeAll(async () => {
    gateway = await startGateway();
    directory = gateway.app.get(WorkflowDirectory);
  });
  afterAll(() => gateway.close());

  const find = async (workflowId: string) =>
    (await directory.find(gateway.environmentId, [workflowId])).get(workflowId);
  /** Counts the statements on the workflow table that the work sends to Postgres. */
  async function statements(work: () => Promise<unknown>): Promise<number> {
    const query = jest.spyOn(gateway.database, 'rows');
    try {
      await work();
      return query.mock.calls.filter(([sql]) => sql.includes('FROM workflow t')).length;
    } finally {
      query.mockRestore();
    }
  }

  it('returns the facts that a trigger needs', async () => {
    const payloadSchema = { type: 'object' };
    const { body } = await gateway.call<WorkflowDto>('POST', PATH, {
      name: 'W',
      workflowId: 'known',
      severity: 'high',
      validatePayload: true,
      payloadSchema,
      steps: [sms('a'), sms('b', { active: false })],
    });
    expect(await find('known')).toEqual({
      id: body._id,
      workflowId: 'known',
      version: 1,
      templateFaults: null,
      active: true,
      stepCount: 2,
      activeStepCount: 1,
      validatePayload: true,
      payloadSchema,
      payloadSchemaBytes: expect.any(Number),
      preferences: {},
      severity: 'high',
    });
  });

  it('reads all missing workflows with one statement and cached ones with none', async () => {
    for (const workflowId of ['d1', 'd2', 'd3']) {
      await gateway.call('POST', PATH, { name: 'W', workflowId, steps: [] });
    }
    expect(await statements(() => directory.find(gateway.environmentId, ['d1', 'd2', 'd1', 'none']))).toBe(1);
    expect(await statements(() => directory.find(gateway.environmentId, ['d1', 'd2']))).toBe(0);
    expect(await statements(() => directory.find(gateway.environmentId, ['d1', 'd3']))).toBe(1);
    expect([...(await directory.find(gateway.environmentId, ['d1', 'none', 'd3'])).keys()].toSorted()).toEqual([
      'd1',
      'd3',
    ]);
  });

  it('sees every change of this process immediately', async () => {
    expect(await find('changing')).toBeUndefined();
    await gateway.call('POST', PATH, { name: 'W', workflowId: 'changing', steps: [] });
    expect(await find('changing')).toMatchObject({ version: 1, active: true, stepCount: 0 });
    await gateway.call('PUT', `${PATH}/changing`, { name: 'W', steps: [sms('x')] }, { 'idempotency-key': 'a change' });
    expect(await find('changing')).toMatchObject({ version: 2, stepCount: 1 });
    await gateway.call('PATCH', `${PATH}/changing`, { active: false });
    expect(await find('changing')).toMatchObject({ version: 2, active: false });
    await gateway.call('DELETE', `${PATH}/changing`);
    expect(await find('changing')).toBeUndefined();
  });

  it('does not cache a result that was read during a change', async () => {
    await gateway.call('POST', PATH, { name: 'W', workflowId: 'overtaken', steps: [] });
    const reading = find('overtaken');
    directory.forget(gateway.environmentId);
    await reading;
    expect(await statements(() => find('overtaken'))).toBe(1);
    expect(await statements(() => find('overtaken'))).toBe(0);
  });

  it('does not cache a result that was read before the change was committed', async () => {
    await gateway.call('POST', PATH, { name: 'W', workflowId: 'uncommitted', steps: [] });
    const owner = (await gateway.keys.find(gateway.key))!;
    await gateway.database.transaction(async () => {
      await gateway.app.get(WorkflowsService).patch(owner, 'uncommitted', { active: false });
      const outside = await gateway.database.outsideTransaction(() => find('uncommitted'));
      expect(outside).toMatchObject({ active: true });
    });
    expect(await find('uncommitted')).toMatchObject({ active: false });
  });

  it('does not find workflows of another environment', async () => {
    await gateway.call('POST', PATH, { name: 'W', workflowId: 'own', steps: [] });
    expect(await find('own')).toBeDefined();
    const other = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Other' });
    expect((await directory.find(other.environment.id, ['own'])).size).toBe(0);
  });

  it('validates payloads with the current schema, and only when validatePayload is set', async () => {
    const payloadSchema = { type: 'object', required: ['a'], properties: { b: { default: 1 } } };
    await gateway.call('POST', PATH, { name: 'W', workflowId: 'checked', payloadSchema, steps: [] });
    const check = async (payload: JsonObject) => {
      const workflow = (await find('checked'))!;
      return (await directory.checkPayloads(gateway.environmentId, [{ workflow, payload }]))[0];
    };
    expect(await check({})).toBeUndefined();

    await gateway.call('PATCH', `${PATH}/checked`, { validatePayload: true });
    expect(await check({ a: 0 })).toEqual({ valid: true, payload: { a: 0, b: 1 } });
    expect(await check({})).toMatchObject({ valid: false, errors: [{ field: 'a' }] });

    await gateway.call('PATCH', `${PATH}/checked`, { payloadSchema: { required: ['c'] } });
    expect(await check({})).toMatchObject({ valid: false, errors: [{ field: 'c' }] });
  });
});
