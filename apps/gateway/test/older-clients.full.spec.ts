import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Novu } from '@novu/node';
import { insertMessages, insertNotifications } from '@clarion/testing';
import { createInAppWorkflow, startOwnGateway, type TestGateway } from './harness';

type Answered = { status: number; data: { data?: unknown } };
type Methods = Record<string, (...given: unknown[]) => Promise<Answered>>;
/** What earlier calls made, by name. */
type Made = Record<'message' | 'acted' | 'deleted' | 'notification' | 'layout' | 'template' | 'integration', string>;
type Call = (client: Methods, made: Made) => Promise<Answered>;

const STEPS = [
  {
    name: 'Mail',
    template: { type: 'email', subject: 'Hi {{name}}', content: '<p>{{{html}}} {{subscriber.firstName}}</p>' },
  },
  { template: { type: 'digest', content: '' }, metadata: { type: 'regular', amount: 5, unit: 'minutes' } },
  {
    template: {
      type: 'in_app',
      content: 'Order {{order.id}}',
      cta: { data: { url: '/orders' }, action: { buttons: [{ type: 'primary', content: 'Show' }] } },
    },
  },
];
const EVENT = { to: { subscriberId: 'ada' }, payload: { name: 'Ada' } };
const idOf = ({ data }: Answered): string => (data.data as { _id: string })._id;

