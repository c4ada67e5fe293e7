import type { SubscriberRowId } from '@clarion/contracts';
import { MirrorRepository, OutboxRepository } from '@clarion/persistence';
import { LinkTokens, sealMessageTarget, sealMirrorKey } from '@clarion/platform';
import { insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import type { TestGateway } from './harness';

/** A secret that a search finds in any response. The end that its mask shows is not a part of the search. */
const marked = (place: string): string => `MARKER-${place}-0000`;
export const MARKER = /MARKER-[\w-]+?-0000/g;

const PUBLIC_URL = 'https://clarion.example';
const HOOK = 'https://hooks.example.com';

/** Values for the parameters of routes, and secrets that no response to a browser or a `read` key may contain. */
export type Marked = { ids: Record<string, string>; secrets: string[] };

/** Stores a secret in every place that has one, and signed links in every place that shows texts of messages. */
export async function storeMarkedSecrets(gateway: TestGateway): Promise<Marked> {
  const { database, environmentId } = gateway;
  const make = async <T = { _id: string }>(method: string, path: string, body: object): Promise<T> => {
    const { status, text, body: made } = await gateway.call<T>(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return made;
  };
  const integrate = (providerId: string, channel: string, credentials: object, configurations = {}) =>
    make<{ _id: string; identifier: string }>('POST', '/v1/integrations', {
      ...{ providerId, channel, credentials, configurations, active: true },
    });
  const sender = { from: 'a@x.test', senderName: 'A' };
  const slack = await integrate('slack', 'chat', { applicationId: 'a', clientId: 'c', secretKey: marked('slack') });
  const signed = { inboundWebhookEnabled: true, inboundWebhookSigningKey: marked('signing-key') };
  const sendgrid = await integrate('sendgrid', 'email', { apiKey: marked('sendgrid'), ...sender }, signed);
  const server = { host: 'mail.x.test', port: '25', password: marked('password'), tlsOptions: { key: marked('tls') } };
  await integrate('nodemailer', 'email', { ...server, ...sender });
  await integrate('expo', 'push', { apiKey: marked('expo') });
  await make('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@x.test', phone: '+15550001111' });
  const channels = {
    slack: { webhookUrl: `${HOOK}/${marked('webhook')}` },
    expo: { deviceTokens: [marked('device')] },
  };
  for (const [providerId, credentials] of Object.entries(channels)) {
    await make('PATCH', '/v1/subscribers/ada/credentials', { providerId, credentials });
  }
  const party = { integrationIdentifier: slack.identifier, subscriberId: 'ada' };
  const auth = { accessToken: marked('access-token'), refreshToken: marked('refresh-token') };
  type Named = { identifier: string };
  const connection = { ...party, workspace: { id: 'T1' }, auth };
  const { identifier } = await make<Named>('POST', '/v1/channel-connections', { ...connection, identifier: 'one' });
  const endpoint = { ...party, type: 'webhook', endpoint: { url: `${HOOK}/${marked('endpoint')}` } };
  await make<Named>('POST', '/v1/channel-endpoints', { ...endpoint, identifier });
  const webhook = await make<{ _id: string; secret: string }>('POST', '/v1/webhook-endpoints', {
    url: `${HOOK}/hook?token=${marked('query')}`,
  });
  const values = [{ _environmentId: environmentId, value: marked('variable') }];
  await make('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values });
  const { key } = await make<{ key: string }>('POST', `/v1/environments/${environmentId}/api-keys`, {});
  await new MirrorRepository(database).start(environmentId, {
    url: 'https://other.x.test',
    key: sealMirrorKey(gateway.secrets, environmentId, marked('mirror-key')),
    delivers: 'other',
    comparePercent: 0,
    settleSeconds: 60,
    until: new Date(Date.now() + 3_600_000),
  });
  const mail = { name: 'Mail', stepId: 'mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hi' } };
  const workflow = await make('POST', '/v2/workflows', {
    name: 'Order',
    workflowId: 'order',
    active: true,
    steps: [mail],
  });
  await make('POST', '/v1/topics', { key: 'topic', name: 'Topic' });
  await make('POST', '/v1/topics/topic/subscribers', { subscribers: ['ada'] });
  await make('POST', '/v1/tenants', { identifier: 'one', name: 'Tenant' });
  await make('POST', '/v2/layouts', { layoutId: 'layout', name: 'Layout' });
  await make('POST', '/v2/contexts', { type: 'team', id: 'one' });
  const translation = { resourceType: 'workflow', resourceId: 'order', locale: 'en_US', content: { a: 'b' } };
  await make('POST', '/v2/translations', translation);
  return {
    secrets: [webhook.secret, key, gateway.key],
    ids: {
      ...{ environmentId, integrationId: sendgrid._id, endpointId: webhook._id, workflowId: 'order', stepId: 'mail' },
      ...{ subscriberId: 'ada', externalSubscriberId: 'ada', topicKey: 'topic', layoutId: 'layout', identifier },
      ...{ type: 'team', id: 'one', resourceType: 'workflow', resourceId: 'order', locale: 'en_US', version: '1' },
      ...{
        integrationIdentifier: slack.identifier,
        variableKey: 'TOKEN',
        levelOrWorkflow: 'global',
        providerId: 'sendgrid',
      },
      ...(await storeMarkedMessages(gateway, workflow._id)),
    },
  };
}

/** A notification, its message and its entry in the outbox. */
async function storeMarkedMessages(gateway: TestGateway, workflowId: string): Promise<Record<string, string>> {
  const { database, environmentId, secrets } = gateway;
  const [person] = await database.query<{ id: SubscriberRowId }>(
    `SELECT id FROM subscriber WHERE environment_id = $1 AND subscriber_id = 'ada'`,
    [environmentId],
  );
  const subscriberId = person!.id;
  const tokens = new LinkTokens(secrets);
  const unsubscribeUrl = `${PUBLIC_URL}/u/${tokens.issue({ kind: 'preferences', environmentId, subscriberId, workflowId })}`;
  const overrides = {
    chat: { webhookUrl: `${HOOK}/${marked('override-webhook')}` },
    providers: { expo: { deviceTokens: [marked('override-device')] } },
    email: { _passthrough: { headers: { authorization: marked('override-header') } } },
  };
  const payload = { webhookUrl: marked('payload-webhook') };
  const [notification] = await insertNotifications(database, [
    { environmentId, subscriberId, workflowId, overrides, payload },
  ]);
  const { triggerId, transactionId } = notification!;
  const refusal = { kind: 'permanent', message: unsubscribeUrl, answer: `{"html":"${unsubscribeUrl}"}` };
  const details = [{ d: 'Unexpected provider error', s: 'Failed', m: true, r: JSON.stringify(refusal) } as const];
  const [step] = await insertSteps(database, notification!, [
    { type: 'email', stepKey: 'mail', state: 'failed', details },
  ]);
  const messageId = step!.id;
  const click = tokens.issue({ kind: 'click', environmentId, messageId, url: PUBLIC_URL });
  const open = tokens.issue({ kind: 'open', environmentId, messageId });
  const html =
    `<p><a href="${unsubscribeUrl}">Unsubscribe</a><a href="${PUBLIC_URL}/t/c/${click}">Shop</a>` +
    `<img src="${PUBLIC_URL}/t/o/${open}"></p>`;
  const seal = (target: string): string => sealMessageTarget(secrets, environmentId, messageId, target);
  await insertMessages(database, [
    {
      ...{ id: messageId, stepId: messageId, environmentId, subscriberId, triggerId, channel: 'email' },
      ...{ providerId: 'sendgrid', subject: 'Hi', content: html, email: 'ada@x.test', status: 'error' },
      errorText: `Rejected: ${unsubscribeUrl}`,
      directWebhookUrl: seal(`${HOOK}/${marked('message-webhook')}`),
      deviceTokens: [seal(marked('message-device'))],
    },
  ]);
  const text = `Unsubscribe: ${unsubscribeUrl}`;
  const more = { unsubscribeUrl, headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>` } };
  await new OutboxRepository(database).put(environmentId, [
    { messageId, channel: 'email', providerId: 'platform-email', to: ['ada@x.test'], subject: 'Hi', html, text, more },
  ]);
  return { notificationId: notification!.id, messageId, transactionId };
}
