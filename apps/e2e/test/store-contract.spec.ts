import { newId, type StepId, type SubscriberRowId, type TriggerId } from '@clarion/contracts';
import { type NewTrigger, TriggerRepository } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { eventually } from './harness';
import { Fixtures } from './simulation/contract-fixtures';
import { memoryStore, postgresStore } from './simulation/store-adapters';
import { keepsTheStoreContract } from './simulation/store-contract';

describe('the repositories on Postgres', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  keepsTheStoreContract(() => postgresStore(test.database));

  describe('execution details', () => {
    const subscriberId = newId<SubscriberRowId>();
    const fixtures = new Fixtures();
    beforeEach(async () => {
      fixtures.store = await postgresStore(test.database);
    });
    afterEach(() => fixtures.store.close());

    /** The details of an outcome as they are in the row of their step. */
    const packed = (stepId: StepId) =>
      test.database.rows<{ id: string; at: Date; detail: string }>(
        `SELECT detail_id(s.id, s.ended_at, p.place::int) AS id, s.ended_at AS at, p.value ->> 'd' AS detail
           FROM step s CROSS JOIN LATERAL json_array_elements(s.details) WITH ORDINALITY AS p (value, place)
          WHERE s.id = $1 ORDER BY p.place`,
        [stepId],
      );
    const unpacked = (stepId: StepId) =>
      test.database.rows<{ id: string; at: Date; detail: string }>(
        `SELECT id, created_at AS at, detail FROM execution_detail WHERE step_id = $1 ORDER BY id`,
        [stepId],
      );

    it.each(['opened again', 'canceled'])('keep their ids and times when their step is %s', async (change) => {
      const master = await fixtures.join(subscriberId);
      const joined = await fixtures.join(subscriberId);
      const before = await packed(joined.stepIds[0]!);
      expect(before.map(({ detail }) => detail)).toEqual(['Digest was merged with other digest']);
      await fixtures.store.cancel(change === 'canceled' ? joined.transactionId : master.transactionId);
      expect(await unpacked(joined.stepIds[0]!)).toEqual(before);
      const after = await packed(joined.stepIds[0]!);
      expect(after.map(({ detail }) => detail)).toEqual(change === 'canceled' ? ['Step was canceled by request'] : []);
    });

    it('returns the same ids whenever they are read, in the order of the outcome', async () => {
      const { step } = await fixtures.claimed();
      const details = ['one', 'two', 'three'].map((detail) => ({ status: 'Success' as const, detail }));
      await fixtures.store.outcomes.record([fixtures.outcome(step, { details })]);
      const read = await packed(step.id);
      expect(read.map(({ detail }) => detail)).toEqual(['one', 'two', 'three']);
      expect(read.map(({ id }) => id).toSorted()).toEqual(read.map(({ id }) => id));
      expect(await packed(step.id)).toEqual(read);
    });
  });

  describe('cancellations at the same time', () => {
    const fixtures = new Fixtures();
    beforeEach(async () => {
      fixtures.store = await postgresStore(test.database);
    });
    afterEach(() => fixtures.store.close());

    /** Runs the second function while the transaction of the first has not committed. */
    const overlap = async (first: () => Promise<void>, second: () => Promise<void>): Promise<void> => {
      let commit!: () => void;
      const mayCommit = new Promise<void>((resolve) => (commit = resolve));
      let begun!: () => void;
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const running = test.database.transaction(async () => {
        await first();
        begun();
        await mayCommit;
      });
      await hasBegun;
      const waiting = second();
      await eventually(async () => {
        const [row] = await test.database.query<{ blocked: number }>(
          `SELECT count(*)::int AS blocked FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return row!.blocked > 0;
      });
      commit();
      await Promise.all([running, waiting]);
    };
    const windows = () =>
      test.database.query<{ step: string; open: boolean }>(
        `SELECT o.step_id AS step, w.id IS NOT NULL AS open FROM open_digest o LEFT JOIN work w ON w.id = o.step_id`,
      );

    it('passes a digest on to a member that goes on', async () => {
      const subscriberId = newId<SubscriberRowId>();
      const [master, second, third] = [
        await fixtures.join(subscriberId),
        await fixtures.join(subscriberId),
        await fixtures.join(subscriberId),
      ];
      const { store } = fixtures;
      await overlap(
        () => store.cancel(second.transactionId),
        () => store.cancel(master.transactionId),
      );
      expect(await windows()).toEqual([{ step: third.stepIds[0], open: true }]);
    });

    it('ends a merged step once', async () => {
      const subscriberId = newId<SubscriberRowId>();
      await fixtures.join(subscriberId);
      const joined = await fixtures.join(subscriberId);
      const { store } = fixtures;
      await overlap(
        () => store.cancel(joined.transactionId),
        () => store.cancel(joined.transactionId),
      );
      expect((await store.step(joined.stepIds[0]!)).details).toEqual([
        'Success Digest was merged with other digest',
        'Warning Step was canceled by request',
      ]);
    });
  });

  describe('transactionIds of callers', () => {
    it('rejects a transactionId that names a trigger whose id the gateway made', async () => {
      const store = await postgresStore(test.database);
      const triggers = new TriggerRepository(test.database);
      const [own, other] = [newId<TriggerId>(), newId<TriggerId>()];
      const trigger = (id: TriggerId, transactionId: string, fingerprint: string): NewTrigger => ({
        id,
        transactionId,
        fingerprint,
        workflowId: store.workflowId,
        workflowVersion: 1,
        recipients: [],
        payload: {},
      });
      const insert = async (...given: [TriggerId, string, string]) =>
        (await triggers.insertMany(store.environmentId, [trigger(...given)]))[0];
      expect(await insert(own, `txn_${own}`, 'aa')).toMatchObject({ stored: true });
      expect(await insert(newId(), `txn_${own}`, 'bb')).toMatchObject({ stored: false, fingerprint: 'aa' });
      // An id in the same form that no trigger has is a transactionId like any other.
      expect(await insert(newId(), `txn_${other}`, 'cc')).toMatchObject({ stored: true });
      expect(await insert(newId(), `txn_${other}`, 'dd')).toMatchObject({ stored: false, fingerprint: 'cc' });
      await store.close();
    });
  });
});

describe('the in-memory store of the simulation', () => {
  keepsTheStoreContract(async () => memoryStore());
});
