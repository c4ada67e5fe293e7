import { createTestDatabase, type TestDatabase } from '@clarion/testing';

describe('Database', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query('CREATE TABLE note (id int PRIMARY KEY, long_text text)');
  });
  afterAll(() => test.drop());
  beforeEach(() => test.database.query('TRUNCATE note'));

  const insert = (id: number) => test.database.query('INSERT INTO note VALUES ($1)', [id]);
  const count = async () => (await test.database.query<{ n: number }>('SELECT count(*)::int AS n FROM note'))[0]!.n;

  it('gives rows camelCase names', async () => {
    await test.database.query(`INSERT INTO note VALUES (1, 'x')`);
    expect(await test.database.rows('SELECT * FROM note')).toEqual([{ id: 1, longText: 'x' }]);
  });

  it('joins the open transaction, however deep, and undoes all of it', async () => {
    const work = test.database.transaction(async () => {
      await insert(1);
      await test.database.transaction(() => insert(2));
      expect(await test.database.outsideTransaction(count)).toBe(0);
      throw new Error('undo');
    });
    await expect(work).rejects.toThrow('undo');
    expect(await count()).toBe(0);
  });

  it('runs what waits for the commit after it, and never without it', async () => {
    const seen: number[] = [];
    const note = async () => void seen.push(await test.database.outsideTransaction(count));
    await test.database.transaction(async () => {
      test.database.afterCommit(() => void seen.push(-1));
      await insert(1);
      await note();
    });
    expect(seen).toEqual([0, -1]);
    await test.database
      .transaction(async () => {
        test.database.afterCommit(() => void seen.push(-2));
        await insert(1);
      })
      .catch(() => undefined);
    expect(seen).toEqual([0, -1]);
  });

  it('goes on after a failed attempt inside a transaction', async () => {
    await test.database.transaction(async () => {
      await insert(1);
      await test.database.attempt(() => insert(1)).catch(() => undefined);
      await insert(2);
    });
    expect(await count()).toBe(2);
  });

  it('tries again after a deadlock', async () => {
    await insert(1);
    await insert(2);
    const touch = (id: number) => test.database.query('UPDATE note SET long_text = $2 WHERE id = $1', [id, `${id}`]);
    let waiting = 0;
    let bothHold!: () => void;
    const together = new Promise<void>((resolve) => (bothHold = resolve));
    const cross = (first: number, second: number) =>
      test.database.transaction(async () => {
        await touch(first);
        if (++waiting === 2) bothHold();
        await together;
        await touch(second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(waiting).toBeGreaterThan(2);
  });
});
