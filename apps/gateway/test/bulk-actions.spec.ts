import {
  type ActivityGroupsDto,
  type ActivityListDto,
  type BulkActionDto,
  type BulkActionListDto,
  LIMITS,
  newId,
  type NotificationDto,
  type NotificationId,
  type SubscriberRowId,
} from '@clarion/contracts';
import { ActivityRepository, BulkActionRepository, Maintenance } from '@clarion/persistence';
import {
  type BuiltNotification,
  type BuiltStep,
  type GivenStep,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  until,
  type WorkflowRow,
} from '@clarion/testing';
import { callGateway, startOwnGateway, type TestGateway } from './harness';

const RESEND = { apiKey: 're_key', from: 'a@x.test', senderName: 'A' };

describe('/v1/bulk-actions', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let subscriberId: SubscriberRowId;
  let runner: BulkActionRepository;

  beforeAll(async () => {
    gateway = await startOwnGateway();
    workflow = await insertWorkflow(gateway.database, { environmentId: gateway.environmentId });
    const { body } = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@x.test' });
    subscriberId = body['_id'] as SubscriberRowId;
    runner = new BulkActionRepository(gateway.database);
  });
  afterAll(() => gateway.close());
  // Only the actions of the running test are worked off.
  beforeEach(() => gateway.database.query('DELETE FROM bulk_action'));

  type Made = { notification: BuiltNotification; steps: BuiltStep[] };

  async function notify(...given: GivenStep[]): Promise<Made> {
    const [notification] = await insertNotifications(gateway.database, [
      { environmentId: gateway.environmentId, subscriberId, workflowId: workflow.id },
    ]);
    return { notification: notification!, steps: await insertSteps(gateway.database, notification!, given) };
  }
  const failed: GivenStep = { state: 'failed' };
  const idsOf = (...made: Made[]) => made.map(({ notification }) => notification.id);

  const create = (body: object) => gateway.call<BulkActionDto>('POST', '/v1/bulk-actions', body);
  const plan = async (body: object): Promise<BulkActionDto> => {
    const { status, body: planned } = await create(body);
    expect(status).toBe(201);
    return planned;
  };
  const run = ({ _id, count }: BulkActionDto, confirmed = count) =>
    gateway.call<BulkActionDto>('POST', `/v1/bulk-actions/${_id}/run`, { count: confirmed });
  const retrieve = async ({ _id }: BulkActionDto) =>
    (await gateway.call<BulkActionDto>('GET', `/v1/bulk-actions/${_id}`)).body;
  /** Makes the next batch due and works it off; returns how many steps it queued. */
  async function batch(): Promise<number | undefined> {
    // A stored time is rounded to a millisecond, so `now()` may be stored as later than it is.
    const due = `now() - interval '1 millisecond'`;
    await gateway.database.query(`UPDATE bulk_action SET next_at = ${due} WHERE state = 'running'`);
    return ((await runner.runNextBatch('steady')) ?? (await runner.runNextBatch('failing')))?.length;
  }
  const statesOf = async ({ notification }: Made) => {
    const { body } = await gateway.call<NotificationDto>('GET', `/v1/notifications/${notification.id}`);
    return body.jobs!.map(({ status }) => status);
  };

  it('freezes the failed steps of the named notifications and says which may have been sent', async () => {
    const interrupted = { d: 'Sending was interrupted, the message is held', s: 'Warning' as const };
    const unknown = { d: 'Unexpected provider error', r: '{"kind":"unknown-outcome","message":"lost"}' };
    const held = await notify({ ...failed, details: [interrupted] });
    const lost = await notify({ ...failed, details: [unknown] }, { state: 'completed' });
    const plain = await notify(failed, failed, { state: 'canceled' });
    const good = await notify({ state: 'completed' });
    const planned = await plan({ action: 'replay', ids: [...idsOf(plain, held, lost, good), newId()] });
    expect(planned).toEqual({
      _id: expect.any(String),
      _environmentId: gateway.environmentId,
      action: 'replay',
      state: 'planned',
      selected: 5,
      count: 4,
      notifications: 3,
      mayBeDuplicates: 2,
      duplicateSample: idsOf(held, lost).sort(),
      hasMore: false,
      perSecond: 100,
      done: 0,
      unchanged: 0,
      failed: 0,
      failures: 0,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
    });
    const why = { channel: 'email', providerId: null };
    expect((await retrieve(planned)).reasons).toEqual([
      { ...why, reason: null, count: 2 },
      { ...why, reason: interrupted.d, count: 1 },
      { ...why, reason: unknown.d, count: 1 },
    ]);
    expect(await batch()).toBeUndefined();
    expect(await statesOf(plain)).toEqual(['failed', 'failed', 'canceled']);
  });

  it('runs exactly the frozen steps after the count was confirmed, at the rate', async () => {
    const made = [await notify(failed), await notify(failed), await notify(failed)];
    const planned = await plan({ action: 'replay', ids: idsOf(...made), perSecond: 2 });
    const later = await notify(failed);
    const refused = await run(planned, 4);
    expect(refused).toMatchObject({ status: 409, body: { count: 3, confirmed: 4 } });
    expect(refused.body).toMatchObject({ message: 'The bulk action has 3 items, and 4 were confirmed' });
    expect(await run(planned)).toMatchObject({
      status: 200,
      body: { state: 'running', startedAt: expect.any(String) },
    });

    expect(await runner.runNextBatch('steady')).toHaveLength(2);
    // The second batch is due a second later. On a busy machine the second may be over.
    await gateway.database.query(
      `UPDATE bulk_action SET next_at = next_at + interval '1 hour' WHERE state = 'running'`,
    );
    expect(await runner.runNextBatch('steady')).toBeUndefined();
    expect(await runner.nextDueInMs('steady')).toBeGreaterThan(0);
    expect(await retrieve(planned)).toMatchObject({ state: 'running', done: 2 });
    expect(await batch()).toBe(1);
    expect(await retrieve(planned)).toMatchObject({ state: 'done', done: 3, endedAt: expect.any(String) });
    expect(await Promise.all(made.map(statesOf))).toEqual([['queued'], ['queued'], ['queued']]);
    expect(await statesOf(later)).toEqual(['failed']);
    // Confirming twice changes nothing.
    expect(await run(planned)).toMatchObject({ status: 200, body: { state: 'done', done: 3 } });
    expect(await batch()).toBeUndefined();
  });

  it('leaves steps that changed meanwhile as they are and counts the reasons', async () => {
    const [open, again, gone, same] = [
      await notify(failed),
      await notify(failed),
      await notify(failed),
      await notify(failed),
    ];
    const planned = await plan({ action: 'replay', ids: idsOf(open!, again!, gone!, same!) });
    await gateway.call('POST', '/v1/notifications/replay', { ids: idsOf(open!), dryRun: false });
    await gateway.database.query(`UPDATE step SET ended_at = now() WHERE id = $1`, [again!.steps[0]!.id]);
    await gateway.database.query(`DELETE FROM step WHERE id = $1`, [gone!.steps[0]!.id]);
    await run(planned);
    expect(await batch()).toBe(1);
    const ended = await retrieve(planned);
    expect(ended).toMatchObject({ state: 'done', count: 4, done: 1, unchanged: 3, failed: 0 });
    expect(ended.unchangedReasons!.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
      { reason: 'deleted', count: 1 },
      { reason: 'ended_again', count: 1 },
      { reason: 'open', count: 1 },
    ]);
    expect(await statesOf(again!)).toEqual(['failed']);
  });

  it('stops between batches with final counts and does not run again', async () => {
    const made = [await notify(failed), await notify(failed)];
    const planned = await plan({ action: 'replay', ids: idsOf(...made), perSecond: 1 });
    await run(planned);
    expect(await batch()).toBe(1);
    const { body } = await gateway.call<BulkActionDto>('POST', `/v1/bulk-actions/${planned._id}/stop`);
    expect(body).toMatchObject({ state: 'stopped', done: 1, endedAt: expect.any(String) });
    expect(await batch()).toBeUndefined();
    expect((await Promise.all(made.map(statesOf))).flat().sort()).toEqual(['failed', 'queued']);
    expect(await run(planned)).toMatchObject({ status: 409 });
    const log = await gateway.call('GET', `/v1/audit-log?resourceType=bulk_action&resourceId=${planned._id}`);
    expect(log.body['data']).toMatchObject([
      { action: 'bulk_action.updated', before: { state: 'running' }, after: { state: 'stopped', done: 1 } },
      { action: 'bulk_action.updated', before: { state: 'planned' }, after: { state: 'running', count: 2 } },
    ]);
  });

  it('cancels the open steps of exactly the frozen notifications, except those that are being sent', async () => {
    const queued = await notify({ state: 'queued' }, { state: 'pending' });
    const delayed = await notify({ state: 'delayed', type: 'delay' }, { state: 'pending' });
    const sending = await notify({ state: 'queued', sendingSince: new Date() });
    const soon = await notify({ state: 'queued' });
    const ended = await notify({ state: 'queued' });
    const other = await notify({ state: 'queued' });
    const planned = await plan({ action: 'cancel', ids: idsOf(queued, delayed, sending, soon, ended) });
    expect(planned).toMatchObject({ selected: 5, count: 4, notifications: 4, mayBeDuplicates: 0 });
    await gateway.database.query(`UPDATE work SET sending_since = now() WHERE id = $1`, [soon.steps[0]!.id]);
    await gateway.database.query(`DELETE FROM work WHERE id = $1`, [ended.steps[0]!.id]);
    await run(planned);
    expect(await batch()).toBe(0);
    expect(await retrieve(planned)).toMatchObject({
      state: 'done',
      done: 2,
      unchanged: 2,
      unchangedReasons: [
        { reason: 'ended', count: 1 },
        { reason: 'sending', count: 1 },
      ],
    });
    expect(await Promise.all([queued, delayed].map(statesOf))).toEqual([
      ['canceled', 'canceled'],
      ['canceled', 'canceled'],
    ]);
    expect(await Promise.all([sending, soon, other].map(statesOf))).toEqual([['queued'], ['queued'], ['queued']]);
  });

  it('counts a step that the database rejects as failed and runs the others', async () => {
    const [bad, fine] = [await notify(failed), await notify(failed)];
    const planned = await plan({ action: 'replay', ids: idsOf(bad, fine) });
    await gateway.database.query(
      `CREATE FUNCTION reject_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.id = '${bad.steps[0]!.id}' THEN RAISE EXCEPTION 'rejected'; END IF; RETURN NEW; END $$`,
    );
    await gateway.database.query(
      `CREATE TRIGGER reject_one BEFORE INSERT ON work FOR EACH ROW EXECUTE FUNCTION reject_one()`,
    );
    await run(planned);
    expect(await batch()).toBe(1);
    await gateway.database.query('DROP FUNCTION reject_one CASCADE');
    expect(await retrieve(planned)).toMatchObject({ state: 'done', done: 1, unchanged: 0, failed: 1 });
    expect(await Promise.all([bad, fine].map(statesOf))).toEqual([['failed'], ['queued']]);
  });

  describe('a batch that takes too long', () => {
    /** Statements that open this step take too long. That says nothing about the other items. */
    const delay = async ({ steps }: Made) => {
      await gateway.database.query(
        `CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF NEW.id = '${steps[0]!.id}' THEN RAISE EXCEPTION USING ERRCODE = '57014'; END IF; RETURN NEW; END $$`,
      );
      await gateway.database.query(
        `CREATE TRIGGER take_too_long BEFORE INSERT ON work FOR EACH ROW EXECUTE FUNCTION take_too_long()`,
      );
    };
    afterEach(() => gateway.database.query('DROP FUNCTION IF EXISTS take_too_long CASCADE'));
    const lastError = 'A statement of a batch took too long';

    it('makes the next one later and smaller after each failure, and the action says why until batches succeed', async () => {
      const [bad, fine] = [await notify(failed), await notify(failed)];
      const planned = await plan({ action: 'replay', ids: idsOf(bad, fine), perSecond: 8 });
      await delay(bad);
      await run(planned);
      const waits: number[] = [];
      for (let failures = 1; failures <= 3; failures += 1) {
        await expect(batch()).rejects.toThrow();
        // All engines go by what the row says.
        runner = new BulkActionRepository(gateway.database);
        expect(await retrieve(planned)).toMatchObject({ failures, lastError, nextAt: expect.any(String), done: 0 });
        waits.push((await runner.nextDueInMs('failing'))!);
      }
      expect(waits.map((wait) => Math.ceil(wait / 5_000))).toEqual([1, 2, 4]);
      await gateway.database.query('DROP FUNCTION take_too_long CASCADE');
      // Eight items a second, a sixty-fourth of that after three failures.
      expect(await batch()).toBe(1);
      expect(await retrieve(planned)).toMatchObject({ state: 'running', failures: 2, lastError, done: 1 });
      while ((await retrieve(planned)).state === 'running') await batch();
      const ended = await retrieve(planned);
      expect(ended).toMatchObject({ state: 'done', done: 2, failed: 0, failures: 1 });
    });

    it('does not delay the actions of another environment', async () => {
      const slow = [await notify(failed), await notify(failed), await notify(failed)];
      for (const made of slow) await run(await plan({ action: 'replay', ids: idsOf(made) }));
      await delay(slow[0]!);
      const { key } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Undelayed' });
      const other = <T>(method: string, path: string, body?: object) =>
        callGateway<T>(gateway.url, key, method, path, body);
      const { body } = await other<BulkActionDto>('POST', '/v1/bulk-actions', { action: 'replay', ids: [newId()] });
      await other('POST', `/v1/bulk-actions/${body._id}/run`, { count: 0 });
      await expect(runner.runNextBatch('steady')).rejects.toThrow();
      // The others of the environment are due since before, but no longer in this lane.
      await runner.runNextBatch('steady');
      expect((await other<BulkActionDto>('GET', `/v1/bulk-actions/${body._id}`)).body.state).toBe('done');
      expect(await runner.nextDueInMs('steady')).toBeUndefined();
      expect(await runner.runNextBatch('failing')).toHaveLength(1);
    });

    it('fails an item that always takes too long, and the action goes on behind it', async () => {
      const made = [await notify(failed), await notify(failed)].sort((one, two) =>
        one.steps[0]!.id < two.steps[0]!.id ? -1 : 1,
      );
      const planned = await plan({ action: 'replay', ids: idsOf(...made) });
      await delay(made[0]!);
      await run(planned);
      for (let failures = 0; failures < 6; failures += 1) await expect(batch()).rejects.toThrow();
      expect(await batch()).toBe(0);
      expect(await retrieve(planned)).toMatchObject({ failed: 1, failures: 5, done: 0 });
      expect(await batch()).toBe(1);
      expect(await retrieve(planned)).toMatchObject({ state: 'done', failed: 1, done: 1 });
    });
  });

  it('runs three actions of an environment at a time, in the order in which they were started', async () => {
    const planned: BulkActionDto[] = [];
    for (let at = 0; at < 4; at += 1) {
      planned.push(
        await plan({ action: 'replay', ids: idsOf(await notify(failed), await notify(failed)), perSecond: 1 }),
      );
    }
    for (const each of planned) await run(each);
    const progress = () => Promise.all(planned.map(async (each) => (await retrieve(each)).done));
    for (let at = 0; at < 3; at += 1) {
      await runner.runNextBatch('steady');
      // Its next batch is due a second later. On a busy machine the second may be over.
      await gateway.database.query(
        `UPDATE bulk_action SET next_at = now() + interval '1 hour' WHERE state = 'running' AND done > 0`,
      );
    }
    expect(await runner.runNextBatch('steady')).toBeUndefined();
    expect(await progress()).toEqual([1, 1, 1, 0]);
    await gateway.call('POST', `/v1/bulk-actions/${planned[0]!._id}/stop`);
    await runner.runNextBatch('steady');
    expect(await progress()).toEqual([1, 1, 1, 1]);
  });

  it('lets organizations take turns, however many actions one of them has', async () => {
    const start = (environmentId: string, actions: number, secondsAgo: number) =>
      gateway.database.query(
        `WITH started AS (
           INSERT INTO bulk_action (id, environment_id, action, state, selected, per_second, count, notifications,
                                    may_be_duplicates, started_at, next_at)
           SELECT uuid_v7(), $1::uuid, 'cancel', 'running', 2, 1, 2, 2, 0, now(), now() - $3 * interval '1 second'
             FROM generate_series(1, $2::int) RETURNING id, environment_id)
         INSERT INTO bulk_action_item (bulk_action_id, id, environment_id)
         SELECT id, uuid_v7(), environment_id FROM started, generate_series(1, 2)`,
        [environmentId, actions, secondsAgo],
      );
    for (const name of ['Noisy 1', 'Noisy 2', 'Noisy 3']) {
      await start((await gateway.admin.createEnvironment(gateway.organizationId, { name })).environment.id, 5, 60);
    }
    const { environment } = await gateway.admin.createOrganization('Quiet', { name: 'Quiet' });
    await start(environment.id, 1, 30);
    const ran: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      await runner.runNextBatch('steady');
      await gateway.database.query(
        `UPDATE bulk_action SET next_at = now() - interval '20 seconds' WHERE environment_id = $1 AND state = 'running'`,
        [environment.id],
      );
      const [row] = await gateway.database.query<{ unchanged: number }>(
        `SELECT unchanged FROM bulk_action WHERE environment_id = $1`,
        [environment.id],
      );
      ran.push(row!.unchanged);
    }
    // Which of the two comes first depends on the batches of earlier tests.
    expect(ran.slice(1)).toEqual(ran[0] === 0 ? [1, 1, 2] : [1, 2, 2]);
  });

  describe('planned actions', () => {
    const fill = (environmentId: string, actions: number, items = 0) =>
      gateway.database.query(
        `INSERT INTO bulk_action (id, environment_id, action, selected, per_second, count, notifications, may_be_duplicates)
         SELECT gen_random_uuid(), $1, 'replay', 0, 1, $3, 0, 0 FROM generate_series(1, $2::int)`,
        [environmentId, actions, items],
      );
    const empty = { action: 'replay', ids: [newId()] };
    const refusal = (text: string) => ({ status: 409, body: { message: expect.stringContaining(text) } });

    it('keeps a limited number of planned actions for each environment, also under concurrent requests', async () => {
      await fill(gateway.environmentId, LIMITS.plannedBulkActions - 1);
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(empty)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(await create(empty)).toMatchObject(
        refusal(
          'The environment has 50 planned bulk actions: run or stop some of them first. They expire after 24 hours',
        ),
      );
      await run(answers.find(({ status }) => status === 201)!.body);
      await plan(empty);
    });

    it('limits the items of the planned actions of an environment, and the number of those of the organization', async () => {
      await fill(gateway.environmentId, 1, LIMITS.plannedBulkActionItems);
      expect(await create(empty)).toMatchObject(refusal('have 1000000 items'));
      await gateway.database.query('DELETE FROM bulk_action');
      const { environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Planner' });
      await fill(environment.id, LIMITS.plannedBulkActionsOfOrganization);
      expect(await create(empty)).toMatchObject(refusal('The organization has 200 planned bulk actions'));
      const { key } = await gateway.admin.createOrganization('Others', { name: 'Theirs', type: 'dev' });
      expect((await callGateway(gateway.url, key, 'POST', '/v1/bulk-actions', empty)).status).toBe(201);
    });

    it('starts a limited number of actions for each environment and organization, also under concurrent requests', async () => {
      const start = `UPDATE bulk_action SET state = 'running', started_at = now(), next_at = now()`;
      await fill(gateway.environmentId, LIMITS.startedBulkActions - 1);
      await gateway.database.query(start);
      const planned: BulkActionDto[] = [];
      for (let at = 0; at < 5; at += 1) planned.push(await plan(empty));
      const answers = await Promise.all(planned.map((each) => run(each)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      const left = planned[answers.findIndex(({ status }) => status === 409)]!;
      expect(await run(left)).toMatchObject(
        refusal('The environment has 50 bulk actions that have not ended: stop some of them, or run it later'),
      );
      const first = planned[answers.findIndex(({ status }) => status === 200)]!;
      expect(await run(first)).toMatchObject({ status: 200, body: { state: 'running' } });
      await gateway.call('POST', `/v1/bulk-actions/${first._id}/stop`);
      expect((await run(left)).status).toBe(200);

      await gateway.database.query('DELETE FROM bulk_action');
      const { environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Starter' });
      await fill(environment.id, LIMITS.startedBulkActionsOfOrganization);
      await gateway.database.query(start);
      expect(await run(await plan(empty))).toMatchObject(refusal('The organization has 200 bulk actions'));
    });

    it('refuses a plan that has expired, does not count it, and deletes it with its items', async () => {
      const planned = await plan({ action: 'replay', ids: idsOf(await notify(failed)) });
      const { createdAt, expiresAt } = planned;
      expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(24 * 3600_000);
      await fill(gateway.environmentId, LIMITS.plannedBulkActions);
      await gateway.database.query(`UPDATE bulk_action SET created_at = now() - interval '25 hours'`);
      expect(await run(planned)).toMatchObject(refusal('has expired at 20'));
      const fresh = await plan(empty);
      expect(await new Maintenance(gateway.database, undefined).run()).toMatchObject({ bulkActionItemsDeleted: 1 });
      const { body } = await gateway.call<BulkActionListDto>('GET', '/v1/bulk-actions');
      expect(body.data.map(({ _id }) => _id)).toEqual([fresh._id]);
    });

    it('deletes the items of a plan that is stopped', async () => {
      const planned = await plan({ action: 'replay', ids: idsOf(await notify(failed)) });
      await gateway.call('POST', `/v1/bulk-actions/${planned._id}/stop`);
      expect(await gateway.database.query('SELECT 1 FROM bulk_action_item')).toEqual([]);
      expect(await retrieve(planned)).toMatchObject({ state: 'stopped', count: 1 });
    });
  });

  describe('a search by a filter', () => {
    const byFilter = { action: 'replay', filter: { reason: 'Mailbox' } };
    afterEach(() => jest.restoreAllMocks());

    it('names what to narrow when it has to look at too much', async () => {
      jest.spyOn(ActivityRepository.prototype, 'ids').mockResolvedValue(undefined);
      const { status, body } = await create(byFilter);
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('narrow it with after and before')]);
    });

    it('keeps no other action of the environment waiting', async () => {
      let end = (_: { ids: NotificationId[]; hasMore: boolean }): void => undefined;
      const search = jest
        .spyOn(ActivityRepository.prototype, 'ids')
        .mockReturnValue(new Promise((resolve) => (end = resolve)));
      const searching = create(byFilter);
      await until(() => search.mock.calls.length > 0);
      await plan({ action: 'replay', ids: [newId()] });
      end({ ids: [], hasMore: false });
      expect((await searching).status).toBe(201);
    });
  });

  it('ends an action without items when it runs', async () => {
    const planned = await plan({ action: 'replay', ids: [newId()] });
    expect(planned.count).toBe(0);
    await run(planned);
    expect(await batch()).toBe(0);
    expect(await retrieve(planned)).toMatchObject({ state: 'done', done: 0 });
  });

  it('lists the newest first and hides everything from another environment', async () => {
    const made = await notify(failed);
    const first = await plan({ action: 'replay', ids: idsOf(made) });
    const second = await plan({ action: 'replay', ids: idsOf(made) });
    const { body } = await gateway.call<BulkActionListDto>('GET', '/v1/bulk-actions');
    expect(body.data.map(({ _id }) => _id)).toEqual([second._id, first._id]);
    const key = await gateway.secondKey();
    const other = <T>(method: string, path: string, sent?: object) =>
      callGateway<T>(gateway.url, key, method, path, sent);
    expect((await other<BulkActionListDto>('GET', '/v1/bulk-actions')).body.data).toEqual([]);
    expect((await other('GET', `/v1/bulk-actions/${first._id}`)).status).toBe(404);
    expect((await other('POST', `/v1/bulk-actions/${first._id}/run`, { count: 1 })).status).toBe(404);
    expect((await other('POST', `/v1/bulk-actions/${first._id}/stop`)).status).toBe(404);
    expect((await other('POST', '/v1/bulk-actions', { action: 'replay', ids: idsOf(made) })).body).toMatchObject({
      count: 0,
    });
  });

  it('freezes all notifications that match a filter of the activity', async () => {
    const made = [await notify(failed), await notify(failed)];
    await notify({ state: 'completed' });
    const transactionId = made.map(({ notification }) => notification.transactionId);
    const planned = await plan({ action: 'replay', filter: { status: ['failed'], transactionId } });
    expect(planned).toMatchObject({ selected: 2, count: 2, notifications: 2, hasMore: false });
    expect(await plan({ action: 'replay', filter: { transactionId: 'none' } })).toMatchObject({
      selected: 0,
      count: 0,
    });
  });

  it('replays only the steps that match the channels, providers and the reason of the filter', async () => {
    const full = { message: 'Mailbox is full' };
    const made = await notify(
      { state: 'failed', type: 'email', providerId: 'sendgrid', error: full },
      { state: 'failed', type: 'sms', providerId: 'twilio' },
      { state: 'failed', type: 'email', providerId: 'ses', error: full },
    );
    const { transactionId } = made.notification;
    for (const [filter, count] of [
      [{}, 3],
      [{ channel: ['email'] }, 2],
      [{ channel: ['email'], providerId: ['sendgrid'] }, 1],
      [{ reason: 'mailbox' }, 2],
    ] as const) {
      const planned = await plan({ action: 'replay', filter: { status: ['failed'], transactionId, ...filter } });
      expect({ filter, count: planned.count }).toEqual({ filter, count });
    }
    await run(await plan({ action: 'replay', filter: { transactionId, providerId: ['ses'] } }));
    expect(await batch()).toBe(1);
    expect(await statesOf(made)).toEqual(['failed', 'failed', 'queued']);
  });

  it('replays exactly the steps of an error group, and the activity lists exactly their notifications', async () => {
    const call = (kind: string) => [
      { d: 'Unexpected provider error', r: JSON.stringify({ kind, message: 'Rejected' }) },
    ];
    const rejected: GivenStep = { ...failed, providerId: 'sendgrid', error: { message: 'Rejected' } };
    const { providerId: _, ...uncalled } = rejected;
    const wanted = await notify({ ...rejected, details: call('quota') }, { state: 'failed', type: 'sms' });
    const alsoOpen = await notify({ ...rejected, details: call('quota') }, { state: 'queued', type: 'sms' });
    const others = [
      await notify({ ...rejected, details: call('recipient') }),
      await notify({ ...rejected, details: call('quota'), error: { message: 'Rejected: too many' } }),
      await notify({ ...uncalled, details: call('quota') }),
      await notify({ ...rejected, details: call('quota'), providerId: 'ses' }),
      await notify({ ...rejected, details: call('quota'), type: 'push' }),
      await notify({ ...rejected, details: call('quota'), state: 'skipped' }),
      await notify({ ...rejected, details: [] }),
    ];
    const transactionId = [wanted, alsoOpen, ...others].map(({ notification }) => notification.transactionId);
    const within = `status=failed&${transactionId.map((id) => `transactionId=${id}`).join('&')}`;
    const { body: groups } = await gateway.call<ActivityGroupsDto>('GET', `/v1/activity/groups?${within}`);
    const named = { reason: 'Rejected', code: 'quota', providerId: 'sendgrid', channel: 'email', outcome: 'failed' };
    const [group, ...rest] = groups.data;
    expect(group).toMatchObject({ ...named, count: 2 });
    expect(rest.map(({ count }) => count)).toEqual(Array.from({ length: 7 }, () => 1));
    for (const { errorGroup, count } of groups.data) {
      const { body: list } = await gateway.call<ActivityListDto>('GET', `/v1/activity?errorGroup=${errorGroup}`);
      expect(list.data).toHaveLength(count);
      const filter = { transactionId, errorGroup };
      expect(await plan({ action: 'replay', filter })).toMatchObject({ selected: count, count });
    }
    const { errorGroup } = group!;
    await run(await plan({ action: 'replay', filter: { status: ['failed'], channel: ['email'], errorGroup } }));
    expect(await batch()).toBe(2);
    expect(await statesOf(wanted)).toEqual(['queued', 'failed']);
    expect(await statesOf(alsoOpen)).toEqual(['queued', 'queued']);
    for (const other of others.slice(0, 5)) expect(await statesOf(other)).toEqual(['failed']);
  });

  it('sends the steps of one channel through the integration that is named when it runs', async () => {
    const body = { providerId: 'resend', channel: 'email', identifier: 'backup', active: true, credentials: RESEND };
    const { body: integration } = await gateway.call('POST', '/v1/integrations', body);
    const made = await notify(failed, { state: 'failed', type: 'sms' });
    const planned = await plan({ action: 'replay', ids: idsOf(made) });
    const runThrough = (integrationIdentifier: string, { _id, count } = planned) =>
      gateway.call('POST', `/v1/bulk-actions/${_id}/run`, { count, integrationIdentifier });
    const cancel = await plan({ action: 'cancel', ids: idsOf(made) });
    for (const refused of [await runThrough('other'), await runThrough('backup', cancel)]) {
      expect(refused).toMatchObject({ status: 422, body: { errors: { integrationIdentifier: expect.anything() } } });
    }
    const switchTo = (active: boolean) =>
      gateway.call('PUT', `/v1/integrations/${String(integration['_id'])}`, { active });
    await switchTo(false);
    expect(await runThrough('backup')).toMatchObject({ status: 422 });
    await switchTo(true);
    const onlySms = await plan({ action: 'replay', ids: idsOf(await notify({ state: 'failed', type: 'sms' })) });
    expect(onlySms.count).toBe(1);
    const nothingToSend = await runThrough('backup', onlySms);
    expect(nothingToSend.body).toMatchObject({
      errors: { integrationIdentifier: { messages: [expect.stringContaining('of the channel email')] } },
    });
    expect(await runThrough('backup')).toMatchObject({ status: 200, body: { integrationIdentifier: 'backup' } });
    expect(await batch()).toBe(2);
    const open = await gateway.database.query(
      `SELECT type, progress ->> 'through' AS through, progress ->> 'providerId' AS provider
         FROM work WHERE notification_id = $1 ORDER BY id`,
      [made.notification.id],
    );
    expect(open).toEqual([
      { type: 'email', through: 'backup', provider: 'resend' },
      { type: 'sms', through: null, provider: null },
    ]);
    const { body: log } = await gateway.call<{ data: { after: unknown }[] }>(
      'GET',
      `/v1/audit-log?resourceType=bulk_action&resourceId=${planned._id}`,
    );
    expect(log.data[0]!.after).toMatchObject({ action: 'replay', integrationIdentifier: 'backup' });
  });

  it.each([
    ['neither ids nor a filter', { action: 'replay' }, 'ids'],
    ['ids together with a filter', { action: 'replay', ids: [newId()], filter: {} }, 'ids'],
    ['an unknown status of the filter', { action: 'replay', filter: { status: ['lost'] } }, 'filter.status'],
    ['what is no error group', { action: 'replay', filter: { errorGroup: 'quota' } }, 'filter.errorGroup'],
    ['an empty list of ids', { action: 'replay', ids: [] }, 'ids'],
    ['an id that is no UUID', { action: 'replay', ids: ['x'] }, 'ids'],
    ['an unknown action', { action: 'delete', ids: [newId()] }, 'action'],
    ['a rate of zero', { action: 'replay', ids: [newId()], perSecond: 0 }, 'perSecond'],
    ['statuses of a cancellation', { action: 'cancel', ids: [newId()], statuses: ['failed'] }, 'statuses'],
  ])('refuses %s', async (_, body, field) => {
    const { status, body: refusal } = await create(body);
    expect(status).toBe(422);
    expect(Object.keys(refusal['errors' as never])).toEqual([field]);
  });

  it('deletes actions after thirty days unless they run', async () => {
    const made = await notify(failed);
    const [old, running, fresh] = [
      await plan({ action: 'replay', ids: idsOf(made) }),
      await plan({ action: 'replay', ids: idsOf(made) }),
      await plan({ action: 'replay', ids: idsOf(made) }),
    ];
    await run(running!);
    await gateway.database.query(`UPDATE bulk_action SET created_at = now() - interval '31 days' WHERE id <> $1`, [
      fresh!._id,
    ]);
    const report = await new Maintenance(gateway.database, undefined).run();
    expect(report).toMatchObject({ bulkActionItemsDeleted: 1 });
    const { body } = await gateway.call<BulkActionListDto>('GET', '/v1/bulk-actions');
    expect(body.data.map(({ _id }) => _id)).toEqual([fresh!._id, running!._id]);
    expect((await gateway.call('GET', `/v1/bulk-actions/${old!._id}`)).status).toBe(404);
  });
});
