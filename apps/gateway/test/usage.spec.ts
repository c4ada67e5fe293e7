import { newId, type SubscriberUsageDto, type TopicUsageDto } from '@clarion/contracts';
import { insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

describe('what is used before it is deleted', () => {
  let gateway: TestGateway;
  let ada: string;

  beforeAll(async () => {
    gateway = await startGateway();
    const create = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' });
    ada = String(create.body['_id']);
    for (const key of ['news', 'quiet']) await gateway.call('POST', '/v2/topics', { key, name: key });
    await gateway.call('POST', '/v2/topics/news/subscriptions', { subscriptions: ['ada'] });
  });
  afterAll(() => gateway.close());

  const notify = async (subscriberId: string, createdAt: Date) => {
    const environmentId = gateway.environmentId;
    const [notification] = await insertNotifications(gateway.database, [
      { environmentId, subscriberId, workflowId: newId(), topicKeys: ['news'], createdAt },
    ]);
    return notification!;
  };

  it('counts the topics, messages and open steps of a subscriber', async () => {
    const notification = await notify(ada, new Date());
    await insertSteps(gateway.database, notification, [
      { state: 'completed' },
      { state: 'delayed', type: 'delay' },
      { state: 'pending' },
    ]);
    await insertMessages(gateway.database, [{ environmentId: gateway.environmentId, subscriberId: ada }]);
    await notify(newId(), new Date());
    const { status, body } = await gateway.call<SubscriberUsageDto>('GET', '/v2/subscribers/ada/usage');
    expect({ status, body }).toEqual({ status: 200, body: { topics: 1, channels: 0, messages: 1, openSteps: 1 } });
  });

  it('counts the subscribers of a topic and its notifications of the last 30 days', async () => {
    const before = (await gateway.call<TopicUsageDto>('GET', '/v2/topics/news/usage')).body;
    const at = new Date(Date.now() + 1_000);
    await notify(ada, at);
    const { body } = await gateway.call<TopicUsageDto>('GET', '/v2/topics/news/usage');
    expect(body).toEqual({ subscribers: 1, notifications: before.notifications + 1, lastUsedAt: at.toISOString() });
    expect((await gateway.call('GET', '/v2/topics/quiet/usage')).body).toEqual({
      subscribers: 0,
      notifications: 0,
      lastUsedAt: null,
    });
  });

  it('answers 404 for an unknown subscriber or topic, and in another environment', async () => {
    const other = await gateway.secondKey();
    for (const path of ['/v2/subscribers/ada/usage', '/v2/topics/news/usage']) {
      expect((await callGateway(gateway.url, other, 'GET', path)).status).toBe(404);
      expect((await gateway.call('GET', path.replace(/ada|news/, 'missing'))).status).toBe(404);
    }
  });
});
