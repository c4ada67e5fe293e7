import { newId, type StepId, type SubscriberRowId, toNotificationId } from '@clarion/contracts';
import {
  type BusyQueues,
  GRACE_MS,
  LEASE_MS,
  OFFER_AGAIN_MS,
  OFFER_CRASHED_AGAIN_MS,
  OFFER_MS,
  OFFER_TO_BUSY_QUEUE_MS,
} from '@clarion/persistence';
import { type Fixtures, MARGIN_MS } from './contract-fixtures';

/** Which rows the sweeper offers. */
export function sweeps(fixtures: Fixtures): void {
  const offered = async (limit = 10, cap = 10_000) =>
    (await fixtures.store.sweep.offerSteps(limit, cap)).map(({ id }) => id).toSorted();

  it('offers a trigger that no engine has claimed, and again after a while', async () => {
    const { environmentId, fanOut, passTime, sweep } = fixtures.store;
    const id = await fixtures.accept();
    expect(await sweep.offerTriggers(10, 10_000)).toEqual([]);
    await passTime(OFFER_MS);
    const offer = { id, environmentId, lane: 2, lapsed: false, isFirst: false };
    expect(await sweep.offerTriggers(10, 10_000)).toEqual([offer]);
    expect(await sweep.offerTriggers(10, 10_000)).toEqual([]);
    await passTime(OFFER_AGAIN_MS);
    expect(await sweep.offerTriggers(10, 10_000)).toEqual([offer]);
    await fanOut.claim([id]);
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await sweep.offerTriggers(10, 10_000)).toEqual([]);
    await passTime(MARGIN_MS);
    expect(await sweep.overdueTypes()).toEqual(['trigger']);
    expect(await sweep.offerTriggers(10, 10_000)).toEqual([{ ...offer, lapsed: true, isFirst: true }]);
  });

  it('offers a due step after the offer of its commit, and again after a while', async () => {
    const { environmentId, passTime, sweep } = fixtures.store;
    const { stepIds } = await fixtures.begin(['sms', 'sms']);
    const [id] = stepIds;
    expect(await offered()).toEqual([]);
    await passTime(OFFER_MS);
    expect(await sweep.offerSteps(10, 10_000)).toEqual([
      { id, type: 'sms', environmentId, lane: 2, lapsed: false, isFirst: false },
    ]);
    expect(await offered()).toEqual([]);
    await passTime(OFFER_AGAIN_MS);
    expect(await offered()).toEqual([id]);
  });

  it('does not take a step from the worker that has claimed it just before an offer', async () => {
    const { outcomes, passTime } = fixtures.store;
    const { stepIds } = await fixtures.begin(['sms']);
    await passTime(OFFER_MS);
    const step = (await fixtures.claimOne(stepIds[0]!))!;
    expect(await fixtures.store.atTheSameTime(() => offered())).toEqual(stepIds);
    expect((await outcomes.record([fixtures.outcome(step)])).held).toEqual(new Set(stepIds));
  });

  it('offers a step with an ended lease as lapsed, and not while the lease holds', async () => {
    const { passTime, sweep } = fixtures.store;
    const { stepIds } = await fixtures.begin(['sms']);
    await fixtures.claimOne(stepIds[0]!);
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await sweep.overdueTypes()).toEqual([]);
    expect(await offered()).toEqual([]);
    await passTime(MARGIN_MS);
    expect(await sweep.overdueTypes()).toEqual(['sms']);
    expect(await sweep.offerSteps(10, 10_000)).toMatchObject([{ id: stepIds[0], lapsed: true, isFirst: true }]);
    // The worker that took the offer may have crashed before it claimed the step.
    await passTime(OFFER_CRASHED_AGAIN_MS - MARGIN_MS);
    expect(await offered()).toEqual([]);
    await passTime(MARGIN_MS);
    expect(await sweep.offerSteps(10, 10_000)).toMatchObject([{ id: stepIds[0], lapsed: true, isFirst: false }]);
  });

  it('leaves lapsed claims to their holders after the database was away, and ends the others after that', async () => {
    const { beAway, claims, passTime, step: read, sweep } = fixtures.store;
    await sweep.overdueTypes();
    const living = await fixtures.claimed();
    const dead = await fixtures.claimed();
    await passTime(LEASE_MS);
    await beAway();
    await sweep.overdueTypes();
    expect(await claims.renew([living.step.claimId])).toEqual(new Set([living.step.claimId]));
    await passTime(GRACE_MS - MARGIN_MS);
    await sweep.overdueTypes();
    expect(await read(dead.step.id)).toMatchObject({ crashCount: 0 });
    await passTime(MARGIN_MS);
    await claims.renew([living.step.claimId]);
    await sweep.overdueTypes();
    expect(await read(dead.step.id)).toMatchObject({ crashCount: 1 });
    expect(await read(living.step.id)).toMatchObject({ crashCount: 0 });
  });

  it('ends the lapsed claims of engines at once after the database was away', async () => {
    const { beAway, claims, passTime, step: read, sweep } = fixtures.store;
    await sweep.overdueTypes();
    const { stepIds } = await fixtures.begin(['throttle']);
    expect(await claims.claimTimers([stepIds[0]!])).toHaveLength(1);
    await passTime(LEASE_MS);
    await beAway();
    await sweep.overdueTypes();
    expect(await read(stepIds[0]!)).toMatchObject({ crashCount: 1 });
  });

  it('returns the types of the rows that wait for an offer', async () => {
    const { passTime, sweep } = fixtures.store;
    await fixtures.begin(['sms']);
    await fixtures.begin(['delay']);
    await fixtures.accept();
    expect(await sweep.overdueTypes()).toEqual([]);
    await passTime(OFFER_MS);
    expect((await sweep.overdueTypes()).toSorted()).toEqual(['delay', 'sms', 'trigger']);
    await sweep.offerTriggers(10, 10_000);
    expect((await sweep.overdueTypes()).toSorted()).toEqual(['delay', 'sms']);
    await sweep.offerSteps(10, 10_000);
    expect(await sweep.overdueTypes()).toEqual([]);
  });

  it('leaves rows to a long queue, except those that were due before its oldest job', async () => {
    const { passTime, sweep, timeIn } = fixtures.store;
    const first = await fixtures.begin(['sms']);
    const inApp = await fixtures.begin(['in_app']);
    await passTime(60_000);
    const second = await fixtures.begin(['sms']);
    await passTime(OFFER_MS);
    const busyQueues = (milliseconds: number, takenMs = milliseconds): BusyQueues =>
      new Map([['sms', { oldest: { 2: new Date(timeIn(milliseconds)) }, taken: { 2: new Date(timeIn(takenMs)) } }]]);
    const offers = async (queues: BusyQueues) => (await sweep.offerSteps(10, 10_000, queues)).map(({ id }) => id);
    expect(await offers(busyQueues(-120_000))).toEqual(inApp.stepIds);
    // A worker has taken the job of the first one, and may have no room for its rows yet.
    expect(await offers(busyQueues(-30_000, -120_000))).toEqual([]);
    expect(await offers(busyQueues(-30_000))).toEqual(first.stepIds);
    expect(await offers(new Map())).toEqual(second.stepIds);
  });

  it('leaves offered rows to a busy queue for longer, but not rows that have no offer', async () => {
    const { claims, passTime, sweep } = fixtures.store;
    const untouched = await fixtures.begin(['sms']);
    const { step } = await fixtures.claimed();
    await claims.release([step]);
    await passTime(OFFER_MS);
    const busy: BusyQueues = new Map([['sms', { oldest: {}, taken: {} }]]);
    expect((await sweep.offerSteps(10, 10_000, busy)).map(({ id }) => id)).toEqual([step.id]);
    await passTime(OFFER_TO_BUSY_QUEUE_MS);
    expect((await sweep.offerSteps(10, 10_000, busy)).map(({ id }) => id)).toEqual(untouched.stepIds);
  });

  it('offers steps that wait for the limit of an account in the order in which they began to', async () => {
    const { claims, passTime, step: read, sweep } = fixtures.store;
    const integrationId = newId();
    const limit = { limit: 'rate_limit', figure: 1_000, integrationId, integration: 'mail' } as const;
    const first = await fixtures.begin(['sms']);
    await passTime(1);
    const second = await fixtures.begin(['sms']);
    const letWait = async (id: StepId, leftMs?: number) =>
      claims.release([{ ...(await fixtures.claimOne(id))!, leftMs }], 0, limit);
    const [one, other] = [first.stepIds[0]!, second.stepIds[0]!];
    await letWait(other);
    await letWait(one);
    await passTime(OFFER_AGAIN_MS);
    expect(await offered()).toEqual([]);
    expect((await read(one)).details.at(-1)).toContain('Step waits');
    expect((await sweep.releaseWaiting()).map(({ id }) => id).toSorted()).toEqual([one, other].toSorted());
    // The offer is fresh.
    expect(await offered()).toEqual([]);
    await letWait(one);
    expect((await read(one)).details.filter((detail) => detail.includes('Step waits'))).toHaveLength(1);
    expect(await sweep.releaseWaiting()).toMatchObject([{ id: one, type: 'sms', lane: 2 }]);
    await letWait(one, 60_000);
    await passTime(60_000);
    expect(await sweep.releaseWaiting()).toEqual([]);
    expect(await offered()).toContain(one);
  });

  it('does not offer a step before it is due', async () => {
    const { outcomes, passTime } = fixtures.store;
    const { step, stepIds } = await fixtures.claimed();
    await outcomes.record([fixtures.outcome(step, { state: 'queued', dueInMs: 60_000 })]);
    await passTime(OFFER_AGAIN_MS);
    expect(await offered()).toEqual([]);
    await passTime(60_000 - OFFER_AGAIN_MS);
    expect(await offered()).toEqual(stepIds);
  });

  it('offers the first step of each channel before the second step of any', async () => {
    const sms = [await fixtures.begin(['sms']), await fixtures.begin(['sms']), await fixtures.begin(['sms'])];
    const inApp = await fixtures.begin(['in_app']);
    await fixtures.store.passTime(OFFER_MS);
    expect(await offered(2)).toEqual([sms[0]!.stepIds[0], inApp.stepIds[0]].toSorted());
    expect(await offered(2)).toHaveLength(2);
    expect(await offered(2)).toEqual([]);
  });

  it('offers no more steps of a channel than its share while the earlier ones are in flight', async () => {
    const { fanOut, passTime, workflowId } = fixtures.store;
    const triggerId = await fixtures.accept();
    const [trigger] = await fanOut.claim([triggerId]);
    await fanOut.commit({
      triggers: [
        {
          id: triggerId,
          fence: trigger!.fence,
          claimId: trigger!.claimId,
          workflowId,
          steps: [{ stepKey: 'sms-0', type: 'sms' }],
          state: 'done',
          channels: ['sms'],
          tags: [],
          severity: 'none',
          critical: false,
        },
      ],
      notifications: Array.from({ length: 502 }, () => ({
        id: toNotificationId(newId()),
        triggerId,
        subscriberId: newId<SubscriberRowId>(),
        to: {},
      })),
    });
    await passTime(OFFER_MS);
    expect(await offered(1_000, 500)).toHaveLength(500);
    expect(await offered(1_000, 500)).toEqual([]);
    expect(await offered(1_000, 501)).toHaveLength(1);
  });
}
