import type { EnvironmentId, JsonObject, NotificationId, StepId, SubscriberRowId } from '@clarion/contracts';
import {
  AWAY_MS,
  type Database,
  DigestRepository,
  FanOutRepository,
  StepClaimRepository,
  StepOutcomeRepository,
  SweepRepository,
  ThrottleRepository,
  TriggerRepository,
} from '@clarion/persistence';
import { insertEnvironment, insertWorkflow } from '@clarion/testing';
import {
  type Claim,
  ENVIRONMENT,
  isOpen,
  MemoryStore,
  Random,
  storePorts,
  Witness,
  World,
} from '@clarion/testing/memory-store';
import type { ContractStore, StepView } from './store-contract';

type ClaimRow = { id: string; lease_until: Date; work_ids: string[]; fences: number[] };

/**
 * A step and its execution details, wherever they are: an open step is a row of `work`, one that was not reached is in
 * its `later_steps`. That it was queued is only a time, and the details of its outcome are one value.
 */
const READ_STEP = `
WITH open AS (
  SELECT * FROM work WHERE id = $1
), later AS (
  SELECT 1 FROM work w CROSS JOIN LATERAL jsonb_array_elements(w.later_steps) l
   WHERE w.notification_id = notification_of($1) AND step_id(w.notification_id, (l ->> 0)::int) = $1
), ended AS (
  SELECT * FROM step WHERE id = $1
), details AS (
  SELECT queued_at AS at, 0 AS kind, 0 AS place, 'Pending Step queued' AS text
    FROM (SELECT queued_at FROM open UNION ALL SELECT queued_at FROM ended) q WHERE queued_at IS NOT NULL
  UNION ALL
  SELECT d.created_at, 1, row_number() OVER (ORDER BY d.id), d.status || ' ' || d.detail
    FROM execution_detail d WHERE d.notification_id = notification_of($1) AND d.step_id = $1
  UNION ALL
  SELECT s.ended_at, 2, p.place, coalesce(p.value ->> 's', 'Success') || ' ' || (p.value ->> 'd')
    FROM ended s CROSS JOIN LATERAL json_array_elements(s.details) WITH ORDINALITY AS p (value, place)
)
SELECT CASE WHEN o.id IS NOT NULL THEN CASE WHEN o.is_delayed THEN 'delayed' ELSE 'queued' END
            WHEN EXISTS (SELECT 1 FROM later) THEN 'pending' ELSE (SELECT state FROM ended) END AS state,
       o.attempt, o.crash_count,
       ARRAY(SELECT text FROM details ORDER BY at, kind, place) AS details,
       ARRAY(SELECT m.id || ' ' || m.status FROM message m WHERE m.step_id = $1 ORDER BY m.id) AS messages
  FROM (SELECT 1) one LEFT JOIN open o ON true`;

