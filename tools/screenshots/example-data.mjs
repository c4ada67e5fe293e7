/** The example of the pictures: a small shop with three workflows, forty subscribers and some trouble. */
import { setTimeout as delay } from 'node:timers/promises';

const FIRST = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Ken', 'Frances', 'Leslie'];
const LAST = ['Lindgren', 'Haddad', 'Weber', 'Novak', 'Nair', 'Mori', 'Costa'];

const text = (content) => ({ type: 'text', text: content });
const variable = (id) => ({ type: 'variable', attrs: { id } });
const paragraph = (...content) => ({ type: 'paragraph', content });

/** As the block editor writes it. */
const ORDER_MAIL = JSON.stringify({
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [text('Thank you, '), variable('subscriber.firstName')] },
    paragraph(text('Your order '), variable('payload.order'), text(' is confirmed and leaves our warehouse tomorrow.')),
    {
      type: 'repeat',
      attrs: { each: 'payload.items' },
      content: [paragraph(variable('current.name'), text(', '), variable('current.price'), text(' EUR'))],
    },
    { type: 'button', attrs: { text: 'Track the parcel', url: 'https://shop.example/orders' } },
  ],
});

/** `receiver` is the address of the fake providers, which also answers webhooks. */
export async function fill(url, key, receiver) {
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  };
  const post = (path, body) => call('POST', path, body);

  await post('/v2/layouts', {
    name: 'Shop',
    layoutId: 'shop',
    controlValues: {
      email: { body: '<html><body style="background:#f6f6f4;padding:24px">{{content}}</body></html>' },
    },
  });
  await post('/v2/workflows', {
    name: 'Order confirmed',
    workflowId: 'order-confirmed',
    description: 'Sent when a payment was accepted.',
    tags: ['orders'],
    steps: [
      { name: 'Inbox', type: 'in_app', controlValues: { body: 'Order {{payload.order}} is confirmed' } },
      {
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'Your order {{payload.order}}', body: ORDER_MAIL, editorType: 'block' },
      },
      { name: 'Text', type: 'sms', controlValues: { body: 'Order {{payload.order}}: on its way tomorrow.' } },
    ],
  });
  await post('/v2/workflows', {
    name: 'Sign-in code',
    workflowId: 'sign-in-code',
    tags: ['security'],
    severity: 'high',
    steps: [{ name: 'Text', type: 'sms', controlValues: { body: 'Your code is {{payload.code}}' } }],
  });
  await post('/v2/workflows', {
    name: 'Comment digest',
    workflowId: 'comment-digest',
    tags: ['social'],
    steps: [
      { name: 'Collect', type: 'digest', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
      {
        name: 'Mail',
        type: 'email',
        controlValues: { subject: 'New comments', body: '<p>There are new comments.</p>' },
      },
    ],
  });
  // Some messages go to the outbox first, then the shop gets real accounts.
  await trigger(call, 'order-confirmed', 0, 6);
  await settle(call, 6 * 3);
  await post('/v1/integrations', {
    providerId: 'sendgrid',
    channel: 'email',
    name: 'SendGrid, transactional',
    active: true,
    credentials: { apiKey: 'SG.example', from: 'shop@example.com', senderName: 'Shop' },
  });
  await post('/v1/integrations', {
    providerId: 'twilio',
    channel: 'sms',
    name: 'Twilio, Europe',
    active: true,
    credentials: { accountSid: 'AC-example', token: 'example', from: '+15550000000' },
  });
  await post('/v2/topics', { key: 'release-notes', name: 'Release notes' });
  await post('/v2/topics', { key: 'status-eu', name: 'Status: Europe' });
  await trigger(call, 'comment-digest', 0, 9);
  await trigger(call, 'sign-in-code', 0, 24);
  await trigger(call, 'order-confirmed', 6, 40);
  await post('/v2/topics/release-notes/subscriptions', {
    subscriberIds: Array.from({ length: 20 }, (_, n) => subscriber(n).subscriberId),
  });
  await post('/v1/suppressions', { channel: 'email', address: 'grace1@example.com', reason: 'manual' });
  await settle(call, 6 * 3 + 9 + 24 + 34 * 3);
  const failed = await call('GET', '/v1/activity?status=failed&limit=1');
  const { endpoint, environmentId } = await addClients(call, receiver);
  return {
    overview: '/overview',
    activity: '/activity',
    'activity-groups': '/activity?group=reason',
    notification: `/activity/${failed.data[0]._id}`,
    subscribers: '/subscribers',
    subscriber: `/subscribers/${subscriber(0).subscriberId}`,
    topics: '/topics',
    topic: '/topics/release-notes',
    workflows: '/workflows',
    workflow: '/workflows/order-confirmed',
    'workflow-mail': '/workflows/order-confirmed?step=mail',
    layouts: '/layouts',
    layout: '/layouts?layout=shop',
    integrations: '/integrations',
    'new-integration': '/integrations?add=mailgun',
    outbox: '/outbox',
    suppressions: '/suppressions',
    translations: '/translations',
    'translation-group': '/translations?type=workflow&id=refund&locale=de',
    promotion: '/promotion',
    webhooks: '/webhooks',
    webhook: `/webhooks/${endpoint}`,
    'event-log': '/webhooks?tab=event-log',
    settings: '/settings',
    environment: `/settings?tab=environments&edit=${environmentId}`,
    variables: '/settings?tab=variables',
    keys: '/settings?tab=keys',
    'audit-log': '/settings?tab=audit-log',
  };
}

