import {
  type NotificationComparisonDto,
  type NotificationMessagesDto,
  type NotificationRulesDto,
  RULE_NAMES,
  type RuleName,
  type SubscriberRowId,
} from '@clarion/contracts';
import { type GivenStep, insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

describe('the evidence of a notification', () => {
  let gateway: TestGateway;
  let workflowId: string;
  let subscriberId: SubscriberRowId;

  beforeAll(async () => {
    gateway = await startGateway();
    const person = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@x.test' });
    subscriberId = person.body['_id'] as SubscriberRowId;
    const { body } = await gateway.call('POST', '/v2/workflows', {
      name: 'Order',
      workflowId: 'order',
      active: true,
      steps: [
        { name: 'Mail', stepId: 'mail', type: 'email', controlValues: { subject: 'Order {{payload.id}}', body: 'Hi' } },
      ],
    });
    workflowId = body['_id'] as string;
  });
  afterAll(() => gateway.close());

  async function notify(step: GivenStep, payload: object) {
    const [notification] = await insertNotifications(gateway.database, [
      { environmentId: gateway.environmentId, subscriberId, workflowId, payload: payload as never },
    ]);
    const steps = await insertSteps(gateway.database, notification!, [{ type: 'email', stepKey: 'mail', ...step }]);
    return { id: notification!.id, step: steps[0]!, notification: notification! };
  }
  const get = async <T>(id: string, path: string): Promise<T> => {
    const { status, body } = await gateway.call<T>('GET', `/v1/notifications/${id}/${path}`);
    expect(status).toBe(200);
    return body;
  };
  const suppressed: GivenStep = { state: 'failed', details: [{ d: 'Recipient is suppressed', s: 'Failed' }] };

  it('shows a message as it was sent, the answer of the provider, and what the template gives today', async () => {
    const answer = { d: 'Message sent', m: true as const, r: '{"id":"p-1","answer":"ok"}' };
    const { id, step, notification } = await notify({ state: 'completed', details: [answer] }, { id: 7 });
    await insertMessages(gateway.database, [
      {
        id: step.id,
        environmentId: gateway.environmentId,
        subscriberId,
        triggerId: notification.triggerId,
        stepId: step.id,
        channel: 'email',
        providerId: 'sendgrid',
        providerMessageId: 'p-1',
        subject: 'Order 6',
        content: '<p>Hello</p>',
        email: 'ada@x.test',
      },
    ]);
    const { data, today } = await get<NotificationMessagesDto>(id, 'messages?today=true');
    expect(data).toMatchObject([
      {
        _jobId: step.id,
        stepId: 'mail',
        channel: 'email',
        providerMessageId: 'p-1',
        to: ['ada@x.test'],
        subject: 'Order 6',
        content: '<p>Hello</p>',
        answers: [{ status: 'Success', detail: 'Message sent', raw: '{"id":"p-1","answer":"ok"}' }],
      },
    ]);
    expect(today).toMatchObject([{ stepId: 'mail', type: 'email' }]);
    expect(await get<NotificationMessagesDto>(id, 'messages')).toEqual({ data });
  });

  it('lists rules in the order of evaluation, and evaluates again what was not recorded', async () => {
    const { id } = await notify(suppressed, {});
    const { steps } = await get<NotificationRulesDto>(id, 'rules');
    const rules = steps[0]!.rules.map(({ rule, passed, source }) => [rule, passed, source]);
    expect(rules).toContainEqual(['suppression', false, 'recorded']);
    expect(rules).toContainEqual(['preferences', true, 'recomputed']);
    expect(rules.filter(([rule]) => rule === 'suppression')).toHaveLength(1);
    const places = rules.map(([rule]) => RULE_NAMES.indexOf(rule as RuleName));
    expect(places.length).toBeGreaterThan(3);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('compares a failed run with the last good one of its workflow', async () => {
    await gateway.database.query('DELETE FROM notification WHERE environment_id = $1', [gateway.environmentId]);
    const first = await notify(suppressed, { id: 1 });
    expect(await get<NotificationComparisonDto>(first.id, 'comparison')).not.toHaveProperty('good');
    const good = await notify({ state: 'completed' }, { order: { id: 1 }, same: true });
    await notify(suppressed, {});
    const { id } = await notify(suppressed, { order: { id: 2 }, same: true, more: [1] });
    expect(await get<NotificationComparisonDto>(id, 'comparison')).toMatchObject({
      current: { _id: id, subscriberId: 'ada', workflowVersion: 1, steps: [{ stepId: 'mail', status: 'failed' }] },
      good: { _id: good.id, steps: [{ stepId: 'mail', status: 'completed' }] },
      payload: [
        { path: 'order.id', good: '1', current: '2' },
        { path: 'more', current: '[1]' },
      ],
    });
  });

  it('hides everything from another environment', async () => {
    const { id } = await notify(suppressed, {});
    const key = await gateway.secondKey();
    for (const path of ['messages', 'rules', 'comparison']) {
      expect((await callGateway(gateway.url, key, 'GET', `/v1/notifications/${id}/${path}`)).status).toBe(404);
    }
  });
});
