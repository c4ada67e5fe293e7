import { type EnvironmentId, newId } from '@clarion/contracts/core';
import {
  createTestDatabase,
  insertEnvironment,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
} from '@clarion/testing';
import { SMALLEST_SHARE, SweepRepository } from '../src';

describe('SweepRepository', () => {
  let test: TestDatabase;
  const many: EnvironmentId[] = [];
  let single: EnvironmentId;

  /** Four environments of one organization, and one of another. */
  beforeAll(async () => {
    test = await createTestDatabase();
    for (let number = 0; number < 4; number += 1) many.push(await insertEnvironment(test.database));
    single = await insertEnvironment(test.database);
    await test.database.query(
      `UPDATE environment SET name = id::text,
              organization_id = (SELECT organization_id FROM environment WHERE id = $1) WHERE id = ANY ($2)`,
      [many[0], many],
    );
  });
  afterAll(() => test.drop());
  beforeEach(() => test.database.query('DELETE FROM work'));

  async function backlog(environmentId: EnvironmentId, steps: number): Promise<void> {
    const { id: workflowId } = await insertWorkflow(test.database, { environmentId });
    const dueAt = new Date(Date.now() - 60_000);
    const made = await insertNotifications(
      test.database,
      Array.from({ length: steps }, () => ({ environmentId, workflowId, subscriberId: newId(), createdAt: dueAt })),
    );
    for (const notification of made) {
      await insertSteps(test.database, notification, [{ type: 'email', state: 'queued', dueAt }]);
    }
  }

  it('offers rows of organizations in turn, however many environments one has', async () => {
    for (const environmentId of [...many, single]) await backlog(environmentId, 12);
    const offered = await new SweepRepository(test.database).offerSteps(16, 10_000);
    const counts = [...many, single].map((id) => offered.filter(({ environmentId }) => environmentId === id).length);
    expect(counts).toEqual([2, 2, 2, 2, 8]);
  });

  it('offers no more rows of many environments than of the only one of an organization', async () => {
    for (const environmentId of many) await backlog(environmentId, SMALLEST_SHARE / 4 + 5);
    const offered = await new SweepRepository(test.database).offerSteps(10_000, 1);
    expect(offered).toHaveLength(SMALLEST_SHARE);
  });

  describe('steps that wait for an account', () => {
    let first: string;
    let second: string;
    const sweeps = () => new SweepRepository(test.database);

    beforeEach(async () => {
      await test.database.query('DELETE FROM integration');
      [first, second] = [await account('first'), await account('second')];
    });

    async function account(name: string): Promise<string> {
      const id = newId();
      await test.database.query(
        `INSERT INTO integration (id, environment_id, channel, provider_id, identifier, name, active, credentials)
         VALUES ($1, $2, 'email', 'sendgrid', $3, $3, true, '{}')`,
        [id, single, name],
      );
      await change(id, 3_600, null);
      return id;
    }

    /** Changes the health of an account this many seconds ago; it is open until so many seconds from now. */
    const change = (id: string, secondsAgo: number, openFor: number | null) =>
      test.database.query(
        `UPDATE integration SET updated_at = now() - $2 * interval '1 second',
                health = CASE WHEN $3::float8 IS NOT NULL THEN
                  jsonb_build_object('state', 'open', 'until', now() + $3 * interval '1 second') END WHERE id = $1`,
        [id, secondsAgo, openFor],
      );
    /** Lets steps wait for the account since this many seconds ago. */
    const wait = (waitsFor: string, count: number, { lane = 2, since = 5, due = 3_600 } = {}) =>
      test.database.query(
        `INSERT INTO work (id, environment_id, trigger_id, type, lane, waits_for, due_at, updated_at)
         SELECT uuid_v7(), $1, $1, 'email', $4, $2, now() + $6 * interval '1 second', now() - $5 * interval '1 second'
           FROM generate_series(1, $3)`,
        [single, waitsFor, count, lane, since, due],
      );

    it('leaves steps as they are while their account cannot be called', async () => {
      await change(first, 1, 30);
      await wait(first, 3);
      expect(await sweeps().releaseWaiting()).toHaveLength(0);
    });

    it('lets one step of each lane try the account when its pause has ended', async () => {
      await change(first, 30, -1);
      await wait(first, 3);
      await wait(first, 2, { lane: 1 });
      expect(await sweeps().releaseWaiting()).toHaveLength(2);
      expect(await test.database.rows('SELECT lane FROM work WHERE due_at <= now() ORDER BY lane')).toEqual([
        { lane: 1 },
        { lane: 2 },
      ]);
    });

    it.each<[string, (id: string) => Promise<unknown>]>([
      ['can be called', (id) => change(id, 1, null)],
      ['was tried long ago and no worker has written how that ended', (id) => change(id, 90, -60)],
      [
        'is not active any more',
        (id) => test.database.query('UPDATE integration SET active = false WHERE id = $1', [id]),
      ],
      ['is gone', (id) => test.database.query('DELETE FROM integration WHERE id = $1', [id])],
    ])('releases all steps when the account %s', async (_name, happens) => {
      await change(first, 1, 30);
      await happens(first);
      await wait(first, 1_200);
      expect(await sweeps().releaseWaiting()).toHaveLength(1_000);
      expect(await sweeps().releaseWaiting()).toHaveLength(200);
      expect(await sweeps().releaseWaiting()).toHaveLength(0);
      // They are offered by that.
      expect(await sweeps().offerSteps(10_000, 10_000)).toEqual([]);
    });

    it('releases steps once when another account of the channel has become available since then', async () => {
      await change(first, 1, 30);
      await wait(first, 3, { since: 20 });
      expect(await sweeps().releaseWaiting()).toHaveLength(0);
      await change(second, 10, null);
      expect(await sweeps().releaseWaiting()).toHaveLength(3);
      await wait(first, 3, { since: 5 });
      expect(await sweeps().releaseWaiting()).toHaveLength(0);
    });

    /** A worker has called the account this many seconds ago, with this limit. */
    const pace = (id: string, perSecond: number, { called = 0, releasedFor = null as number | null } = {}) =>
      test.database.query(
        `INSERT INTO send_rate (integration_id, starts_at, ends_at, per_second, released_until)
         VALUES ($1, now(), now() - $3 * interval '1 second', $2, now() + $4::float8 * interval '1 second')`,
        [id, perSecond, called, releasedFor],
      );
    /** Lets time pass for the limits. */
    const pass = (seconds: number) =>
      test.database.query(`UPDATE send_rate SET released_until = released_until - $1 * interval '1 second'`, [seconds]);
    const lanes = (steps: { lane: number }[]): number[] =>
      [1, 2, 3].map((lane) => steps.filter((step) => step.lane === lane).length);

    it('releases as many steps as the limit of the account lets through, for several engines together', async () => {
      await wait(first, 1_000);
      await pace(first, 50);
      const released = await Promise.all([sweeps().releaseWaiting(), sweeps().releaseWaiting()]);
      const more = await sweeps().releaseWaiting();
      const count = [...released, more].flat().length;
      // Two seconds of the limit, and what passes while the test runs.
      expect(count).toBeGreaterThanOrEqual(100);
      expect(count).toBeLessThan(200);
      expect(new Set([...released, more].flat().map(({ id }) => id)).size).toBe(count);
      await pass(1);
      const later = (await sweeps().releaseWaiting()).length;
      expect(later).toBeGreaterThanOrEqual(50);
      expect(later).toBeLessThan(100);
    });

    it('releases a step in its time when the limit is one in a second', async () => {
      await wait(first, 9);
      await pace(first, 1, { releasedFor: 1.5 });
      expect(await sweeps().releaseWaiting()).toEqual([]);
      await pass(1);
      expect(await sweeps().releaseWaiting()).toHaveLength(1);
    });

    it.each([
      ['all of the limit but a tenth for each other lane', 50, [80, 10, 10]],
      ['one step of each lane at least', 1, [1, 1, 1]],
    ])('gives the critical lane %s', async (_what, perSecond, expected) => {
      for (const lane of [1, 2, 3]) await wait(first, 500, { lane });
      await pace(first, perSecond);
      expect(lanes(await sweeps().releaseWaiting())).toEqual(expected);
    });

    it('gives a lane what the ones before it leave', async () => {
      await wait(first, 5, { lane: 1 });
      await wait(first, 500, { lane: 3 });
      await pace(first, 50);
      expect(lanes(await sweeps().releaseWaiting())).toEqual([5, 0, 95]);
    });

    it.each<[string, { called?: number; perSecond?: number; isInactive?: boolean }]>([
      ['was not called for a while', { called: 700 }],
      ['has no limit any more', { perSecond: 0 }],
      ['is not active any more', { isInactive: true }],
    ])(
      'does not mind the limit of an account that %s',
      async (_what, { perSecond = 1, isInactive = false, ...how }) => {
        await wait(first, 50);
        await pace(first, perSecond, how);
        if (isInactive) await test.database.query('UPDATE integration SET active = false WHERE id = $1', [first]);
        expect(await sweeps().releaseWaiting()).toHaveLength(50);
      },
    );

    it('goes on at once when the clock of the database was set back', async () => {
      await wait(first, 50);
      await pace(first, 5, { releasedFor: 3_600 });
      expect(await sweeps().releaseWaiting()).toHaveLength(10);
    });

    it('keeps the limit when the breaker of the account has closed', async () => {
      await wait(first, 500);
      await pace(first, 5, { called: 30 });
      expect(await sweeps().releaseWaiting()).toHaveLength(10);
    });

    it('releases all steps for another account that goes before theirs, and none for one behind it', async () => {
      await wait(first, 50, { since: 20 });
      await pace(first, 5, { releasedFor: 2 });
      await change(second, 10, null);
      expect(await sweeps().releaseWaiting()).toEqual([]);
      await test.database.query(`UPDATE integration SET "primary" = true WHERE id = $1`, [second]);
      expect(await sweeps().releaseWaiting()).toHaveLength(50);
    });

    it('leaves steps to the workers when their own time has come', async () => {
      await wait(first, 3, { due: -1 });
      expect(await sweeps().releaseWaiting()).toHaveLength(0);
      expect(await sweeps().offerSteps(10, 10_000)).toHaveLength(3);
    });
  });
});