/** A second environment that is behind, texts in two languages, variables, and two webhook endpoints. */
async function addClients(call, receiver) {
  const { _id: environmentId } = await call('GET', '/v1/environments/me');
  const { _id: production } = await call('POST', '/v1/environments', { name: 'Production', parentId: environmentId });
  await call('POST', '/v2/workflows', {
    name: 'Refund',
    workflowId: 'refund',
    tags: ['orders'],
    steps: [
      {
        name: 'Mail',
        stepId: 'mail',
        type: 'email',
        controlValues: { subject: '{{t.subject}}', body: '<p>{{t.greeting}}</p><p>{{t.body}}</p>' },
      },
    ],
  });
  const texts = { resourceType: 'workflow', resourceId: 'refund' };
  const english = { subject: 'Your refund', greeting: 'Hello {{subscriber.firstName}}', body: 'It is on its way.' };
  await call('POST', '/v2/translations', { ...texts, locale: 'en_US', content: english });
  await call('POST', '/v2/translations', { ...texts, locale: 'de', content: { subject: 'Ihre Gutschrift' } });
  const french = { subject: 'Votre remboursement', greeting: 'Bonjour {{subscriber.firstName}}', body: 'En chemin.' };
  await call('POST', '/v2/translations', { ...texts, locale: 'fr', content: french });
  await call('POST', `/v2/environments/${production}/publish`, { sourceEnvironmentId: environmentId });
  const german = { subject: 'Ihre Gutschrift ist da', greeting: 'Hallo {{subscriber.firstName}}' };
  await call('POST', '/v2/translations', { ...texts, locale: 'de', content: german });
  await call('PATCH', '/v2/workflows/sign-in-code', { severity: 'medium', tags: ['security', 'sign-in'] });
  const value = (_environmentId, text) => ({ _environmentId, value: text });
  await call('POST', '/v1/environment-variables', {
    key: 'SHOP_URL',
    values: [value(environmentId, 'https://staging.shop.example'), value(production, 'https://shop.example')],
  });
  await call('POST', '/v1/environment-variables', {
    key: 'PARTNER_TOKEN',
    isSecret: true,
    values: [value(environmentId, 'example-token')],
  });
  await call('POST', '/v1/webhook-endpoints', {
    url: 'https://crm.example.com/clarion',
    description: 'Customer records',
    events: ['preference.updated'],
  });
  const { _id: endpoint } = await call('POST', '/v1/webhook-endpoints', {
    url: `${receiver}/hooks/clarion`,
    description: 'Billing',
    events: ['message.sent', 'message.failed'],
  });
  await trigger(call, 'order-confirmed', 0, 4);
  for (;;) {
    const { data } = await call('GET', `/v1/webhook-endpoints/${endpoint}/deliveries?limit=50`);
    if (data.length >= 8 && data.every(({ state }) => state === 'delivered')) break;
    await delay(200);
  }
  return { endpoint, environmentId };
}

function subscriber(n) {
  const firstName = FIRST[n % FIRST.length];
  const domain = n % 11 === 7 ? 'full.example' : 'example.com';
  return {
    subscriberId: `${firstName.toLowerCase()}-${n}`,
    firstName,
    lastName: LAST[n % LAST.length],
    email: `${firstName.toLowerCase()}${n}@${domain}`,
    phone: `+15550000${String(n).padStart(2, '0')}`,
  };
}

async function trigger(call, name, from, to) {
  const events = Array.from({ length: to - from }, (_, index) => ({
    name,
    to: subscriber(from + index),
    payload: {
      order: `A-${1040 + from + index}`,
      code: String(100_000 + 7_919 * (from + index)),
      items: [
        { name: 'Notebook', price: 12 },
        { name: 'Fountain pen', price: 38 },
      ],
    },
  }));
  await call('POST', '/v1/events/trigger/bulk', { events });
}

/** Waits until this many channel steps were made and only what waits on purpose is open. */
async function settle(call, steps) {
  for (;;) {
    const { totals, channels } = await call('GET', '/v1/overview');
    if (totals.accepted >= steps && channels.every(({ backlog }) => backlog.due === 0)) return;
    await delay(200);
  }
}
