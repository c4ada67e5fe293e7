import { callGateway, startGateway, type TestGateway } from './harness';

/** The headers of `@novu/node` 2. They identify its HTTP client and not the SDK. */
const NOVU_NODE = { 'user-agent': 'axios/1.7.2', accept: 'application/json, text/plain, */*' };
const NOVU_API = { 'user-agent': 'speakeasy-sdk/typescript 3.19.1 2.933.0 3.19.0 @novu/api' };
const CURL = { 'user-agent': 'curl/8.5.0' };

describe('dialect of responses', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const environment = async (name: string, settings: object = {}) => {
    const { status, body } = await gateway.call<{ _id: string; dialect: string; apiKeys: { key: string }[] }>(
      'POST',
      '/v1/environments',
      { name, ...settings },
    );
    expect(status).toBe(201);
    return { id: body._id, dialect: body.dialect, key: body.apiKeys[0]!.key };
  };
  /** Returns what `@novu/node` reads as `response.data.data`. */
  const inner = async (key: string, headers: Record<string, string>) =>
    (
      await callGateway<{ data?: { subscriberId: string } }>(
        gateway.url,
        key,
        'POST',
        '/v2/subscribers',
        { subscriberId: 'ada' },
        headers,
      )
    ).body.data?.subscriberId;

  it('answers every client of an environment with the setting novu in the novu dialect', async () => {
    const { key, dialect } = await environment('Novu', { dialect: 'novu' });
    expect(dialect).toBe('novu');
    expect(await inner(key, NOVU_NODE)).toBe('ada');
    expect(await inner(key, CURL)).toBe('ada');
    const triggered = await callGateway<{ data: object[] }>(
      gateway.url,
      key,
      'POST',
      '/v1/events/trigger/bulk',
      { events: [{ name: 'unknown', to: 'ada' }] },
      NOVU_NODE,
    );
    expect(triggered.body.data).toHaveLength(1);
  });

  it('uses the dialect of the installation when the environment has no setting', async () => {
    const { key, dialect } = await environment('Silent');
    expect(dialect).toBeNull();
    expect(await inner(key, NOVU_NODE)).toBeUndefined();
  });

  it('applies a changed dialect setting of the environment to the next request', async () => {
    const { id, key } = await environment('Changing', { dialect: 'spec' });
    expect(await inner(key, NOVU_NODE)).toBeUndefined();
    await gateway.call('PUT', `/v1/environments/${id}`, { dialect: 'novu' });
    expect(await inner(key, NOVU_NODE)).toBe('ada');
    await gateway.call('PUT', `/v1/environments/${id}`, { dialect: null });
    expect(await inner(key, NOVU_NODE)).toBeUndefined();
  });

  it('answers a Novu SDK in the novu dialect although the setting of the environment is spec', async () => {
    const { key } = await environment('Spec', { dialect: 'spec' });
    expect(await inner(key, NOVU_API)).toBe('ada');
    expect(await inner(key, { 'user-agent': 'node', 'novu-client-version': '@novu/js@3.13.0' })).toBe('ada');
    expect(await inner(key, CURL)).toBeUndefined();
  });

  it('shows no value outside the interface in an environment that asks for it, and every value elsewhere', async () => {
    const part = { field: 'mail.read', value: 'true', operator: 'EQUAL', on: 'steps' };
    const conditions = [{ isNegated: false, type: 'GROUP', value: 'AND', children: [part] }];
    const created = async (key: string) =>
      (
        await callGateway<{ providerId: string; conditions: unknown[] }>(gateway.url, key, 'POST', '/v1/integrations', {
          providerId: 'telegram',
          channel: 'chat',
          conditions,
        })
      ).body;
    expect(await created((await environment('Full')).key)).toMatchObject({ providerId: 'telegram', conditions });
    const strict = await created((await environment('Strict', { dialect: 'spec' })).key);
    const children = [{ ...part, field: 'steps.mail.read', on: 'payload' }];
    expect(strict).toMatchObject({ providerId: 'telegram', conditions: [{ children }] });
    // Tools read workflows and write them back.
    const { key } = await environment('Authored', { dialect: 'spec' });
    const steps = [
      { name: 'Mail', type: 'email' },
      { name: 'Note', type: 'in_app', filters: conditions },
    ];
    const workflow = { name: 'Mail', workflowId: 'mail', steps };
    const { body } = await callGateway<{ steps: unknown[] }>(gateway.url, key, 'POST', '/v2/workflows', workflow);
    expect(body.steps[1]).toMatchObject({ filters: conditions });
  });

  it('uses the spec dialect in an environment with that setting although the installation uses novu', async () => {
    const other = await startGateway({ CLARION_DIALECT: 'novu' });
    try {
      const { body } = await other.call<{ data: { apiKeys: { key: string }[] } }>('POST', '/v1/environments', {
        name: 'Spec',
        dialect: 'spec',
      });
      const me = await callGateway<{ name: string }>(
        other.url,
        body.data.apiKeys[0]!.key,
        'GET',
        '/v1/environments/me',
      );
      expect(me.body.name).toBe('Spec');
    } finally {
      await other.close();
    }
  });
});
