import { type EnvironmentId, newId, type StepId } from '@clarion/contracts';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { HoldRepository, LagRepository } from '../src';

describe('HoldRepository', () => {
  let test: TestDatabase;
  let holds: HoldRepository;
  let environmentId: EnvironmentId;

  beforeAll(async () => {
    test = await createTestDatabase();
    holds = new HoldRepository(test.database);
    environmentId = newId();
    const organizationId = newId();
    await addOrganization(organizationId);
    await addEnvironment(environmentId, organizationId);
  });
  afterAll(() => test.drop());
  afterEach(() => test.database.query(`DELETE FROM work; DELETE FROM hold`));

  const addOrganization = (id: string) =>
    test.database.query(`INSERT INTO organization (id, name) VALUES ($1::uuid, $1::text)`, [id]);
  const addEnvironment = (id: EnvironmentId, organizationId: string) =>
    test.database.query(
      `INSERT INTO environment (id, organization_id, name, identifier, type) VALUES ($1::uuid, $2, $1::text, $1::text, 'dev')`,
      [id, organizationId],
    );
  const hold = async (targetId = 'email') =>
    (await holds.add({
      id: newId(),
      environmentId,
      target: 'channel',
      targetId,
      targetName: targetId,
      reason: 'r',
      heldBy: 'operator',
      byOperator: true,
    }))!;
  /** Opens a step that has been due for so many seconds. */
  const open = async (dueSecondsAgo: number): Promise<StepId> => {
    const id = newId<StepId>();
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, notification_id, type, due_at, offered_at)
       VALUES ($1, $2, $1, $1, 'email', now() - $3 * interval '1 second', now())`,
      [id, environmentId, dueSecondsAgo],
    );
    return id;
  };
  const due = async () =>
    (
      await test.database.query<{ id: StepId }>(
        `SELECT id FROM work WHERE due_at < now() + interval '1 minute' AND hold_id IS NULL ORDER BY due_at`,
      )
    ).map(({ id }) => id);

  it('releases steps in the order in which they were due, and then deletes the hold', async () => {
    const { id: holdId } = await hold();
    const steps = [await open(10), await open(30), await open(20)];
    await holds.keep(steps.map((id) => ({ id, fence: 1, holdId })));
    expect(await due()).toEqual([]);
    const [detail] = await test.database.query<{ detail: string; raw: string }>(
      `SELECT detail, raw FROM execution_detail LIMIT 1`,
    );
    expect(detail!.detail).toMatch(/^Step held: channel "email" was paused by "operator" at .+Z: r$/);
    expect(JSON.parse(detail!.raw)).toMatchObject({ holdId, setBy: 'operator', reason: 'r' });
    expect(await holds.release()).toBe(0);
    await holds.resume(environmentId, holdId);
    expect(await holds.find(environmentId, holdId)).toMatchObject({ waiting: 3 });
    expect(await holds.release()).toBe(3);
    expect(await due()).toEqual([steps[1], steps[2], steps[0]]);
    await test.database.query(`UPDATE hold SET released_at = now() - interval '1 second'`);
    expect(await holds.release()).toBe(0);
    expect(await holds.find(environmentId, holdId)).toBeUndefined();
  });

  it('releases a bounded number of steps, and no more before the next second', async () => {
    const { id: holdId } = await hold();
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, type, hold_id, due_at)
       SELECT uuid_v7(), $1, $1, 'email', $2, now() + interval '1000 years' FROM generate_series(1, 1500)`,
      [environmentId, holdId],
    );
    await holds.resume(environmentId, holdId);
    expect(await holds.release()).toBe(1_000);
    expect(await holds.release()).toBe(0);
    await test.database.query(`UPDATE hold SET released_at = now() - interval '1 second'`);
    expect(await holds.release()).toBe(500);
  });

  it('lets organizations take turns, and the environments of each, when many holds were resumed', async () => {
    const [noisyId, quietId] = [newId(), newId()];
    const [noisy, beside, quiet] = [newId<EnvironmentId>(), newId<EnvironmentId>(), newId<EnvironmentId>()];
    for (const id of [noisyId, quietId]) await addOrganization(id);
    for (const id of [noisy, beside]) await addEnvironment(id, noisyId);
    await addEnvironment(quiet, quietId);
    const resumed = (id: EnvironmentId, count: number, secondsAgo: number) =>
      test.database.query(
        `WITH held AS (
           INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by, resumed_at)
           SELECT uuid_v7(), $1::uuid, 'workflow', n, n, 'r', 'key', now() - $3 * interval '1 second'
             FROM generate_series(1, $2::int) n RETURNING id)
         INSERT INTO work (id, environment_id, trigger_id, type, hold_id, due_at)
         SELECT uuid_v7(), $1::uuid, $1::uuid, 'email', id, now() + interval '1000 years' FROM held`,
        [id, count, secondsAgo],
      );
    await resumed(noisy, 300, 30);
    await resumed(beside, 1, 20);
    await resumed(quiet, 1, 10);
    expect(await holds.release()).toBe(100);
    const released = await test.database.query<{ environmentId: EnvironmentId; steps: number }>(
      `SELECT environment_id AS "environmentId", count(*)::int AS steps FROM work WHERE hold_id IS NULL GROUP BY 1`,
    );
    expect(released.toSorted((one, other) => other.steps - one.steps)).toEqual([
      { environmentId: noisy, steps: 98 },
      ...[beside, quiet].toSorted().map((id) => ({ environmentId: id, steps: 1 })),
    ]);
    expect(await holds.countOfKeys(noisy)).toBe(300);
  });

  it('releases a bounded number of steps of an organization, of each hold some', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 12; at += 1) ids.push((await hold(`channel ${at}`)).id);
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, type, hold_id, due_at)
       SELECT uuid_v7(), $1::uuid, $1::uuid, 'email', held, now() + interval '1000 years'
         FROM unnest($2::uuid[]) held, generate_series(1, 1000)`,
      [environmentId, ids],
    );
    for (const id of ids) await holds.resume(environmentId, id);
    expect(await holds.release()).toBe(10_000);
    const begun = await test.database.query(`SELECT id FROM hold WHERE released_to IS NOT NULL`);
    expect(begun).toHaveLength(ids.length);
    await test.database.query(`UPDATE hold SET released_at = now() - interval '1 second'`);
    expect(await holds.release()).toBe(2_000);
    expect(await holds.list(environmentId)).toHaveLength(12);
  });

  it('keeps no step for a hold that has been resumed, and none under an old fence', async () => {
    const { id: holdId } = await hold();
    const [first, second] = [await open(1), await open(1)];
    await holds.keep([{ id: first, fence: 7, holdId }]);
    await holds.resume(environmentId, holdId);
    await holds.keep([{ id: second, fence: 1, holdId }]);
    expect((await due()).toSorted()).toEqual([first, second].toSorted());
  });

  it('does not count steps on hold as lag', async () => {
    const { id: holdId } = await hold();
    const lag = new LagRepository(test.database);
    const step = await open(60);
    expect(await lag.steps()).toMatchObject([{ type: 'email', due: 1 }]);
    await holds.keep([{ id: step, fence: 1, holdId }]);
    expect(await lag.steps()).toEqual([]);
    expect(await lag.held()).toEqual([{ target: 'channel', steps: 1 }]);
  });
});
