import type { BulkActionDto } from '@clarion/contracts';
import { insertNotifications, insertSteps, insertWorkflow, until } from '@clarion/testing';
import { type Clarion, startOwnClarion } from './harness';

const STEPS = 214;

describe('a bulk action with several engines', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startOwnClarion({ roles: [] });
  });
  afterAll(() => clarion.close());

  it('replays 214 of 214 steps, each once, although the engine that runs it is killed', async () => {
    const { database, environmentId } = clarion;
    const workflow = await insertWorkflow(database, { environmentId, steps: [{ type: 'email' }] });
    const { _id: subscriberId } = await clarion.callOk<{ _id: string }>('POST', '/v2/subscribers', {
      subscriberId: 'ada',
      email: 'ada@x.test',
    });
    const notifications = await insertNotifications(
      database,
      Array.from({ length: STEPS }, () => ({ environmentId, subscriberId, workflowId: workflow.id })),
    );
    for (const notification of notifications) await insertSteps(database, notification, [{ state: 'failed' }]);
    const ids = notifications.map(({ id }) => id);
    const planned = await clarion.callOk<BulkActionDto>('POST', '/v1/bulk-actions', {
      action: 'replay',
      ids,
      perSecond: 40,
    });
    expect(planned).toMatchObject({ count: STEPS, notifications: STEPS });

    const progress = () => clarion.callOk<BulkActionDto>('GET', `/v1/bulk-actions/${planned._id}`);
    const killable = await clarion.startKillable('engine');
    await clarion.callOk('POST', `/v1/bulk-actions/${planned._id}/run`, { count: STEPS });
    await until(async () => (await progress()).done > 0);
    killable.kill();
    const { done: atTheKill, state } = await progress();
    expect([state, atTheKill < STEPS]).toEqual(['running', true]);

    // Two engines go on together. The rate is raised because the test need not wait.
    await database.query('UPDATE bulk_action SET per_second = 500, next_at = now()');
    await clarion.start('engine', 'engine');
    await until(async () => (await progress()).state === 'done');
    expect(await progress()).toMatchObject({ count: STEPS, done: STEPS, unchanged: 0, failed: 0 });
    const [queued] = await database.query<{ lines: number; steps: number; open: number }>(
      `SELECT count(*)::int AS lines, count(DISTINCT step_id)::int AS steps,
              (SELECT count(*)::int FROM work WHERE notification_id = ANY ($1)) AS open
         FROM execution_detail WHERE notification_id = ANY ($1) AND detail = 'Step queued' AND is_retry`,
      [ids],
    );
    expect(queued).toEqual({ lines: STEPS, steps: STEPS, open: STEPS });
  });
});
