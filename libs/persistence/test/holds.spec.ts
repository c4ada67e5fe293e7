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
    await test.database.query(`INSERT INTO organization (id, name) VALUES ($1, 'o')`, [organizationId]);
    await test.database.query(
      `INSERT INTO environment (id, organization_id, name, identifier, type) VALUES ($1, $2, 'e', 'e', 'dev')`,
      [environmentId, organizationId],
    );
  });
  afterAll(() => test.drop());
  afterEach(() => test.database.query(`DELETE FROM work; DELETE FROM hold`));

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
