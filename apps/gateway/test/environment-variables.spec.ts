import { Novu } from '@novu/api';
import type { EnvironmentVariableDto, StepPreviewDto, WorkflowDto } from '@clarion/contracts';
import { type Answer, callGateway, type Refusal, startGateway, type TestGateway } from './harness';

const MASK = '••••••••';

function expectFault({ status, body }: Answer<unknown>, field: string, message: string): void {
  expect({ status, fields: Object.keys((body as Refusal).errors ?? {}) }).toEqual({ status: 422, fields: [field] });
  expect((body as Refusal).errors[field]!.messages.join('; ')).toContain(message);
}

describe('environment variables', () => {
  let gateway: TestGateway;
  let novu: Novu;

  beforeAll(async () => {
    gateway = await startGateway();
    novu = new Novu({ secretKey: gateway.key, serverURL: gateway.url, retryConfig: { strategy: 'none' } });
  });
  afterAll(() => gateway.close());

  const own = (value: string) => [{ environmentId: gateway.environmentId, value }];
  const create = (body: object, key = gateway.key) =>
    callGateway<EnvironmentVariableDto>(gateway.url, key, 'POST', '/v1/environment-variables', body);
  const auditText = async (): Promise<string> => (await gateway.call('GET', '/v1/audit-log?limit=100')).text;

  it('creates, lists, reads, changes and deletes a variable through the published SDK', async () => {
    const { result: created } = await novu.environmentVariables.create({
      key: 'BASE_URL',
      type: 'string',
      values: own('https://dev.test'),
    });
    expect(created).toMatchObject({
      organizationId: gateway.organizationId,
      key: 'BASE_URL',
      type: 'string',
      isSecret: false,
      values: own('https://dev.test'),
    });
    expect((await novu.environmentVariables.create({ key: 'EMPTY' })).result.values).toEqual([]);
    expect((await novu.environmentVariables.list('base')).result).toEqual([created]);
    expect((await novu.environmentVariables.list()).result.map(({ key }) => key)).toEqual(['BASE_URL', 'EMPTY']);
    expect((await novu.environmentVariables.retrieve('BASE_URL')).result).toEqual(created);

    const { result: changed } = await novu.environmentVariables.update({ key: 'URL', values: own('x') }, 'BASE_URL');
    expect(changed).toMatchObject({ id: created.id, key: 'URL', values: own('x') });
    await novu.environmentVariables.delete('URL');
    await novu.environmentVariables.delete('EMPTY');
    expect((await novu.environmentVariables.list()).result).toEqual([]);
    expect(await gateway.call('GET', '/v1/environment-variables/URL')).toMatchObject({
      status: 404,
      body: { message: 'Environment variable URL was not found' },
    });
    expect(await auditText()).toContain('environment_variable.deleted');
  });

  it('stores a secret encrypted and shows it nowhere', async () => {
    const { result } = await novu.environmentVariables.create({
      key: 'TOKEN',
      isSecret: true,
      values: own('s3cr3t-1'),
    });
    expect(result.values).toEqual(own(MASK));
    const stored = async () =>
      (
        await gateway.database.rows<{ value: string | null; sealedValue: string }>(
          `SELECT value, sealed_value FROM environment_variable WHERE key = 'TOKEN' AND environment_id = $1`,
          [gateway.environmentId],
        )
      )[0]!;
    const first = await stored();
    expect(first).toEqual({ value: null, sealedValue: expect.stringMatching(/^v1\.k1\./) });

    // The mask that a form sends back keeps the value.
    await novu.environmentVariables.update({ values: own(MASK) }, 'TOKEN');
    await novu.environmentVariables.update({ values: own('s3cr3t-2') }, 'TOKEN');
    expect((await stored()).sealedValue).not.toBe(first.sealedValue);
    expectFault(
      await gateway.call('PATCH', '/v1/environment-variables/TOKEN', { isSecret: false }),
      'isSecret',
      'only with a new value',
    );
    expect(
      (await novu.environmentVariables.update({ isSecret: false, values: own('plain') }, 'TOKEN')).result,
    ).toMatchObject({
      isSecret: false,
      values: own('plain'),
    });
    expect((await novu.environmentVariables.update({ isSecret: true }, 'TOKEN')).result.values).toEqual(own(MASK));
    expect(await stored()).toMatchObject({ value: null });
    expect(await auditText()).not.toContain('s3cr3t');
    await novu.environmentVariables.delete('TOKEN');
  });

  it('lets an admin key set the values of all environments, and any other key only its own', async () => {
    const { environment, key } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Stage' });
    const both = [
      { _environmentId: gateway.environmentId, value: 'dev' },
      { _environmentId: environment.id, value: 'stage' },
    ];
    expect(await create({ key: 'NAME_OF', values: both })).toMatchObject({ status: 200, body: { values: both } });
    const list = await callGateway<EnvironmentVariableDto[]>(gateway.url, key, 'GET', '/v1/environment-variables');
    expect(list.body).toMatchObject([{ key: 'NAME_OF', values: [both[1]] }]);
    expectFault(await create({ key: 'OTHER', values: both }, key), 'values.0._environmentId', 'was not found');
    // It deletes its own value and leaves that of the other environment.
    await callGateway(gateway.url, key, 'DELETE', '/v1/environment-variables/NAME_OF');
    expect(
      (await gateway.call<EnvironmentVariableDto>('GET', '/v1/environment-variables/NAME_OF')).body.values,
    ).toEqual([both[0]]);
    const { key: foreign } = await gateway.admin.createOrganization('Foreign', { name: 'F' });
    for (const [method, path] of [
      ['GET', '/v1/environment-variables/NAME_OF'],
      ['PATCH', '/v1/environment-variables/NAME_OF'],
      ['DELETE', '/v1/environment-variables/NAME_OF'],
      ['GET', '/v1/environment-variables/NAME_OF/usage'],
    ] as const) {
      expect(await callGateway(gateway.url, foreign, method, path, method === 'PATCH' ? {} : undefined)).toMatchObject({
        status: 404,
      });
    }
  });

  it.each([
    [{ key: '1A' }, 'key', 'must begin with a letter'],
    [{ key: 'A-B' }, 'key', 'must begin with a letter'],
    [{ key: 'name' }, 'key', 'is the environment itself'],
    [{ key: 'A', type: 'number' }, 'type', 'must be one of: string'],
    [{ key: 'A', values: [{ _environmentId: 'x', value: 'v' }] }, 'values.0._environmentId', 'must be a UUID'],
    [{ key: 'A', values: [{ value: 'v' }] }, 'values.0._environmentId', 'must be a UUID'],
  ])('refuses %j with 422', async (body, field, message) => {
    expectFault(await create(body), field, message);
  });

  it('refuses a key that is taken, a value that is too long and too many characters together', async () => {
    const values = (value: string) => [{ _environmentId: gateway.environmentId, value }];
    await create({ key: 'TAKEN' });
    expect(await create({ key: 'TAKEN' })).toMatchObject({
      status: 409,
      body: { message: 'Environment variable with key "TAKEN" already exists' },
    });
    expectFault(await create({ key: 'LONG', values: values('x'.repeat(4_097)) }), 'values.0.value', '4096');
    const answers = [];
    for (let index = 0; index < 17; index += 1) {
      answers.push(await create({ key: `FULL_${index}`, values: values('x'.repeat(4_096)) }));
    }
    expectFault(answers.at(-1)!, 'values', 'more than 65536 characters together');
    expect(answers.slice(0, 15).every(({ status }) => status === 200)).toBe(true);
    for (let index = 0; index < 16; index += 1) await gateway.call('DELETE', `/v1/environment-variables/FULL_${index}`);
  });

  it('lists who uses a variable, says in issues that it is missing, and shows it in previews', async () => {
    const workflow = (workflowId: string, body: string, more: object = {}) =>
      gateway.call<WorkflowDto>('POST', '/v2/workflows', {
        workflowId,
        name: workflowId,
        steps: [{ name: 'Text', type: 'sms', stepId: 'text', controlValues: { body, ...more } }],
      });
    const saved = await workflow('uses-it', 'See {{ env.SITE }} and {{ env.name }}');
    expect(saved.body.steps[0]!.issues).toMatchObject({
      controls: { body: [{ issueType: 'MISSING_VALUE', message: 'the environment has no variable "SITE"' }] },
    });
    await workflow('in-a-rule', 'x', { runIf: { '==': [{ var: 'env.SITE' }, 'x'] } });
    await workflow('in-brackets', "{{ env['SITE'] }}");
    await workflow('another', '{{ env.SITES }} {{ payload.env.SITE }}');
    await gateway.call('POST', '/v2/layouts', { layoutId: 'frame', name: 'Frame' });
    await gateway.call('PUT', '/v2/layouts/frame', {
      name: 'Frame',
      controlValues: { email: { body: '{{content}} {{ env.SITE }} {{ env.type }}', editorType: 'html' } },
    });
    await create({ key: 'SITE', isSecret: true, values: [{ _environmentId: gateway.environmentId, value: 'hidden' }] });
    const { result } = await novu.environmentVariables.usage('SITE');
    expect(result.workflows).toEqual([
      { name: 'in-a-rule', workflowId: 'in-a-rule' },
      { name: 'in-brackets', workflowId: 'in-brackets' },
      { name: 'uses-it', workflowId: 'uses-it' },
    ]);
    expect((await gateway.call('GET', '/v1/environment-variables/SITE/usage')).body).toMatchObject({
      layouts: [{ name: 'Frame', layoutId: 'frame' }],
    });
    const retrieved = await gateway.call<WorkflowDto>('GET', '/v2/workflows/uses-it');
    expect(retrieved.body.steps[0]!.issues).not.toHaveProperty('controls.body');

    const preview = () =>
      gateway.call<StepPreviewDto>('POST', '/v2/workflows/uses-it/step/text/preview', { previewPayload: {} });
    expect((await preview()).body.result.preview).toEqual({ body: `See ${MASK} and Development` });
    const layout = await gateway.call('POST', '/v2/layouts/frame/preview', { previewPayload: { content: 'C' } });
    expect(layout.body).toMatchObject({ result: { preview: { body: `C ${MASK} dev` } } });
    const dryRun = await gateway.call('POST', '/v1/events/trigger?dryRun=true', {
      name: 'uses-it',
      to: { subscriberId: 'ada', phone: '+15550001111' },
    });
    expect(dryRun.text).not.toContain('hidden');

    // Deleting it is allowed: templates then write an empty text, and the issue is back.
    await novu.environmentVariables.delete('SITE');
    expect((await preview()).body.result.preview).toEqual({ body: 'See  and Development' });
  });
});
