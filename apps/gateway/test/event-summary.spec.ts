import type {
  EventSummaryDto,
  MessageListDto,
  NotificationListDto,
  StepStatus,
  SubscriberRowId,
} from '@clarion/contracts';
import { insertMessages, insertNotifications, insertSteps, insertWorkflow, type WorkflowRow } from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

/**
 * The summary of a transaction counts outcomes; the list filters find the events and messages behind each line of it.
 */
describe('GET /v1/events/{transactionId}/summary and the filters by outcome', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let other: WorkflowRow;

  beforeAll(async () => {
    gateway = await startGateway();
    const { database, environmentId } = gateway;
    workflow = await insertWorkflow(database, { environmentId, workflowId: 'news', steps: [{ type: 'email' }] });
    other = await insertWorkflow(database, { environmentId, workflowId: 'other', steps: [{ type: 'email' }] });
    await gateway.call('POST', '/v1/events/trigger', { name: 'news', to: ['a', 'b', 'c', 'd'], transactionId: 'tx' });
    await record('tx', workflow, 'a', 'completed', 'Message sent');
    await record('tx', workflow, 'b', 'failed', 'Unexpected provider error', 'mailbox full');
    await record('tx', workflow, 'c', 'canceled', 'Subscriber missing email address');
    await record('tx', workflow, 'd', 'failed', 'Unexpected provider error', 'account suspended');
    await record('elsewhere', other, 'e', 'failed', 'Layout not found');
  });
  afterAll(() => gateway.close());

  /** Inserts a notification with one email step in this state, its execution details and its message. */
  async function record(
    transactionId: string,
    { id: workflowId }: WorkflowRow,
    name: string,
    state: StepStatus,
    detail: string,
    message?: string,
  ): Promise<void> {
    const { database, environmentId } = gateway;
    const { body } = await gateway.call<{ _id: string }>('POST', '/v2/subscribers', { subscriberId: name });
    const [row] = await insertNotifications(database, [
      { environmentId, subscriberId: body._id as SubscriberRowId, workflowId, transactionId },
    ]);
    const outcome = state === 'completed' ? { d: detail } : { d: detail, s: 'Failed' as const };
    const [step] = await insertSteps(database, row!, [
      {
        type: 'email',
        state,
        queuedAt: new Date(Date.now() - 1000),
        details: [outcome],
        ...(message && { error: { message } }),
      },
    ]);
    const of = { environmentId, notificationId: row!.id, stepId: step!.id };
    const status = { completed: 'sent', failed: 'error', canceled: 'warning' }[state as string];
    const about = { subscriberId: body._id, transactionId, workflowId, subject: name };
    await insertMessages(database, [{ ...of, ...about, channel: 'email', status } as never]);
  }
  const summary = (transactionId: string) =>
    gateway.call<EventSummaryDto>('GET', `/v1/events/${transactionId}/summary`);

  it('counts the steps of a transaction by channel, status and reason in two statements', async () => {
    const stop = gateway.watchStatements();
    const { status, body } = await summary('tx');
    expect(stop().filter((statement) => /notification|step|trigger/.test(statement))).toHaveLength(2);
    expect([status, body]).toEqual([
      200,
      {
        transactionId: 'tx',
        state: 'accepted',
        recipients: 4,
        notifications: 4,
        steps: [
          { channel: 'email', status: 'canceled', reason: 'Subscriber missing email address', count: 1 },
          { channel: 'email', status: 'completed', count: 1 },
          { channel: 'email', status: 'failed', reason: 'account suspended', count: 1 },
          { channel: 'email', status: 'failed', reason: 'mailbox full', count: 1 },
        ],
      },
    ]);
  });

  it('gives the words of the provider as the reason of a job', async () => {
    const { body } = await gateway.call<NotificationListDto>('GET', '/v1/notifications?transactionId=tx');
    expect(body.data.map(({ jobs }) => jobs![0]!.reason)).toEqual([
      'account suspended',
      'Subscriber missing email address',
      'mailbox full',
      undefined,
    ]);
  });

  it('answers with zero counts before fan-out and 404 for an unknown transaction or another environment', async () => {
    await gateway.call('POST', '/v1/events/trigger', { name: 'news', to: 'a', transactionId: 'fresh' });
    expect((await summary('fresh')).body).toMatchObject({ recipients: 0, notifications: 0, steps: [] });
    expect((await summary('unknown')).status).toBe(404);
    const foreign = await callGateway(gateway.url, await gateway.secondKey(), 'GET', '/v1/events/tx/summary');
    expect(foreign.status).toBe(404);
  });

  it.each([
    ['transactionId=tx&status=failed', ['d', 'b']],
    ['transactionId=tx&status=failed&status=canceled', ['d', 'c', 'b']],
    ['status=failed', ['e', 'd', 'b']],
    ['status=failed&limit=1&page=1', ['d']],
    ['status=delayed', []],
    ['detail=MISSING email', ['c']],
    ['subscriberIds=c&detail=missing email', ['c']],
    ['status=completed&detail=provider error', []],
    ['status=failed&detail=provider error', ['d', 'b']],
    ['workflowId=other', ['e']],
    ['workflowId=other&workflowId=nothing&status=completed', []],
    ['workflowId=news&status=completed', ['a']],
    ['detail=100%25', []],
  ])('filters the list of events by %s', async (query, expected) => {
    const { status, body } = await gateway.call<NotificationListDto>('GET', `/v1/notifications?${query}`);
    expect(status).toBe(200);
    expect(body.data.map(({ subscriber }) => subscriber!.subscriberId)).toEqual(expected);
  });

  it.each([
    ['transactionId=tx&status=error', ['d', 'b']],
    ['status=warning&status=error', ['e', 'd', 'c', 'b']],
    ['status=error&limit=1&page=2', ['b']],
    ['detail=missing EMAIL', ['c']],
    ['subscriberId=c&detail=missing', ['c']],
    ['workflowId=other', ['e']],
    ['workflowId=other&status=sent', []],
  ])('filters the list of messages by %s', async (query, expected) => {
    const { status, body } = await gateway.call<MessageListDto>('GET', `/v1/messages?${query}`);
    expect(status).toBe(200);
    expect(body.data.map(({ subject }) => subject)).toEqual(expected);
  });

  it('filters events and messages by the id of a workflow as well as by its identifier', async () => {
    for (const path of ['notifications', 'messages']) {
      const { body } = await gateway.call<{ data: unknown[] }>('GET', `/v1/${path}?workflowId=${other.id}`);
      expect(body.data).toHaveLength(1);
    }
  });

  it.each([
    ['notifications', 'status=lost'],
    ['messages', 'status=failed'],
  ])('answers 422 to the list of %s with the filter %s', async (path, query) => {
    expect((await gateway.call('GET', `/v1/${path}?${query}`)).status).toBe(422);
  });
});
