import { randomBytes } from 'node:crypto';
import { LIMITS, newId, type StepId, type SubscriberRowId, type TriggerId } from '@clarion/contracts';
import { CLAIM_BYTES, type NewTrigger, TriggerRepository } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase, until } from '@clarion/testing';
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
      expect((await unpacked(joined.stepIds[0]!)).slice(0, before.length)).toEqual(before);
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

  describe('rows with much JSON', () => {
    const fixtures = new Fixtures();
    beforeEach(async () => {
      fixtures.store = await postgresStore(test.database);
    });
    afterEach(() => fixtures.store.close());

    /** Payloads of the largest size. Postgres compresses some of them to a hundredth. */
    const texts = [
      'a'.repeat(LIMITS.eventBytes),
      randomBytes(LIMITS.eventBytes / 2).toString('hex'),
      Array.from({ length: LIMITS.eventBytes / 2 }, () => 1),
    ];
    const fitting = Math.ceil(CLAIM_BYTES / LIMITS.eventBytes) + 1;

    it.each([0, 1, 2])('claims few steps whose payloads are large, and then the others (payload %i)', async (of) => {
      const { claims } = fixtures.store;
      const stepIds: StepId[] = [];
      for (let made = 0; made < 12; made += 1) {
        stepIds.push(...(await fixtures.begin(['sms'], undefined, { text: texts[of] })).stepIds);
      }
      for (let left = stepIds.toSorted(); left.length > 0;) {
        const claimed = await claims.claimChannel('sms', left);
        expect(claimed.length).toBeGreaterThan(0);
        expect(claimed.length).toBeLessThanOrEqual(fitting);
        expect(claimed.map(({ id }) => id)).toEqual(left.slice(0, claimed.length));
        for (const step of claimed) expect(step.bytes).toBeGreaterThanOrEqual(LIMITS.eventBytes / 2);
        left = left.slice(claimed.length);
        expect(claimed.map(({ leavesMore }) => leavesMore)).toEqual(claimed.map(() => left.length > 0));
      }
    });

    it('claims few triggers whose payloads are large, and then the others', async () => {
      const ids: TriggerId[] = [];
      for (let made = 0; made < 12; made += 1) ids.push(await fixtures.accept({ text: texts[0] }));
      // Only a trigger for a topic is claimed with its payload.
      const topic = JSON.stringify([{ type: 'Topic', topicKey: 'news' }]);
      await test.database.query(`UPDATE trigger SET recipients = $2 WHERE id = ANY ($1)`, [ids, topic]);
      const claimed = await fixtures.store.fanOut.claim(ids);
      expect(claimed.length).toBeLessThanOrEqual(fitting);
      expect(claimed[0]!.leavesMore).toBe(true);
      const rest = ids.filter((id) => !claimed.some((trigger) => trigger.id === id));
      expect((await fixtures.store.fanOut.claim(rest)).length).toBeGreaterThan(0);
    });

    it('reads few members of a topic whose profiles are large, and then the others', async () => {
      const { environmentId, fanOut, subscribe } = fixtures.store;
      const ids = Array.from({ length: 12 }, () => newId<SubscriberRowId>()).toSorted();
      for (const id of ids) await subscribe(id, ['news']);
      await test.database.query(
        `UPDATE subscriber SET data = jsonb_build_object('text', $2::text) WHERE id = ANY ($1)`,
        [ids, texts[0]],
      );
      await test.database.query(`UPDATE topic_subscription SET preferences = '[]' WHERE subscriber_id = ANY ($1)`, [
        ids,
      ]);
      const seen: string[] = [];
      let cursor = null;
      do {
        const page = await fanOut.topicMembers(environmentId, ['news'], cursor, [], 1_000);
        expect(page.members.length).toBeLessThanOrEqual(fitting);
        seen.push(...page.members.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor);
      expect(seen).toEqual(ids);
    });

    it('counts the tenant and the contexts that a step reads later', async () => {
      const { environmentId, claims } = fixtures.store;
      const data = JSON.stringify({ text: 'a'.repeat(64 * 1024) });
      for (const id of ['a:b%c', 'd']) {
        await test.database.query(
          `INSERT INTO context (id, environment_id, type, context_id, data) VALUES ($1, $2, 'x:%', $3, $4)`,
          [newId(), environmentId, id, data],
        );
      }
      await test.database.query(
        `INSERT INTO tenant (id, environment_id, identifier, name, data) VALUES ($1, $2, 'acme', 'Acme', $3)`,
        [newId(), environmentId, data],
      );
      const { stepIds, triggerId } = await fixtures.begin(['sms']);
      await test.database.query(`UPDATE notification SET context_keys = $2 WHERE trigger_id = $1`, [
        triggerId,
        ['x%3A%25:a:b%c', 'x%3A%25:d'],
      ]);
      await test.database.query(`UPDATE trigger SET tenant = 'acme' WHERE id = $1`, [triggerId]);
      const [step] = await claims.claimChannel('sms', stepIds);
      expect(step!.bytes).toBeGreaterThan(3 * 64 * 1024);
    });

    it('counts a payload once for all steps of its trigger', async () => {
      const [trigger] = await fixtures.store.fanOut.claim([await fixtures.accept({ text: texts[0] })]);
      const stepIds: StepId[] = [];
      for (let made = 0; made < 20; made += 1) {
        const page = await fixtures.commit(
          { ...trigger!, fence: trigger!.fence + made },
          ['sms'],
          undefined,
          'running',
        );
        stepIds.push(...page.stepIds);
      }
      expect(await fixtures.store.claims.claimChannel('sms', stepIds)).toHaveLength(20);
    });
  });

  describe('open rows whose event, notification or workflow version is gone', () => {
    const fixtures = new Fixtures();
    beforeEach(async () => {
      fixtures.store = await postgresStore(test.database);
    });
    afterEach(() => fixtures.store.close());

    const query = <T>(sql: string, parameters: unknown[] = []) => test.database.query<T>(sql, parameters);
    const forget = (table: string, id: string) => query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    const openRows = async () => (await query<{ id: string }>(`SELECT id FROM work`)).map(({ id }) => id);
    const detailOf = (gone: string) => `Failed Step ended because its ${gone} no longer exists`;

    it('ends a step instead of claiming it, cancels its later steps and claims the others of the batch', async () => {
      const { store } = fixtures;
      const [good, lost] = [await fixtures.begin(['sms']), await fixtures.begin(['sms', 'in_app'])];
      await forget('trigger', lost.triggerId);
      const claimed = await store.claims.claimChannel('sms', [lost.stepIds[0]!, good.stepIds[0]!]);
      expect(claimed.map(({ id }) => id)).toEqual([good.stepIds[0]]);
      expect(await store.step(lost.stepIds[0]!)).toMatchObject({
        state: 'failed',
        details: ['Pending Step queued', detailOf('event')],
      });
      expect((await store.step(lost.stepIds[1]!)).state).toBe('canceled');
      expect(await openRows()).toEqual([good.stepIds[0]]);
    });

    it.each(['delay', 'digest', 'throttle', 'custom'] as const)('ends a step of the type %s', async (type) => {
      const { store } = fixtures;
      const { stepIds, triggerId } = await fixtures.begin([type]);
      await forget('trigger', triggerId);
      expect(await store.claims.claimTimers(stepIds)).toEqual([]);
      const { state, details } = await store.step(stepIds[0]!);
      expect([state, details.at(-1)]).toEqual(['failed', detailOf('event')]);
      // The next claim deletes the one that has no rows left.
      await store.claims.claimTimers([]);
      expect(await query(`SELECT 1 FROM claim WHERE work_ids && $1::uuid[]`, [stepIds])).toEqual([]);
    });

    it('passes the digest of a lost step on to a step that joined it', async () => {
      const subscriberId = newId<SubscriberRowId>();
      const master = await fixtures.join(subscriberId);
      const joined = await fixtures.join(subscriberId);
      await forget('trigger', master.triggerId);
      await fixtures.store.passTime(3_600_000);
      expect(await fixtures.store.claims.claimTimers(master.stepIds)).toEqual([]);
      expect(await openRows()).toEqual([joined.stepIds[0]]);
    });

    it('ends a step whose notification or workflow version is gone', async () => {
      const { store } = fixtures;
      const [first, second] = [await fixtures.begin(['sms']), await fixtures.begin(['sms'])];
      await forget('notification', first.notificationId);
      await query(`UPDATE trigger SET workflow_version = 2 WHERE id = $1`, [second.triggerId]);
      expect(await store.claims.claimChannel('sms', [...first.stepIds, ...second.stepIds])).toEqual([]);
      expect((await store.step(first.stepIds[0]!)).details).toContain(detailOf('notification'));
      expect((await store.step(second.stepIds[0]!)).details).toContain(detailOf('workflow version'));
      expect(await openRows()).toEqual([]);
    });

    it('ends a trigger, with the reason in its row or in the audit log, and claims the others of the batch', async () => {
      const { store } = fixtures;
      const [good, lost, unversioned] = [await fixtures.accept(), await fixtures.accept(), await fixtures.accept()];
      await forget('trigger', lost);
      await query(`UPDATE trigger SET workflow_version = 2 WHERE id = $1`, [unversioned]);
      const claimed = await store.fanOut.claim([lost, unversioned, good]);
      expect(claimed.map(({ id }) => id)).toEqual([good]);
      expect(await openRows()).toEqual([good]);
      expect(await query(`SELECT outcome, error FROM trigger WHERE id = $1`, [unversioned])).toEqual([
        { outcome: 'failed', error: 'The workflow version no longer exists' },
      ]);
      expect(
        await query(`SELECT actor_type, action, after FROM audit_log WHERE resource_id = ANY ($1)`, [
          [lost, unversioned],
        ]),
      ).toEqual([{ actor_type: 'system', action: 'trigger.ended', after: { reason: 'The event no longer exists' } }]);
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
      await until(async () => {
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
