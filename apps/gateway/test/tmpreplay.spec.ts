import { newId, type ReplayResultDto } from '@clarion/contracts';
import type { ExecutionDetail, Notification, Step } from '@clarion/persistence';
import { openQueue, type StepsJob } from '@clarion/queue';
import {
  insertExecutionDetails,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type WorkflowRow,
} from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

describe('replay', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let subscriberId: string;

  beforeAll(async () => {
    gateway = await startGateway();
    workflow = await insertWorkflow(gateway.database, { environmentId: gateway.environmentId });
    const { body } = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ann', email: 'ann@x.test' });
    subscriberId = body['_id'] as string;
  });
  afterAll(() => gateway.close());
  // Every test makes its own history.
  beforeEach(() => gateway.database.query('DELETE FROM notification'));
  beforeEach(() => gateway.database.query('DELETE FROM step'));

  const replay = (body: object, headers?: Record<string, string>) =>
    gateway.call<ReplayResultDto>('POST', '/v1/notifications/replay', body, headers);

  /** A notification with these steps; a step that failed looks as a worker leaves it. */
  async function notify(
    states: (Step['state'] | Partial<Step>)[],
    more: Partial<Notification> = {},
  ): Promise<{ notification: Notification; steps: Step[] }> {
    const [notification] = await insertNotifications(gateway.database, [
      { environmentId: gateway.environmentId, subscriberId, workflowId: workflow.id, ...more },
    ]);
    const rows = states.map((given): Partial<Step> => {
      const step = typeof given === 'string' ? { state: given } : given;
      if (step.state !== 'failed') return step;
      const worn = { attempt: 8, crashCount: 2, fence: 9, error: { message: 'no' }, integrationId: newId() };
      return { ...worn, dueAt: new Date(0), scheduleExtensionsCount: 2, ...step };
    });
    return { notification: notification!, steps: await insertSteps(gateway.database, notification!, rows) };
  }

  const steps = (ids: string[]) =>
    gateway.database.rows<Step & { inSeconds: number }>(
      `SELECT *, round(extract(epoch FROM due_at - updated_at))::int AS in_seconds FROM step WHERE id = ANY ($1)
        ORDER BY position, id`,
      [ids],
    );
  const states = async (ids: string[]) => (await steps(ids)).map(({ state }) => state);
  const details = (stepId: string) =>
    gateway.database.rows<ExecutionDetail>('SELECT * FROM execution_detail WHERE step_id = $1 ORDER BY id', [stepId]);
  const told = (step: Step, detail: string) =>
    insertExecutionDetails(gateway.database, [
      { environmentId: gateway.environmentId, notificationId: step.notificationId, stepId: step.id, detail },
    ]);
  const idsOf = (...made: { steps: Step[] }[]) => made.flatMap((one) => one.steps.map(({ id }) => id)).sort();

  it('stops at ten thousand and says that there are more', async () => {
    const { notification } = await notify(['completed'], { transactionId: 'many' });
    const copied = `environment_id, trigger_id, transaction_id, workflow_id, workflow_version, subscriber_id`;
    await gateway.database.query(
      `WITH made AS (
         INSERT INTO notification (id, ${copied}) SELECT uuid_v7(), ${copied} FROM notification, generate_series(1, 10001)
          WHERE id = $1 RETURNING *)
       INSERT INTO step (id, environment_id, notification_id, transaction_id, subscriber_id, position, step_key, type, state)
       SELECT uuid_v7(), environment_id, id, transaction_id, subscriber_id, 0, 'email', 'email', 'failed' FROM made`,
      [notification.id],
    );
    const body = { transactionId: ['many'], perSecond: 10_000 };
    const T0=performance.now(); const mark=(n:string)=>console.log(n, Math.round(performance.now()-T0));
 await replay(body); mark('count'); await replay({}); mark('count-all'); await gateway.database.query('LOAD \'auto_explain\''); 
    expect((await replay(body)).body).toMatchObject({ matched: 10_000, notifications: 10_000, hasMore: true });
    expect((await replay({ ...body, dryRun: false })).body).toMatchObject({
      replayed: 10_000,
      hasMore: true,
      seconds: 1,
    });
    expect((await replay({ ...body, dryRun: false })).body).toMatchObject({ replayed: 1, hasMore: false });
  }, 60_000);

});
async function eventually<T>(read: () => Promise<T[]>, count: number): Promise<T[]> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const found = await read();
    if (found.length >= count || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
