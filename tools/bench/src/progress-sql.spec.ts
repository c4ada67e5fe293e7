import { Pool } from 'pg';
import { type EnvironmentId, toNotificationId } from '@clarion/contracts';
import { createEmptyDatabase, type TestDatabase } from '@clarion/testing';
import { countEnded, countFannedOut, countOpenTriggers, newestCompleted } from './progress-sql';

/** Only the columns that the questions need, so that the spec holds for schemas of other commits. */
const TABLES = `
  CREATE TABLE trigger (id int, environment_id text, state text);
  CREATE TABLE notification (id int, environment_id text);
  CREATE TABLE step (id int, environment_id text, notification_id int, state text)`;
const WORK = `CREATE TABLE work (id int, environment_id text, type text)`;

const ENVIRONMENT = 'env' as EnvironmentId;

describe.each(['with', 'without'])('progress %s a table of open work', (how) => {
  let database: TestDatabase;
  let sql: Pool;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    sql = new Pool({ connectionString: database.url, max: 1 });
    await sql.query(TABLES);
    await sql.query(
      `INSERT INTO notification SELECT id, 'env' FROM generate_series(1, 5) id;
       INSERT INTO step VALUES (1, 'env', 1, 'completed'), (2, 'env', 2, 'completed'), (3, 'env', 3, 'failed'),
                               (9, 'other', 9, 'completed')`,
    );
    if (how === 'with') {
      await sql.query(WORK);
      await sql.query(
        `INSERT INTO trigger VALUES (1, 'env', NULL), (2, 'env', NULL);
         INSERT INTO work VALUES (2, 'env', 'trigger'), (4, 'env', 'email'), (5, 'env', 'email'), (6, 'other', 'trigger')`,
      );
    } else {
      await sql.query(
        `INSERT INTO trigger VALUES (1, 'env', 'done'), (2, 'env', 'running'), (6, 'other', 'accepted');
         INSERT INTO step VALUES (4, 'env', 4, 'queued'), (5, 'env', 5, 'queued')`,
      );
    }
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  const first = '1';

  it('counts the steps of an environment that have ended', async () => {
    expect(await countEnded(sql, ENVIRONMENT, first)).toEqual({
      completed: 2,
      others: [{ state: 'failed', count: 1 }],
    });
    expect(await countEnded(sql, ENVIRONMENT, '4')).toEqual({ completed: 0, others: [] });
  });

  it('finds the newest completed notification', async () => {
    expect(await newestCompleted(sql, ENVIRONMENT)).toBe(how === 'with' ? toNotificationId('2') : 2);
  });

  it('counts the open triggers of an environment', async () => {
    expect(await countOpenTriggers(sql, ENVIRONMENT)).toBe(1);
  });

  it('counts the notifications after an id and their steps, open or not', async () => {
    expect(await countFannedOut(sql, ENVIRONMENT, '2')).toEqual({ notifications: 3, steps: 3 });
  });
});
