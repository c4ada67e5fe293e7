import { type EnvironmentId, LIMITS, newId, type TailLineDto } from '@clarion/contracts';
import { type ActivityFilter, ActivityRepository, UsageRepository } from '@clarion/persistence';
import {
  createTestDatabase,
  insertEnvironment,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
} from '@clarion/testing';
import { ActivityTail } from '../src/operations/activity-tail';

const MINUTE_MS = 60_000;
const AGO = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

describe('the tail of the activity', () => {
  let test: TestDatabase;
  let activity: ActivityRepository;
  let usage: UsageRepository;
  const environments: { id: EnvironmentId; name: string }[] = [];
  let workflowIds: string[];

  beforeAll(async () => {
    test = await createTestDatabase();
    activity = new ActivityRepository(test.database);
    usage = new UsageRepository(test.database);
    for (let number = 0; number < LIMITS.tailedEnvironments + 2; number += 1) {
      environments.push({ id: await insertEnvironment(test.database), name: `e${number}` });
    }
    const [first, second] = environments;
    workflowIds = await Promise.all(
      [first!, second!].map(async ({ id }) => {
        return (await insertWorkflow(test.database, { environmentId: id, workflowId: 'welcome' })).id;
      }),
    );
  });
  afterEach(() => {
    jest.restoreAllMocks();
    return test.database.query('DELETE FROM work; DELETE FROM outcome_delta; TRUNCATE notification CASCADE');
  });
  afterAll(() => test.drop());

  const notify = async (index: 0 | 1, createdAt: Date): Promise<string> => {
    const environmentId = environments[index]!.id;
    const [made] = await insertNotifications(test.database, [
      { environmentId, subscriberId: newId(), workflowId: workflowIds[index]!, createdAt },
    ]);
    await insertSteps(test.database, made!, [{ state: 'queued' }]);
    return made!.id;
  };
  const follow = (filter: ActivityFilter) => {
    const tail = new ActivityTail({ activity, usage }, filter);
    const read = async (of = environments.slice(0, 2)): Promise<string[]> => {
      const lines: TailLineDto[] = [];
      await tail.read(of, (line) => lines.push(line));
      return lines.map(({ notification }) => notification._id);
    };
    return { tail, read };
  };

  it('reports what is made after its start, not what was made before or longer ago than a few minutes', async () => {
    await notify(0, AGO(1));
    // The filter of a caller has this key without a value.
    const { read } = follow({ after: undefined, before: undefined });
    expect(await read()).toEqual([]);
    await notify(0, AGO(30));
    const made = await notify(1, AGO(0));
    expect(await read()).toEqual([made]);
    expect(await read()).toEqual([]);
  });

  it('reports the hour before a past end, and the range if its beginning is given', async () => {
    const [older, old, late] = [await notify(0, AGO(90)), await notify(1, AGO(40)), await notify(0, AGO(5))];
    const ended = follow({ before: AGO(20) });
    expect(ended.tail.isPast).toBe(true);
    expect(await ended.read()).toEqual([old]);
    expect(await follow({ after: AGO(120), before: AGO(20) }).read()).toEqual([older, old]);
    const open = follow({ after: AGO(60) });
    expect([open.tail.isPast, await open.read()]).toEqual([false, [old, late]]);
  });

  it('reads all environments in one statement for what is new, and one for what is in flight', async () => {
    const { read } = follow({});
    await read();
    const made = [await notify(0, AGO(0)), await notify(1, AGO(0))];
    const statements = jest.spyOn(test.database, 'rows');
    expect((await read()).sort()).toEqual([...made].sort());
    expect(await read()).toEqual([]);
    expect(statements).toHaveBeenCalledTimes(2);
    await test.database.query('DELETE FROM notification WHERE id = ANY ($1)', [made]);
    await read();
    expect(statements).toHaveBeenCalledTimes(4);
  });

  it('reports what a read that failed would have reported, once', async () => {
    const { read } = follow({});
    await read();
    const made = [await notify(0, AGO(0)), await notify(1, AGO(0))];
    jest.spyOn(activity, 'news').mockRejectedValueOnce(new Error('cut'));
    await expect(read()).rejects.toThrow('cut');
    expect((await read()).sort()).toEqual(made.sort());
    expect(await read()).toEqual([]);
  });

  it('chooses among many environments by the activity in the range, and says so', async () => {
    const count = (index: number, minutes: number, accepted: number) =>
      test.database.query(
        `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted)
         VALUES ($1, $2, date_trunc('minute', $3::timestamptz), 'email', $4)`,
        [environments[index]!.id, workflowIds[0], AGO(minutes), accepted],
      );
    const old = await notify(0, AGO(180));
    await count(0, 180, 5);
    // The second environment has less activity in the range than any other.
    await notify(1, AGO(180));
    await count(1, 180, 1);
    for (let index = 2; index < environments.length; index += 1) await count(index, 2, 10);
    const recent = follow({});
    expect([await recent.read(environments), recent.tail.isSelection]).toEqual([[], false]);
    const past = follow({ after: AGO(240), before: AGO(120) });
    expect([(await past.read(environments)).includes(old), past.tail.isSelection]).toEqual([true, false]);
    const since = follow({ after: AGO(240) });
    expect([await since.read(environments), since.tail.isSelection]).toEqual([[], true]);
    await count(0, 180, 50);
    expect(await follow({ after: AGO(240) }).read(environments)).toEqual([old]);
  });
});
