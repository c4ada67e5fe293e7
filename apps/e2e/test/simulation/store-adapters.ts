import type { EnvironmentId, JsonObject, NotificationId, StepId, SubscriberRowId } from '@clarion/contracts';
import {
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
import { ENVIRONMENT } from './memory-rows';
import { MemoryStore } from './memory-store';
import { Random } from './random';
import type { ContractStore, StepView } from './store-contract';
import { Witness } from './witness';
import { World } from './world';

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
      await database.query(
        `WITH accepted AS (
           INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload)
           VALUES ($1, $2, $3, $4, 1, '[]', $5))
         INSERT INTO transaction (environment_id, transaction_id, trigger_id, fingerprint) VALUES ($2, $3, $1, '')`,
        [id, environmentId, transactionId, workflowId, JSON.stringify(payload)],
      );
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
    async passTime(milliseconds) {
      const past = `- $1 * interval '1 millisecond'`;
      await database.query(
        `UPDATE step SET due_at = due_at ${past}, lease_until = lease_until ${past},
                         offered_until = offered_until ${past}`,
        [milliseconds],
      );
      await database.query(
        `UPDATE trigger SET lease_until = lease_until ${past}, offered_until = offered_until ${past},
                            created_at = created_at ${past}`,
        [milliseconds],
      );
      await database.query(`UPDATE step_window SET expires_at = expires_at ${past}`, [milliseconds]);
    },
    timeIn: (milliseconds) => new Date(Date.now() + milliseconds).toISOString(),
    async step(id) {
      const [row] = await database.rows<StepView>(
        `SELECT state, attempt, fence, crash_count, (extract(epoch FROM due_at - now()) * 1000)::int AS due_in_ms,
                ARRAY(SELECT status || ' ' || detail FROM execution_detail d
                       WHERE d.step_id = step.id ORDER BY created_at, d.id) AS details,
                ARRAY(SELECT m.id || ' ' || status FROM message m WHERE m.step_id = step.id ORDER BY m.id) AS messages
           FROM step WHERE id = $1`,
        [id],
      );
      return row!;
    },
    async triggerState(id) {
      return (await database.query<{ state: string }>(`SELECT state FROM trigger WHERE id = $1`, [id]))[0]!.state;
    },
    async digestedInto(id) {
      const [row] = await database.rows<{ digestedNotificationId: NotificationId | null }>(
        `SELECT digested_notification_id FROM notification WHERE id = $1`,
        [id],
      );
      return row!.digestedNotificationId;
    },
    async close() {
      for (const table of ['open_digest', 'step_window', 'step', 'trigger', 'transaction']) {
        await database.query(`DELETE FROM ${table}`);
      }
    },
  };
}

/** The in-memory store of the simulation. */
export function memoryStore(): ContractStore {
  const world = new World(new Random(1), false);
  const witness = new Witness(world);
  const subscriberIds: SubscriberRowId[] = [];
  const subscriptions: { topicKey: string; subscriberId: SubscriberRowId }[] = [];
  const store = new MemoryStore(world, witness, subscriberIds, subscriptions, []);
  return {
    environmentId: ENVIRONMENT as EnvironmentId,
    workflowId: 'workflow',
    claims: {
      claimChannel: async (channel, ids, alone) => store.claimChannel(channel, ids, alone),
      claimTimers: async (ids, alone) => store.claimTimers(ids, alone),
      suspects: async (ids) => store.suspectSteps(ids),
      markSending: async (steps) => store.markSending(steps),
      renew: async (steps) => store.renew(steps),
      release: async (steps, delayMs) => store.releaseSteps(steps, delayMs),
    },
    outcomes: { record: async (outcomes) => store.record(outcomes) },
    digests: {
      join: async (requests) => store.joinDigests(requests),
      close: async (steps) => store.closeDigests(steps),
      collect: async (ids, limit) => store.digestEvents(ids, limit),
    },
    throttles: { decide: async (requests) => store.throttle(requests) },
    fanOut: {
      claim: async (ids, alone) => store.claimTriggers(ids, alone),
      suspects: async (ids) => store.suspectTriggers(ids),
      topicMembers: async (_, topicKeys, cursor, excluded) => store.topicMembers(topicKeys, cursor, excluded),
      subscribers: async (_, cursor, excluded) => store.subscribers(cursor, excluded),
      commit: async (page) => store.commit(page),
      warn: async (warnings, detail) => store.warn(warnings, detail),
      release: async (triggers) => store.releaseTriggers(triggers),
    },
    sweep: {
      offerTriggers: async (limit, cap) => store.offerTriggers(limit, cap),
      offerSteps: async (limit, cap) => store.offerSteps(limit, cap),
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
    async passTime(milliseconds) {
      world.now += milliseconds;
    },
    timeIn: (milliseconds) => new Date(world.now + milliseconds).toISOString(),
    async step(id: StepId) {
      const { state, attempt, fence, crashCount, dueAt, details, messages } = store.steps.get(id)!;
      return {
        state,
        attempt,
        fence,
        crashCount,
        dueInMs: dueAt === null ? null : dueAt - world.now,
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
