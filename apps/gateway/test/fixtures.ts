import { newId } from '@clarion/contracts';
import type { Database } from '@clarion/persistence';
import { insertMessages, insertNotifications } from '@clarion/testing';

/** Posts a body with the key of the environment. */
type Post = (path: string, body: object) => Promise<{ status: number; text: string }>;

/**
 * Creates one resource of each kind that a path can name, and returns what the paths call it. The subscriber is
 * `fuzzed`. It can be called again after requests have deleted them.
 */
export async function createFixtures(database: Database, key: string, post: Post): Promise<Record<string, string>> {
  const make = async <T>(path: string, body: object): Promise<T> => {
    const { status, text } = await post(path, body);
    if (status > 299) throw new Error(`${path}: ${text}`);
    return JSON.parse(text) as T;
  };
  const subscriber = await make<{ _id: string; _environmentId: string }>('/v2/subscribers', {
    subscriberId: 'fuzzed',
  });
  const environmentId = subscriber._environmentId;
  const identifier = `fuzzed-${newId()}`;
  await make('/v2/topics/fuzzed/subscriptions', { subscriptions: [{ subscriberId: 'fuzzed', identifier }] });
  await make('/v1/tenants', { identifier });
  await make('/v2/contexts', { type: 'fuzzed', id: identifier });
  await make('/v2/layouts', { layoutId: identifier, name: 'Fuzzed' });
  const integration = await make<{ _id: string }>('/v1/integrations', { providerId: 'fcm', channel: 'push' });
  const chat = { integrationIdentifier: identifier, subscriberId: 'fuzzed', identifier };
  const credentials = { applicationId: 'A1', clientId: 'C1', secretKey: 'secret', apiKey: 'key' };
  await make('/v1/integrations', { providerId: 'slack', channel: 'chat', identifier, active: true, credentials });
  await make('/v1/integrations', { providerId: 'expo', channel: 'push', active: true, credentials });
  await make('/v1/channel-connections', { ...chat, workspace: { id: 'T1' }, auth: { accessToken: 'token' } });
  await make('/v1/channel-endpoints', { ...chat, type: 'slack_user', endpoint: { userId: 'U1' } });
  const workflow = await make<{ _id: string; workflowId: string; steps: { stepId: string }[] }>('/v2/workflows', {
    name: 'Fuzzed',
    workflowId: `fuzzed-${newId()}`,
    steps: [{ name: 'Mail', type: 'email', controlValues: { subject: '{{payload.a}}', body: 'b' } }],
  });
  const translation = {
    resourceType: 'workflow',
    resourceId: workflow.workflowId,
    locale: 'de',
    content: { a: 'A' },
  };
  await make('/v2/translations', translation);
  // It may be there already: an environment has few variables, so every call creates the same one.
  const variableKey = 'FUZZED';
  await post('/v1/environment-variables', { key: variableKey });
  const disposableKey = await make<{ _id: string }>(`/v1/environments/${environmentId}/api-keys`, {});
  const session = await make<{ _id: string }>('/v1/sessions', { apiKey: key });
  const row = { environmentId, subscriberId: subscriber._id, workflowId: workflow._id };
  const [notification] = await insertNotifications(database, [row]);
  const [message] = await insertMessages(database, [{ ...row, transactionId: notification!.transactionId }]);
  const hold = await make<{ _id: string }>('/v1/holds', { target: 'channel', id: 'push' });
  // An environment has few endpoints, and the fuzzing deletes only some of them.
  await database.query(`DELETE FROM webhook_endpoint WHERE environment_id = $1`, [environmentId]);
  const endpoint = await make<{ _id: string }>('/v1/webhook-endpoints', { url: 'https://example.com' });
  const frozen = { action: 'replay', ids: [notification!.id] };
  const bulkAction = await make<{ _id: string }>('/v1/bulk-actions', frozen);
  const [publish] = await database.query<{ id: string }>(
    `INSERT INTO publish (id, environment_id, origin, actor_type, resources, replaced)
     VALUES ($1, $2, 'publish', 'cli', '[]', '[]') RETURNING id`,
    [newId(), environmentId],
  );
  return {
    publishId: publish!.id,
    targetEnvironmentId: environmentId,
    holdId: hold._id,
    endpointId: endpoint._id,
    bulkActionId: bulkAction._id,
    subscriberId: 'fuzzed',
    externalSubscriberId: 'fuzzed',
    topicKey: 'fuzzed',
    identifier,
    type: 'fuzzed',
    id: identifier,
    layoutId: identifier,
    providerId: 'fcm',
    environmentId,
    keyId: disposableKey._id,
    sessionId: session._id,
    integrationId: integration._id,
    integrationIdentifier: identifier,
    workflowId: workflow.workflowId,
    levelOrWorkflow: workflow.workflowId,
    groupId: environmentId,
    stepId: workflow.steps[0]!.stepId,
    version: '1',
    notificationId: notification!.id,
    messageId: message!.id,
    transactionId: notification!.transactionId,
    variableKey,
    resourceType: 'workflow',
    resourceId: workflow.workflowId,
    locale: 'de',
  };
}
