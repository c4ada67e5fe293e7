import type { StepId } from '@clarion/contracts/core';
import { LagRepository, StepClaimRepository } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';

describe('the lag', () => {
  let test: TestDatabase;
  let lag: LagRepository;
  const [ours, theirs] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

  beforeAll(async () => {
    test = await createTestDatabase();
    lag = new LagRepository(test.database);
  });
  afterEach(async () => {
    await test.database.query('DELETE FROM step');
    await test.database.query('DELETE FROM trigger');
  });
  afterAll(() => test.drop());

  /** Times are seconds from now; null is none. */
  type Row = { type?: string; state?: string; due?: number; offered?: number | null; lease?: number | null };
  const step = ({ type = 'email', state = 'queued', due = -1, offered = 10, lease = null }: Row, environment = ours) =>
    test.database.query(
      `INSERT INTO step (id, environment_id, notification_id, transaction_id, subscriber_id, position, step_key, type, state,
                         due_at, offered_until, lease_until)
       VALUES (uuid_v7(), $1, $1, 't', $1, 0, 's', $2, $3, now() + $4 * interval '1 second',
               now() + $5 * interval '1 second', now() + $6 * interval '1 second')`,
      [environment, type, state, due, offered, lease],
    );

  it('counts due steps of each channel over all environments', async () => {
    await step({ due: -30 });
    await step({ due: -60 }, theirs);
    await step({ due: 60 });
    await step({ type: 'delay', state: 'delayed', due: -5 });
    await step({ type: 'sms', state: 'completed', due: -500 });
    const found = (await lag.steps()).sort((one, other) => one.type.localeCompare(other.type));
    expect(found).toEqual([
      { type: 'delay', due: 1, oldestSeconds: expect.closeTo(5, 0) },
      { type: 'email', due: 2, oldestSeconds: expect.closeTo(60, 0) },
    ]);
  });

  it('keeps the age of a step that is given back', async () => {
    await step({ due: -30, lease: 10 });
    const steps = new StepClaimRepository(test.database);
    const [row] = await test.database.rows<{ id: StepId; fence: number }>('SELECT id, fence FROM step');
    for (const delayMs of [1_000, 0]) {
      await steps.release([{ ...row!, inDoubt: false }], delayMs);
      expect(await lag.steps()).toEqual([{ type: 'email', due: 1, oldestSeconds: expect.closeTo(30, 0) }]);
      await test.database.query(`UPDATE step SET lease_until = now() + interval '10 seconds'`);
    }
  });

  it.each([true, false])('a step that is given back is in doubt if it was before: %s', async (inDoubt) => {
    await step({ lease: 10 });
    const [row] = await test.database.rows<{ id: StepId; fence: number }>(
      'UPDATE step SET sending_since = now() RETURNING id, fence',
    );
    await new StepClaimRepository(test.database).release([{ ...row!, inDoubt }]);
    expect(await test.database.rows('SELECT sending_since IS NOT NULL AS in_doubt, lease_until FROM step')).toEqual([
      { inDoubt, leaseUntil: null },
    ]);
  });

  it.each<[string, Row, boolean]>([
    ['due, on offer and free', {}, true],
    ['whose holder is gone', { lease: -1 }, true],
    ['that a worker has claimed', { lease: 10 }, false],
    ['that is not due', { due: 10 }, false],
    ['that no engine has offered', { offered: -10 }, false],
    ['that was never offered', { offered: null }, false],
    ['that has ended', { state: 'completed' }, false],
    ['of another channel', { type: 'sms' }, false],
  ])('tells whether a step is claimable: a step %s', async (_name, row, expected) => {
    await step(row);
    expect(await lag.hasStepsOnOffer(['email', 'push'])).toBe(expected);
  });

  it('finds a claimable trigger when one is offered and free', async () => {
    const trigger = (offered: number, lease: number | null, state = 'accepted') =>
      test.database.query(
        `INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload, state,
                              offered_until, lease_until)
         VALUES (uuid_v7(), $1, 't', $1, 1, '[]', '{}', $4, now() + $2 * interval '1 second', now() + $3 * interval '1 second')`,
        [ours, offered, lease, state],
      );
    await trigger(-1, null);
    await trigger(10, 10);
    await trigger(10, null, 'done');
    expect(await lag.hasTriggersOnOffer()).toBe(false);
    await trigger(10, null);
    expect(await lag.hasTriggersOnOffer()).toBe(true);
  });
});
