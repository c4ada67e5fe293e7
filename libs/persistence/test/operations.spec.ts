import {
  type EnvironmentId,
  idAtTime,
  type LimitWait,
  newId,
  type NotificationId,
  type StepId,
} from '@clarion/contracts/core';
import { HoldRepository, StepClaimRepository, StuckRepository, UsageRepository } from '@clarion/persistence';
import {
  createTestDatabase,
  type GivenStep,
  insertEnvironment,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
  watchStatements,
  type WorkflowRow,
} from '@clarion/testing';

const AGO = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('the figures for operators', () => {
  let test: TestDatabase;
  let usage: UsageRepository;
  let stuck: StuckRepository;
  let ours: EnvironmentId;
  let theirs: EnvironmentId;
  let workflow: WorkflowRow;
  let theirWorkflow: WorkflowRow;
  const subscriberId = newId();

  beforeAll(async () => {
    test = await createTestDatabase();
    usage = new UsageRepository(test.database);
    stuck = new StuckRepository(test.database);
    ours = await insertEnvironment(test.database);
    theirs = await insertEnvironment(test.database);
    workflow = await insertWorkflow(test.database, { environmentId: ours, workflowId: 'welcome' });
    theirWorkflow = await insertWorkflow(test.database, { environmentId: theirs, workflowId: 'invoice' });
    await test.database.query(`INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, 'ada')`, [
      subscriberId,
      ours,
    ]);
  });
  afterAll(() => test.drop());
  afterEach(() =>
    test.database.query('DELETE FROM work; DELETE FROM claim; DELETE FROM hold; DELETE FROM integration'),
  );

  const open = async (step: GivenStep, environmentId = ours): Promise<string> => {
    const workflowId = environmentId === ours ? workflow.id : theirWorkflow.id;
    const [notification] = await insertNotifications(test.database, [{ environmentId, subscriberId, workflowId }]);
    const [made] = await insertSteps(test.database, notification!, [{ state: 'queued', ...step }]);
    await test.database.query('UPDATE work SET workflow_id = $2 WHERE id = $1', [made!.id, workflowId]);
    return made!.id;
  };
  const integrate = async (channel: string, health: object | null = null): Promise<string> => {
    const id = newId();
    await test.database.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active, health)
       VALUES ($1, $2, $3, $3, 'sendgrid', $4, true, $5)`,
      [id, ours, `${channel}-${id}`, channel, health],
    );
    return id;
  };

  it('says who and what uses the system, with one statement for each question', async () => {
    const count = (environmentId: string, workflowId: string, channel: string, accepted: number, failed: number) =>
      test.database.query(
        `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted, failed)
         VALUES ($1, $2, date_trunc('minute', now()) - interval '3 minutes', $3, $4, $5)`,
        [environmentId, workflowId, channel, accepted, failed],
      );
    await count(ours, workflow.id, 'email', 300, 12);
    await count(ours, workflow.id, 'sms', 60, 0);
    await count(theirs, theirWorkflow.id, 'email', 40, 1);
    const sendgrid = await integrate('email', { state: 'open', since: 'x' });
    await open({ dueAt: AGO(90), integrationId: sendgrid });
    await open({ type: 'sms', dueAt: AGO(-60) });
    await open({ state: 'running', dueAt: AGO(30) });
    await open({ dueAt: AGO(5) }, theirs);
    const stop = watchStatements(test.dataSource);
    const byEnvironment = await usage.read('environment', undefined, 10);
    expect(stop()).toHaveLength(1);
    expect(byEnvironment).toMatchObject([
      { environmentId: ours, share: 0.9, failed5m: 12, due: 1, delayed: 1, running: 1, held: 0 },
      { environmentId: theirs, share: 0.1, failed5m: 1, due: 1, delayed: 0, running: 0 },
    ]);
    const [first] = byEnvironment;
    expect(first!.acceptedPerSecond).toBe(0);
    expect(first!.acceptedPerSecond5m).toBeGreaterThanOrEqual(1);
    expect(Date.now() - first!.oldestDueAt!.getTime()).toBeGreaterThan(80_000);
    expect(await usage.read('workflow', [ours], 10)).toMatchObject([
      { name: 'welcome', id: workflow.id, share: 1, due: 1, running: 1 },
    ]);
    expect(await usage.read('channel', undefined, 10)).toMatchObject([
      { name: 'email', environmentId: null, acceptedPerSecond: 0, failed5m: 13, due: 2, running: 1 },
      { name: 'sms', share: 0.15, delayed: 1 },
    ]);
    await open({ type: 'chat', dueAt: AGO(5) });
    const chat = (await usage.read('channel', undefined, 10)).find(({ name }) => name === 'chat');
    expect(chat).toMatchObject({ acceptedPerSecond: 0, acceptedPerSecond5m: 0, due: 1 });
    expect(await usage.read('integration', undefined, 10)).toMatchObject([
      { id: sendgrid, due: 1, health: { state: 'open' } },
    ]);
    expect(await usage.withFailures(undefined, AGO(600))).toEqual([ours, theirs]);
    expect(await usage.active([theirs], AGO(600))).toEqual([theirs]);
  });

  it('says for which limit a step was given back, and records each wait once', async () => {
    await integrate('email');
    const id = (await open({ dueAt: AGO(120) })) as StepId;
    const claims = new StepClaimRepository(test.database);
    const rate = { limit: 'rate_limit', figure: 5, integrationId: newId(), integration: 'Mail' } as const;
    const time = { limit: 'render_time', figure: 40 } as const;
    const giveBack = async (delayMs: number, wait?: LimitWait): Promise<void> => {
      await test.database.query(`UPDATE work SET due_at = $1`, [AGO(120)]);
      const claimed = await claims.claimChannel('email', [id]);
      expect(claimed).toHaveLength(1);
      await claims.release(claimed, delayMs, wait);
    };
    const shown = async () =>
      (await stuck.read(undefined, 60, 50)).rows.map(({ reason, limit }) => ({ reason, limit }));
    for (const wait of [rate, rate, { ...rate, figure: 9 }]) await giveBack(20_000, wait);
    expect(await shown()).toEqual([{ reason: 'limit', limit: { ...rate, figure: 9 } }]);
    await giveBack(2_000, time);
    expect(await shown()).toEqual([{ reason: 'limit', limit: time }]);
    const details = await test.database.query<{ status: string; detail: string; raw: string }>(
      `SELECT status, detail, raw FROM execution_detail WHERE step_id = $1 ORDER BY id`,
      [id],
    );
    const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
    expect(details.map(({ raw }) => JSON.parse(raw) as object)).toEqual([rate, { ...time, until }]);
    expect(details.map(({ status }) => status)).toEqual(['Pending', 'Pending']);
    expect(details[0]!.detail).toBe(
      'Step waits: integration "Mail" sends at most 5 messages a second; it goes on in its turn',
    );
    expect(details[1]!.detail).toMatch(
      /used up its 40 ms of render time a second; next try at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    );
    // A worker that stops changes nothing about the wait; a wait for something else ends it.
    await giveBack(0);
    expect(await shown()).toEqual([{ reason: 'limit', limit: time }]);
    await giveBack(1_000);
    expect(await shown()).toEqual([{ reason: 'not_offered', limit: null }]);
    // A worker has it again and lets it wait for its turn, which takes seconds.
    await giveBack(1_000, rate);
    await test.database.query(`UPDATE work SET due_at = $1`, [AGO(120)]);
    const claimed = await claims.claimChannel('email', [id]);
    expect(await shown()).toEqual([{ reason: 'limit', limit: rate }]);
    await test.database.query('UPDATE claim SET id = $1 WHERE id = $2', [
      idAtTime(AGO(90).getTime()),
      claimed[0]!.claimId,
    ]);
    await test.database.query('UPDATE work SET updated_at = $1', [AGO(90)]);
    expect(await shown()).toEqual([{ reason: 'running', limit: rate }]);
    await claims.release(claimed);
    // No worker takes the step when it comes back: the limit is no longer the reason.
    await giveBack(1_000, rate);
    await test.database.query(`UPDATE work SET due_at = $1`, [AGO(60)]);
    expect(await shown()).toEqual([{ reason: 'not_offered', limit: rate }]);
  });

  it('says what open work waits for, the oldest first', async () => {
    await integrate('email');
    await integrate('push', { state: 'open', since: AGO(500).toISOString(), reason: 'HTTP 503' });
    const holds = new HoldRepository(test.database);
    const target = {
      target: 'channel',
      targetId: 'chat',
      targetName: 'chat',
      reason: 'incident',
      heldBy: 'me',
      byOperator: false,
    } as const;
    const hold = (await holds.add({ id: newId(), environmentId: ours, ...target }))!;
    const error = { message: 'Mailbox is full' };
    const steps = {
      not_offered: await open({ dueAt: AGO(1000) }),
      unclaimed: await open({ dueAt: AGO(900), offeredAt: AGO(1) }),
      in_doubt: await open({ dueAt: AGO(850), sendingSince: AGO(800) }),
      lease_ended: await open({ state: 'running', dueAt: AGO(700) }),
      crashed: await open({ dueAt: AGO(650), crashCount: 1, updatedAt: AGO(600) }),
      provider_paused: await open({ type: 'push', dueAt: AGO(500) }),
      no_integration: await open({ type: 'sms', dueAt: AGO(400) }),
      retry: await open({ dueAt: AGO(-60), attempt: 3, error, providerId: 'sendgrid', updatedAt: AGO(300) }),
      held: await open({ type: 'chat', dueAt: AGO(250) }),
      running: await open({ state: 'running', dueAt: AGO(200), updatedAt: AGO(200) }),
    };
    await test.database.query(
      `UPDATE claim SET lease_until = now() - interval '700 seconds' WHERE $1 = ANY (work_ids)`,
      [steps.lease_ended],
    );
    // The last one was claimed long ago; of another, which waited for as long, the claim is new.
    await test.database.query('UPDATE claim SET id = $2 WHERE $1 = ANY (work_ids)', [
      steps.running,
      idAtTime(AGO(190).getTime()),
    ]);
    await open({ state: 'running', dueAt: AGO(200), updatedAt: AGO(200) });
    await holds.keep([{ id: steps.held as never, fence: 1, holdId: hold.id }]);
    await test.database.query(`UPDATE work SET updated_at = $2 WHERE id = $1`, [steps.held, AGO(250)]);
    // Not stuck: a delay whose time has not come, and a step that is due since a moment.
    await open({ type: 'delay', state: 'delayed', dueAt: AGO(-3600) });
    await open({ dueAt: AGO(1) });

    const stop = watchStatements(test.dataSource);
    const { rows, counts } = await stuck.read(undefined, 60, 50);
    expect(stop()).toHaveLength(1);
    expect(rows.map(({ reason }) => reason)).toEqual(Object.keys(steps));
    expect(rows.map(({ id }) => id)).toEqual(Object.values(steps));
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(10);
    const row = (reason: string) => rows.find((each) => each.reason === reason);
    expect(row('retry')).toMatchObject({ attempt: 3, error: 'Mailbox is full', providerId: 'sendgrid' });
    expect(row('held')).toMatchObject({ hold: { id: hold.id, heldBy: 'me', reason: 'incident', isResumed: false } });
    expect(row('provider_paused')).toMatchObject({ health: { state: 'open', reason: 'HTTP 503' } });
    expect(row('not_offered')).toMatchObject({ environmentId: ours, workflowId: 'welcome', subscriberId: 'ada' });
    expect((await stuck.read([theirs], 60, 50)).rows).toEqual([]);
    expect((await stuck.read(undefined, 60, 2)).rows).toHaveLength(2);
    expect(await stuck.retried(undefined)).toMatchObject([
      { channel: 'email', providerId: 'sendgrid', reason: 'Mailbox is full', count: 1, people: 1 },
    ]);
    expect(await stuck.retried([theirs])).toEqual([]);
    // Steps that were not called are one group, also if their words name different times; older ones have no words.
    for (const message of ['', 'open until 2:00', 'open until 2:01']) {
      await open({ type: 'push', dueAt: AGO(-60), error: { message, ...(message && { notCalled: true }) } });
    }
    expect(await stuck.retried(undefined)).toContainEqual(
      expect.objectContaining({ channel: 'push', providerId: 'sendgrid', reason: 'HTTP 503', count: 3 }),
    );
    expect(await stuck.connectedRoles()).toEqual([{ role: 'test', connections: expect.any(Number) as number }]);
  });

  it('counts triggers that wait for the same by their workflow', async () => {
    const other = await insertWorkflow(test.database, { environmentId: ours, workflowId: 'reminder' });
    for (const workflowId of [workflow.id, other.id, other.id]) {
      const [made] = await insertNotifications(test.database, [{ environmentId: ours, subscriberId, workflowId }]);
      await test.database.query(
        `INSERT INTO work (id, environment_id, trigger_id, type, due_at, queued_at) VALUES ($1, $2, $1, 'trigger', $3, $3)`,
        [made!.triggerId, ours, AGO(300)],
      );
    }
    const { rows } = await stuck.read(undefined, 60, 50);
    const found = rows.map(({ type, workflowId, alike }) => `${type} of ${workflowId}: ${alike}`);
    expect(found.sort()).toEqual(['trigger of reminder: 2', 'trigger of reminder: 2', 'trigger of welcome: 1']);
  });

  it('shows every kind of wait before a second row of one kind, and the waits of one notification', async () => {
    await integrate('email');
    for (let seconds = 900; seconds > 500; seconds -= 100) await open({ dueAt: AGO(seconds) });
    const rare = await open({ dueAt: AGO(100), sendingSince: AGO(90) });
    const { rows, counts, isBounded } = await stuck.read(undefined, 60, 3);
    expect(rows.map(({ reason, alike }) => ({ reason, alike }))).toEqual([
      { reason: 'not_offered', alike: 4 },
      { reason: 'not_offered', alike: 4 },
      { reason: 'in_doubt', alike: 1 },
    ]);
    expect(counts).toEqual([
      { reason: 'not_offered', count: 4 },
      { reason: 'in_doubt', count: 1 },
    ]);
    expect(isBounded).toBe(false);
    const later = await open({ type: 'delay', state: 'delayed', dueAt: AGO(-3600) });
    const notificationOf = async (id: string): Promise<NotificationId> => {
      const [row] = await test.database.query<{ id: NotificationId }>('SELECT notification_of($1::uuid) AS id', [id]);
      return row!.id;
    };
    expect(await stuck.ofNotification(ours, await notificationOf(later))).toMatchObject([
      { id: later, reason: 'delayed' },
    ]);
    expect(await stuck.ofNotification(ours, await notificationOf(rare))).toMatchObject([{ reason: 'in_doubt' }]);
    expect(await stuck.ofNotification(theirs, await notificationOf(rare))).toEqual([]);
  });
});
