import { newId, type StepId } from '@clarion/contracts/core';
import { LagRepository, StepClaimRepository } from '@clarion/persistence';
import { createTestDatabase, insertEnvironment, type TestDatabase } from '@clarion/testing';

describe('the lag', () => {
  let test: TestDatabase;
  let lag: LagRepository;
  const [ours, theirs] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

  beforeAll(async () => {
    test = await createTestDatabase();
    lag = new LagRepository(test.database);
  });
  afterEach(async () => {
    await test.database.query('DELETE FROM work');
    await test.database.query('DELETE FROM claim');
  });
  afterAll(() => test.drop());

  /** Times are seconds from now; null is none. */
  type Row = { type?: string; due?: number; offered?: number | null; lease?: number | null };
  const open = async ({ type = 'email', due = -1, offered = -1, lease = null }: Row, environment = ours) => {
    await test.database.query(
      `WITH made AS (
         INSERT INTO work (id, environment_id, trigger_id, type, due_at, offered_at)
         VALUES (uuid_v7(), $1, $1, $2, now() + $3 * interval '1 second', now() + $4 * interval '1 second')
         RETURNING id, fence)
       INSERT INTO claim (id, lease_until, first_id, last_id, work_ids, fences)
       SELECT uuid_v7(), now() + $5 * interval '1 second', id, id, ARRAY[id], ARRAY[fence] FROM made
        WHERE $5::float8 IS NOT NULL`,
      [environment, type, due, offered, lease],
    );
  };

  it('counts due steps of each channel over all environments', async () => {
    await open({ due: -30 });
    await open({ due: -60 }, theirs);
    await open({ due: 60 });
    await open({ type: 'delay', due: -5 });
    await open({ type: 'trigger', due: -500 });
    const found = (await lag.steps()).sort((one, other) => one.type.localeCompare(other.type));
    expect(found).toEqual([
      { type: 'delay', lane: 2, cause: 'runnable', due: 1, oldestSeconds: expect.closeTo(5, 0) },
      { type: 'email', lane: 2, cause: 'runnable', due: 2, oldestSeconds: expect.closeTo(60, -1) },
    ]);
  });

  it('tells apart what more processes would do sooner, and what waits for an account or a budget', async () => {
    const stopped = await insertEnvironment(test.database);
    await test.database.query(
      `INSERT INTO integration (id, environment_id, channel, provider_id, identifier, name, active, credentials, health)
       VALUES ($1, $2, 'push', 'fcm', 'push', 'Push', true, '{}', '{"state": "open"}')`,
      [newId(), stopped],
    );
    await open({ type: 'push' }, stopped);
    await open({ type: 'push' }, theirs);
    for (const [type, limit] of [
      ['sms', 'rate_limit'],
      ['chat', 'render_time'],
    ]) {
      await open({ type });
      await open({ type, due: -600 });
      await test.database.query(`UPDATE work SET progress = jsonb_build_object('limit', $2::jsonb) WHERE type = $1`, [
        type,
        JSON.stringify({ limit }),
      ]);
    }
    // Steps that wait for an account come back later, unless it can be called before.
    await open({ type: 'in_app', due: 3_600, offered: null }, stopped);
    await test.database.query(`UPDATE work SET waits_for = id WHERE type = 'in_app'`);
    await open({ type: 'in_app', due: 3_600, offered: null }, theirs);
    await test.database.query(
      `UPDATE work SET waits_for = id, progress = '{"limit": {"limit": "rate_limit"}}',
              waiting_since = now() - interval '50 seconds' WHERE type = 'in_app' AND environment_id = $1`,
      [theirs],
    );
    const steps = await lag.steps();
    const found = steps.map(({ type, cause, due }) => `${type} ${cause} ${due}`);
    expect(steps).toContainEqual({
      type: 'in_app',
      lane: 2,
      cause: 'rate_limit',
      due: 1,
      oldestSeconds: expect.closeTo(50, -1) as number,
    });
    expect(found.sort()).toEqual([
      'chat budget 1',
      'chat runnable 1',
      'in_app breaker 1',
      'in_app rate_limit 1',
      'push breaker 1',
      'push runnable 1',
      'sms rate_limit 1',
      'sms runnable 1',
    ]);
    await test.database.query('DELETE FROM integration');
  });

  it('names the environments with the most steps that processes could do now', async () => {
    await open({ due: -60 });
    await open({ type: 'sms', due: -30 });
    await open({ due: -90 }, theirs);
    await open({ due: 60 }, theirs);
    expect(await lag.environments()).toEqual([
      { environmentId: ours, due: 2, oldestSeconds: expect.closeTo(60, -1) },
      { environmentId: theirs, due: 1, oldestSeconds: expect.closeTo(90, -1) },
    ]);
    await test.database.query(`UPDATE work SET progress = '{"limit": {"limit": "rate_limit"}}', due_at = now()`);
    expect(await lag.environments()).toEqual([]);
  });

  it('keeps the age of a step that is given back', async () => {
    await open({ due: -30, lease: 10 });
    const steps = new StepClaimRepository(test.database);
    for (const delayMs of [1_000, 30_000, 0]) {
      const [row] = await test.database.rows<{ id: StepId; fence: number }>('SELECT id, fence FROM work');
      await steps.release([{ ...row!, claimId: newId(), inDoubt: false }], delayMs);
      expect(await lag.steps()).toEqual([
        { type: 'email', lane: 2, cause: 'runnable', due: 1, oldestSeconds: expect.closeTo(30, -1) },
      ]);
      expect(await lag.environments()).toEqual([
        { environmentId: ours, due: 1, oldestSeconds: expect.closeTo(30, -1) },
      ]);
    }
  });

  it.each([true, false])('a step that is given back is in doubt if it was before: %s', async (inDoubt) => {
    await open({ lease: 10 });
    const [row] = await test.database.rows<{ id: StepId; fence: number }>(
      'UPDATE work SET sending_since = now() RETURNING id, fence',
    );
    await new StepClaimRepository(test.database).release([{ ...row!, claimId: newId(), inDoubt }]);
    expect(await test.database.rows('SELECT sending_since IS NOT NULL AS in_doubt FROM work')).toEqual([{ inDoubt }]);
  });

  it.each<[string, Row, boolean]>([
    ['due, on offer and free', {}, true],
    ['whose holder is gone', { lease: -1 }, true],
    ['that a worker has claimed', { lease: 10 }, false],
    ['that is not due', { due: 10 }, false],
    ['whose offer is old', { offered: -60 }, false],
    ['that was never offered', { offered: null }, false],
    ['of another channel', { type: 'sms' }, false],
  ])('tells whether a step is claimable: a step %s', async (_name, row, expected) => {
    await open(row);
    expect(await lag.hasStepsOnOffer(['email', 'push'])).toBe(expected);
  });

  it('finds a claimable trigger when one is offered and free', async () => {
    await open({ type: 'trigger', offered: -60 });
    await open({ type: 'trigger', lease: 10 });
    await open({ type: 'email' });
    expect(await lag.hasTriggersOnOffer()).toBe(false);
    await open({ type: 'trigger' });
    expect(await lag.hasTriggersOnOffer()).toBe(true);
  });

  it('counts open triggers over all environments, with the age of the oldest', async () => {
    expect(await lag.triggers()).toEqual({ open: 0, oldestSeconds: 0 });
    await open({ type: 'trigger', due: -30 });
    await open({ type: 'trigger', due: -60, lease: 10 }, theirs);
    await open({ due: -500 });
    expect(await lag.triggers()).toEqual({ open: 2, oldestSeconds: expect.closeTo(60, -1) });
  });

  it('counts a step as claimed when its row names a live claim, with any fence', async () => {
    await open({ lease: 10 });
    await test.database.query(`UPDATE work SET fence = fence + 1`);
    expect(await lag.hasStepsOnOffer(['email'])).toBe(true);
    await test.database.query(`UPDATE work SET claim_id = (SELECT id FROM claim)`);
    expect(await lag.hasStepsOnOffer(['email'])).toBe(false);
  });
});
