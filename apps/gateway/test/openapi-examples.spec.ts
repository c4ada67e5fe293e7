import type { SubscriberRowId } from '@clarion/contracts';
import { corpus, insertMessages } from '@clarion/testing';
import { EXAMPLE_ID, REQUEST_EXAMPLES } from '../src/edge/openapi/examples';
import { inboxToken, startOwnGateway, type TestGateway } from './harness';
import { fetchDocument, type Operation, operationsOf } from './openapi-document';

const KEYS = { applicationId: 'A1', clientId: 'C1', secretKey: 'secret', apiKey: 'key', apiToken: '123456:a-token' };

type Described = Operation & {
  description?: string;
  security?: object[];
  'x-codeSamples': { label: string; source: string }[];
};

describe('the reference of the API', () => {
  let gateway: TestGateway;
  let operations: Described[];

  beforeAll(async () => {
    gateway = await startOwnGateway();
    gateway.provider.always('/', { json: { ok: true, result: { username: 'acme_bot' } } });
    operations = operationsOf(await fetchDocument(gateway.url)) as Described[];
  });
  afterAll(async () => {
    await gateway.close();
  });

  const exampleOf = ({ requestBody }: Described): unknown =>
    (requestBody?.content?.['application/json'] as { example?: unknown } | undefined)?.example;

  it('describes every operation with more than its summary (add it to operation-descriptions.ts)', () => {
    const missing = operations.filter(({ summary, description }) => description === `${summary}.`);
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('shows every operation in curl, TypeScript and Python, with its example body', () => {
    for (const operation of operations) {
      const [curl, typeScript, python] = operation['x-codeSamples'];
      expect([curl!.label, typeScript!.label, python!.label]).toEqual(['curl', 'TypeScript', 'Python']);
      const body = /-d '([\s\S]*)'$/.exec(curl!.source)?.[1]?.replaceAll(`'\\''`, "'");
      expect([operation.operationId, body && JSON.parse(body)]).toEqual([operation.operationId, exampleOf(operation)]);
    }
    const { 'x-codeSamples': samples } = operations.find(({ operationId }) => operationId === 'topics_create')!;
    expect(samples.map(({ source }) => source)).toMatchSnapshot();
  });

  it('has an example for every body, which the server accepts when they are sent in order (examples.ts)', async () => {
    // Credentials of a subscriber need an integration of their provider; one example cannot create them all.
    for (const [providerId, channel] of Object.entries({ slack: 'chat', expo: 'push', telegram: 'chat' })) {
      await gateway.call('POST', '/v1/integrations', {
        providerId,
        channel,
        identifier: providerId,
        active: true,
        credentials: KEYS,
      });
    }
    const ids: Record<string, string> = { environmentId: gateway.environmentId };
    const faults: unknown[] = [];
    const other = await gateway.call<{ apiKeys: { key: string }[] }>('POST', '/v1/environments', { name: 'Other' });
    const { body: own } = await gateway.call<{ identifier: string }>('GET', '/v1/environments/me');
    const placeholders = Object.entries({
      YOUR_API_KEY: gateway.key,
      env_a1b2c3: own.identifier,
      'https://notifications.example.com': gateway.url,
      'a key of the other system': other.body.apiKeys[0]!.key,
    });
    let token = '';
    const inOrder = Object.keys(REQUEST_EXAMPLES);
    const withBody = operations.filter((operation) => exampleOf(operation) !== undefined);
    const others = withBody.filter(({ operationId }) => !inOrder.includes(operationId));
    for (const operation of [
      ...inOrder.map((name) => withBody.find((each) => each.operationId === name)!),
      ...others,
    ]) {
      const { operationId } = operation;
      if (/\{messageId\}|\/messages\//.test(operation.path)) ids['messageId'] = await insertMessage(gateway);
      const id = ids[idNameOf(operation.path)] ?? EXAMPLE_ID;
      const written = JSON.stringify(exampleOf(operation)).replaceAll(EXAMPLE_ID, id);
      const example = placeholders.reduce((text, [name, value]) => text.replaceAll(name, value), written);
      const isForPages = 'InboxToken' in (operation.security?.[0] ?? {});
      if (isForPages) token ||= await inboxToken(gateway, 'ada');
      const headers: Record<string, string> = isForPages ? { authorization: `Bearer ${token}` } : {};
      const { status, body } = await gateway.call(operation.method, pathOf(operation, ids), example, headers);
      if (status > 299 || !(status in operation.responses)) faults.push({ operationId, body });
      if (operation.path.startsWith('/v1/events/')) {
        faults.push(...[body].flat().filter((event) => event['status'] !== 'processed'));
      }
      if (operationId === 'environments_create') ids['targetEnvironmentId'] = String(body['_id']);
      if (operationId === 'webhookEndpoints_create') ids['endpointId'] = String(body['_id']);
      if (operationId === 'bulkActions_create') ids['bulkActionId'] = String(body['_id']);
      if (operationId === 'integrations_create') ids['integrationId'] = String(body['_id']);
    }
    expect(faults).toEqual([]);
  });

  it('is compressed once, and sent again only when it has changed', async () => {
    const address = `${gateway.url}/openapi.json`;
    const first = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(((await first.json()) as { openapi: string }).openapi).toMatch(/^3\./);
    const again = await fetch(address, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('has a page for every operation, on which every link leads somewhere', async () => {
    const read = async (path: string): Promise<string> => (await fetch(gateway.url + path)).text();
    const start = await read('/docs');
    const pages = [...start.matchAll(/ href="\/docs\/(\w+)"/g)].map(([, id]) => id!);
    expect(pages.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    const groups = [...start.matchAll(/<section><h2>([^<]+)/g)].map(([, name]) => name);
    expect(groups.slice(0, 2)).toEqual(['events', 'workflows']);
    const sections = new Set([...start.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const page of ['events_trigger', 'workflows_create', ...corpus(pages, 10)]) {
      const html = await read(`/docs/${page}`);
      const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      const links = [...html.matchAll(/ href="(\/docs)?#([^"]+)"/g)];
      expect(links.filter(([, start, id]) => !(start ? sections : anchors).has(id!))).toEqual([]);
      // The samples have the address of this gateway.
      expect([page, html.includes(`${gateway.url}/v`), /\$URL|env\.URL/.test(html)]).toEqual([page, true, false]);
    }
    expect((await fetch(`${gateway.url}/docs/no_such`)).status).toBe(404);
  });
});

/** What the example id in a body stands for. */
function idNameOf(path: string): string {
  if (path.startsWith('/v1/integrations')) return 'integrationId';
  return path.endsWith('/sync') ? 'targetEnvironmentId' : 'messageId';
}

/** The path in the code sample, with the ids of this database instead of those of the example. */
function pathOf({ path, 'x-codeSamples': [curl] }: Described, ids: Record<string, string>): string {
  const names = path.split('/');
  const values = /"\$URL([^"]*)"/.exec(curl!.source)![1]!.split('/');
  return values.map((value, at) => ids[names[at]!.replace(/[{}]/g, '')] ?? value).join('/');
}

/** An in-app message of the subscriber of the examples, with a button. */
async function insertMessage({ call, database, environmentId }: TestGateway): Promise<string> {
  const { body } = await call<{ _id: SubscriberRowId }>('GET', '/v2/subscribers/ada');
  const button = { type: 'primary', content: 'Go' };
  const [message] = await insertMessages(database, [
    {
      environmentId,
      subscriberId: body._id,
      cta: { type: 'redirect', data: { url: '/x' }, action: { status: 'pending', buttons: [button] } },
    },
  ] as never);
  return message!.id;
}