/** The repositories on Postgres. `passTime` moves every time in the rows into the past. */
export async function postgresStore(database: Database): Promise<ContractStore> {
  const environmentId = await insertEnvironment(database);
  const { id: workflowId } = await insertWorkflow(database, { environmentId });
  const triggers = new TriggerRepository(database);
  return {
    environmentId,
    workflowId,
    claims: new StepClaimRepository(database),
    outcomes: new StepOutcomeRepository(database),
    digests: new DigestRepository(database),
    throttles: new ThrottleRepository(database),
    fanOut: new FanOutRepository(database),
    sweep: new SweepRepository(database),
    async accept(id, transactionId, payload) {
      await triggers.insertMany(environmentId, [
        {
          id,
          transactionId,
          fingerprint: '00',
          workflowId,
          workflowVersion: 1,
          recipients: [],
          payload: payload as JsonObject,
        },
      ]);
    },
    async cancel(transactionId) {
      await triggers.cancel(environmentId, transactionId);
    },
    async subscribe(id, topicKeys) {
      await database.query(
        `INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, $1::uuid::text)`,
        [id, environmentId],
      );
      await database.query(
        `INSERT INTO topic (id, environment_id, key, name) SELECT uuid_v7(), $1, key, key FROM unnest($2::text[]) key
         ON CONFLICT DO NOTHING`,
        [environmentId, topicKeys],
      );
      await database.query(
        `INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
         SELECT uuid_v7(), $1, id, $3, id || ' ' || $3::uuid FROM topic WHERE environment_id = $1 AND key = ANY ($2)`,
        [environmentId, topicKeys, id],
      );
    },
    async atTheSameTime(claim) {
      const hidden = await database.query<ClaimRow>(`DELETE FROM claim RETURNING *`);
      const result = await claim();
      await database.query(`INSERT INTO claim SELECT * FROM json_populate_recordset(NULL::claim, $1)`, [
        JSON.stringify(hidden),
      ]);
      return result;
    },
    async passTime(milliseconds) {
      const past = `- $1 * interval '1 millisecond'`;
      await database.query(
        `UPDATE work SET due_at = due_at ${past}, offered_at = offered_at ${past}, waiting_since = waiting_since ${past}`,
        [milliseconds],
      );
      await database.query(`SELECT setval('oldest_due', greatest(0, last_value - $1::int)) FROM oldest_due`, [
        milliseconds,
      ]);
      await database.query(`UPDATE claim SET lease_until = lease_until ${past}`, [milliseconds]);
      // Sweepers reached the database meanwhile, also when the machine is slow.
      await database.query(`UPDATE sweep SET swept_at = now(), grace_until = grace_until ${past}`, [milliseconds]);
      await database.query(`UPDATE step_window SET expires_at = expires_at ${past}`, [milliseconds]);
    },
    async beAway() {
      await database.query(`UPDATE sweep SET swept_at = swept_at - $1 * interval '1 millisecond'`, [AWAY_MS]);
    },
    timeIn: (milliseconds) => new Date(Date.now() + milliseconds).toISOString(),
    async step(id) {
      const [row] = await database.rows<StepView>(READ_STEP, [id]);
      return row!;
    },
    async triggerState(id) {
      const [row] = await database.query<{ state: string }>(
        `SELECT coalesce(outcome, CASE WHEN w.id IS NULL THEN 'done' WHEN w.progress IS NULL THEN 'accepted'
                                       ELSE 'running' END) AS state
           FROM trigger t LEFT JOIN work w ON w.id = t.id WHERE t.id = $1`,
        [id],
      );
      return row!.state;
    },
    async digestedInto(id) {
      const [row] = await database.rows<{ digestedNotificationId: NotificationId | null }>(
        `SELECT digested_notification_id FROM notification WHERE id = $1`,
        [id],
      );
      return row!.digestedNotificationId;
    },
    async close() {
      for (const table of [
        'claim',
        'sweep',
        'work',
        'open_digest',
        'step_window',
        'step',
        'message',
        'trigger',
        'transaction',
      ]) {
        await database.query(`DELETE FROM ${table}`);
      }
    },
  };
}

/** A store whose claims can be made not to see each other. */
class BlindStore extends MemoryStore {
  seesClaims = true;

  protected override holdersOf(row: Parameters<MemoryStore['holdersOf']>[0]): Claim[] {
    return this.seesClaims ? super.holdersOf(row) : [];
  }
}

/** The in-memory store of the simulation. */
export function memoryStore(): ContractStore {
  const world = new World(new Random(1), false);
  const witness = new Witness(world);
  const subscriberIds: SubscriberRowId[] = [];
  const subscriptions: { topicKey: string; subscriberId: SubscriberRowId }[] = [];
  const store = new BlindStore(world, witness, subscriberIds, subscriptions, []);
  return {
    environmentId: ENVIRONMENT as EnvironmentId,
    workflowId: 'workflow',
    ...storePorts(store),
    sweep: {
      overdueTypes: async () => store.overdueTypes(),
      offerTriggers: async (limit, cap, busyQueues) => store.offerTriggers(limit, cap, busyQueues),
      offerSteps: async (limit, cap, busyQueues) => store.offerSteps(limit, cap, busyQueues),
      releaseWaiting: async () => store.releaseWaiting(),
    },
    async accept(id, transactionId, payload) {
      store.accept({
        id,
        transactionId,
        workflowId: 'workflow',
        recipients: [],
        payload: payload as JsonObject,
        context: null,
      });
    },
    async cancel(transactionId) {
      store.cancel(transactionId);
    },
    async subscribe(subscriberId, topicKeys) {
      subscriberIds.push(subscriberId);
      subscriptions.push(...topicKeys.map((topicKey) => ({ topicKey, subscriberId })));
    },
    async atTheSameTime(claim) {
      store.seesClaims = false;
      const result = await claim();
      store.seesClaims = true;
      return result;
    },
    async passTime(milliseconds) {
      world.now += milliseconds;
    },
    async beAway() {
      world.lastAway = { from: world.now - AWAY_MS, until: (world.now += 1) };
    },
    timeIn: (milliseconds) => new Date(world.now + milliseconds).toISOString(),
    async step(id: StepId) {
      const row = store.steps.get(id)!;
      const { state, attempt, crashCount, details, messages } = row;
      return {
        state,
        attempt: isOpen(row) ? attempt : null,
        crashCount: isOpen(row) ? crashCount : null,
        details: details.map(({ status, detail }) => `${status} ${detail}`),
        messages: [...messages.values()].map((message) => `${message.id} ${message.status}`),
      };
    },
    async triggerState(id) {
      return store.triggers.get(id)!.state;
    },
    async digestedInto(id) {
      return store.notifications.get(id)!.digestedInto as NotificationId | null;
    },
    async close() {
      // Each store has new rows.
    },
  };
}