/** Every method that must work, in the order in which the calls are made. */
const CALLS: Record<string, Call> = {
  'subscribers.identify': (client) => client['identify']!('ada', { firstName: 'Ada', email: 'ada@example.com' }),
  'subscribers.bulkCreate': (client) => client['bulkCreate']!([{ subscriberId: 'bob' }]),
  'subscribers.list': (client) => client['list']!(0, 5),
  'subscribers.get': (client) => client['get']!('ada'),
  'subscribers.update': (client) => client['update']!('ada', { lastName: 'Lovelace' }),
  'subscribers.setCredentials': (client) => client['setCredentials']!('ada', 'expo', { deviceTokens: ['token'] }),
  'subscribers.unsetCredentials': (client) => client['unsetCredentials']!('ada', 'expo'),
  'subscribers.deleteCredentials': (client) => client['deleteCredentials']!('ada', 'expo'),
  'subscribers.updateOnlineStatus': (client) => client['updateOnlineStatus']!('ada', true),
  'layouts.create': async (client, made) => {
    const answer = await client['create']!({
      ...{ name: 'Plain', identifier: 'plain', description: 'Without colours', isDefault: true },
      content: '<main>{{{body}}}</main>',
    });
    made.layout = idOf(answer);
    return answer;
  },
  'layouts.list': (client) => client['list']!({ page: 0, pageSize: 5, sortBy: 'name', orderBy: 'ASC' }),
  'layouts.get': (client, { layout }) => client['get']!(layout),
  'layouts.update': (client, { layout }) => client['update']!(layout, { name: 'Plainer', identifier: 'plain' }),
  'layouts.setDefault': (client, { layout }) => client['setDefault']!(layout),
  'notificationGroups.get': (client) => client['get']!(),
  'notificationGroups.getOne': async (client) => {
    const { data } = await client['get']!();
    return client['getOne']!((data.data as { _id: string }[])[0]!._id);
  },
  'notificationTemplates.create': async (client, made) => {
    const preferenceSettings = { email: true, sms: false, in_app: true, chat: true, push: true };
    const answer = await client['create']!({
      ...{ name: 'Order Shipped', notificationGroupId: 'any', tags: ['orders'], critical: false, preferenceSettings },
      steps: STEPS,
    });
    made.template = idOf(answer);
    return answer;
  },
  'notificationTemplates.getAll': (client) => client['getAll']!(0, 10),
  'notificationTemplates.getOne': (client, { template }) => client['getOne']!(template),
  'notificationTemplates.update': (client, { template }) =>
    client['update']!(template, { name: 'Order sent', notificationGroupId: 'any', description: 'Sent' }),
  'notificationTemplates.updateStatus': (client, { template }) => client['updateStatus']!(template, true),
  'events.trigger': (client) => client['trigger']!('order-shipped', EVENT),
  'events.bulkTrigger': (client) => client['bulkTrigger']!([{ name: 'order-shipped', ...EVENT }]),
  'events.broadcast': (client) => client['broadcast']!('order-shipped', { payload: {} }),
  'events.cancel': (client) => client['cancel']!('some-transaction'),
  'novu.trigger': (client) => client['trigger']!('order-shipped', EVENT),
  'novu.bulkTrigger': (client) => client['bulkTrigger']!([{ name: 'order-shipped', ...EVENT }]),
  'novu.broadcast': (client) => client['broadcast']!('order-shipped', { payload: {} }),
  'subscribers.getPreference': (client) => client['getPreference']!('ada', { includeInactiveChannels: true }),
  'subscribers.getGlobalPreference': (client) => client['getGlobalPreference']!('ada'),
  'subscribers.getPreferenceByLevel': (client) => client['getPreferenceByLevel']!('ada', 'template'),
  'subscribers.updatePreference': (client, { template }) =>
    client['updatePreference']!('ada', template, { channel: { type: 'email', enabled: false } }),
  'subscribers.updateGlobalPreference': (client) =>
    client['updateGlobalPreference']!('ada', { enabled: true, preferences: [{ type: 'push', enabled: false }] }),
  'subscribers.getNotificationsFeed': (client) => client['getNotificationsFeed']!('ada', { page: 0, seen: false }),
  'subscribers.getUnseenCount': (client) => client['getUnseenCount']!('ada', false),
  'subscribers.markMessageSeen': (client, { message }) => client['markMessageSeen']!('ada', message),
  'subscribers.markMessageRead': (client, { message }) => client['markMessageRead']!('ada', message),
  'subscribers.markMessageAs': (client, { message }) => client['markMessageAs']!('ada', message, { read: false }),
  'subscribers.markAllMessagesAs': (client) => client['markAllMessagesAs']!('ada', 'seen'),
  'subscribers.markMessageActionSeen': (client, { acted }) =>
    client['markMessageActionSeen']!('ada', acted, 'primary', { status: 'done' }),
  'executionDetails.get': (client, { notification }) =>
    client['get']!({ notificationId: notification, subscriberId: 'ada' }),
  'messages.list': (client) => client['list']!({ subscriberId: 'ada', limit: 5 }),
  'messages.deleteById': (client, { deleted }) => client['deleteById']!(deleted),
  'messages.deleteByTransactionId': (client) => client['deleteByTransactionId']!('by-transaction'),
  'topics.create': (client) => client['create']!({ key: 'releases', name: 'Releases' }),
  'topics.list': (client) => client['list']!({ page: 0, pageSize: 5, key: 'rel' }),
  'topics.addSubscribers': (client) => client['addSubscribers']!('releases', { subscribers: ['ada', 'ghost'] }),
  'topics.getSubscriber': (client) => client['getSubscriber']!('releases', 'ada'),
  'topics.checkSubscriber': (client) => client['checkSubscriber']!('releases', 'ada'),
  'topics.get': (client) => client['get']!('releases'),
  'topics.rename': (client) => client['rename']!('releases', 'New releases'),
  'topics.removeSubscribers': (client) => client['removeSubscribers']!('releases', { subscribers: ['ada'] }),
  'topics.delete': (client) => client['delete']!('releases'),
  'integrations.create': async (client, made) => {
    const answer = await client['create']!('sendgrid', {
      ...{ channel: 'email', active: true, check: false },
      credentials: { apiKey: 'key', from: 'shop@example.com', senderName: 'Shop' },
    });
    made.integration = idOf(answer);
    return answer;
  },
  'integrations.getAll': (client) => client['getAll']!(),
  'integrations.getActive': (client) => client['getActive']!(),
  'integrations.getInAppStatus': (client) => client['getInAppStatus']!(),
  'integrations.getWebhookProviderStatus': (client) => client['getWebhookProviderStatus']!('sendgrid'),
  'integrations.update': (client, { integration }) => client['update']!(integration, { name: 'Mail' }),
  'integrations.setIntegrationAsPrimary': (client, { integration }) => client['setIntegrationAsPrimary']!(integration),
  'integrations.delete': (client, { integration }) => client['delete']!(integration),
  'tenants.create': (client) => client['create']!('acme', { name: 'Acme', data: {} }),
  'tenants.list': (client) => client['list']!({ page: 0, limit: 5 }),
  'tenants.get': (client) => client['get']!('acme'),
  'tenants.update': (client) => client['update']!('acme', { name: 'Acme Ltd' }),
  'tenants.delete': (client) => client['delete']!('acme'),
  'environments.getCurrent': (client) => client['getCurrent']!(),
  'environments.getAll': (client) => client['getAll']!(),
  'environments.create': (client) => client['create']!({ name: 'Staging' }),
  'environments.updateOne': async (client) =>
    client['updateOne']!(idOf(await client['getCurrent']!()), { name: 'Development two' }),
  'environments.getApiKeys': (client) => client['getApiKeys']!(),
  'organizations.create': (client) => client['create']!({ name: 'Second' }),
  'feeds.get': (client) => client['get']!(),
  'layouts.delete': async (client, { layout }) => {
    await client['create']!({ name: 'Other', identifier: 'other', content: '{{{body}}}', isDefault: true });
    return client['delete']!(layout);
  },
  'notificationTemplates.delete': (client, { template }) => client['delete']!(template),
  'subscribers.delete': (client) => client['delete']!('bob'),
};

describe('@novu/node 2, unmodified', () => {
  let gateway: TestGateway;
  let novu: Novu;
  let made: Made;

  beforeAll(async () => {
    gateway = await startOwnGateway({ CLARION_DIALECT: 'novu' });
    novu = new Novu(gateway.key, { backendUrl: gateway.url });
    const { data } = await novu.subscribers.identify('ada', {});
    await novu.integrations.create('expo', { channel: 'push' as never, active: true, credentials: { apiKey: 'key' } });
    const { environmentId } = gateway;
    const subscriberId = (data as { data: { _id: string } }).data._id;
    await createInAppWorkflow(gateway, 'welcome');
    const [{ id: workflowId } = { id: '' }] = await gateway.database.query<{ id: string }>('SELECT id FROM workflow');
    const [notification] = await insertNotifications(gateway.database, [
      { environmentId, subscriberId, workflowId },
    ] as never);
    const cta = { action: { buttons: [{ type: 'primary', content: 'Show' }] } };
    const messages = await insertMessages(gateway.database, [
      { environmentId, subscriberId, channel: 'in_app' },
      { environmentId, subscriberId, channel: 'in_app', cta },
      { environmentId, subscriberId, channel: 'in_app' },
      { environmentId, subscriberId, channel: 'in_app', transactionId: 'by-transaction' },
    ] as never);
    const [message, acted, deleted] = messages.map(({ id }) => id as string);
    const none = { layout: '', template: '', integration: '' };
    made = { ...none, message: message!, acted: acted!, deleted: deleted!, notification: notification!.id };
  });
  afterAll(() => gateway.close());

  it('works for every method except those that the document lists as left out', async () => {
    const methods = methodsOf(novu);
    const failures: string[] = [];
    for (const [name, call] of Object.entries(CALLS)) {
      const client = methods[name];
      if (!client) throw new Error(`the client has no method ${name}`);
      const fault = await call(client, made).then(faultOf, (error: unknown) => describeError(error));
      if (fault !== undefined) failures.push(`${name}: ${fault}`);
    }
    const total = Object.keys(methods).length;
    process.stdout.write(`@novu/node 2.6.6: works ${Object.keys(CALLS).length - failures.length} of ${total}\n`);
    expect(failures).toEqual([]);
    const leftOut = Object.keys(methods).filter((name) => !(name in CALLS));
    expect(leftOut.sort()).toEqual(documented('left out').sort());
    expect(Object.keys(CALLS).sort()).toEqual(documented('works').sort());
  });

  it('stores the contents of an older workflow as controls, and returns them in the older form', async () => {
    const { data } = (await novu.notificationTemplates.create({
      ...{ name: 'Round trip', notificationGroupId: 'any', critical: true },
      steps: STEPS as never,
    })) as { data: { data: { _id: string; steps: object[]; critical: boolean; triggers: object[] } } };
    const { _id, steps, critical, triggers } = data.data;
    expect({ critical, triggers }).toEqual({ critical: true, triggers: [{ type: 'event', identifier: 'round-trip' }] });
    const { body } = await gateway.call<{ data: { steps: { controlValues: object }[] } }>(
      'GET',
      `/v2/workflows/${_id}`,
    );
    const redirect = { url: '/orders', target: '_self' };
    expect(body.data.steps.map(({ controlValues }) => controlValues)).toEqual([
      { subject: 'Hi {{payload.name}}', body: '<p>{{ payload.html | raw }} {{subscriber.firstName}}</p>' },
      { type: 'regular', amount: 5, unit: 'minutes' },
      { body: 'Order {{payload.order.id}}', redirect, primaryAction: { label: 'Show', redirect } },
    ]);
    const sent = steps as { template: object; metadata?: object }[];
    expect(sent[1]!.metadata).toEqual(STEPS[1]!.metadata);
    expect(sent[2]!.template).toMatchObject({ type: 'in_app', cta: STEPS[2]!.template.cta });
    // What was returned can be sent again: the steps keep their ids and contents.
    const again = (await novu.notificationTemplates.update(_id, {
      ...{ name: 'Round trip', notificationGroupId: 'any' },
      steps: steps as never,
    })) as { data: { data: { steps: object[] } } };
    expect(again.data.data.steps).toEqual(steps);
  });

  it('loses no edit when two clients change different fields at the same moment', async () => {
    type Wrapped<T> = { data: T };
    const put = (path: string, body: object) => gateway.call<Wrapped<object>>('PUT', path, body);
    const patch = (path: string, body: object) => gateway.call<Wrapped<object>>('PATCH', path, body);
    const template = await gateway.call<Wrapped<{ _id: string }>>('POST', '/v1/notification-templates', {
      name: 'Both',
    });
    const layout = await gateway.call<Wrapped<{ _id: string }>>('POST', '/v1/layouts', {
      ...{ name: 'Both', identifier: 'both', content: '{{{body}}} {{content}}' },
    });
    const paths = [`/v1/notification-templates/${template.body.data._id}`, `/v1/layouts/${layout.body.data._id}`];
    for (let round = 1; round <= 5; round += 1) {
      const [name, tags, content] = [`Name ${round}`, [`tag-${round}`], `{{content}} ${round}`];
      const edits = await Promise.all([put(paths[0]!, { name }), put(paths[0]!, { tags })]);
      // The second of two edits is refused, if it began before the first had ended.
      const isWritten = edits.map(({ status }) => status === 200);
      expect(edits.map(({ status }) => [200, 409].includes(status))).toEqual([true, true]);
      expect(isWritten).toContain(true);
      const { body } = await gateway.call<Wrapped<object>>('GET', paths[0]!);
      expect(body.data).toMatchObject({ ...(isWritten[0] && { name }), ...(isWritten[1] && { tags }) });
      const both = await Promise.all([patch(paths[1]!, { name }), patch(paths[1]!, { content })]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      const changed = await gateway.call<Wrapped<object>>('GET', paths[1]!);
      expect(changed.body.data).toMatchObject({ name, content });
    }
  });

  it.each([
    ['GET', '/v1/subscribers?page=99999999', undefined, 'page'],
    ['GET', '/v1/subscribers?limit=101', undefined, 'limit'],
    ['GET', '/v1/subscribers/ada/preferences/other', undefined, 'levelOrWorkflow'],
    ['GET', '/v1/execution-details?notificationId=x&subscriberId=ada', undefined, 'notificationId'],
    ['POST', '/v1/layouts', { name: 'L', identifier: 'l', content: 'no place' }, 'controlValues.email.body'],
    [
      'POST',
      '/v1/notification-templates',
      { name: 'T', steps: [{ template: { type: 'fax' } }] },
      'steps.0.template.type',
    ],
    ['PATCH', '/v1/subscribers/ada/online-status', {}, 'isOnline'],
  ])('refuses a wrong field by its name: %s %s', async (method, path, body, field) => {
    const answer = await gateway.call<{ errors: object }>(method, path, body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
  });
});

/** Every method of the client, as `resource.method`, with the object that has it. */
function methodsOf(novu: Novu): Record<string, Methods> {
  const found: Record<string, Methods> = {};
  for (const [name, value] of Object.entries(novu) as [string, unknown][]) {
    if (name.startsWith('_') || name === 'http') continue;
    if (typeof value === 'function') found[`novu.${name}`] = novu as unknown as Methods;
    if (typeof value !== 'object' || value === null) continue;
    for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(value))) {
      if (method !== 'constructor') found[`${name}.${method}`] = value as Methods;
    }
  }
  return found;
}

/** Everything but 204 has its content in `data`, where callers of this client look for it. */
function faultOf({ status, data }: Answered): string | undefined {
  if (status === 204 || (status < 300 && data.data !== undefined)) return undefined;
  return `${status} ${JSON.stringify(data)}`;
}

function describeError(error: unknown): string {
  const { response, message } = error as { response?: { status: number; data: unknown }; message: string };
  return response ? `${response.status} ${JSON.stringify(response.data)}` : message;
}

/** The methods that docs/older-clients.md lists with this state. */
function documented(state: string): string[] {
  const text = readFileSync(join(__dirname, '../../../docs/older-clients.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([\w.]+)` *\| [^|]*\| ([a-z ]+)\|/gm)];
  return rows.filter(([, , each]) => each!.trim() === state).map(([, name]) => name!);
}
