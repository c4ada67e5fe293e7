import { newId } from '@clarion/contracts';
import { LEASE_MS } from '@clarion/persistence';
import { type Fixtures, MARGIN_MS } from './contract-fixtures';

/** Claims, leases and fences of steps. */
export function claimsSteps(fixtures: Fixtures): void {
  it('claims a due step once and counts the attempt', async () => {
    const { stepIds } = await fixtures.begin(['sms']);
    expect(await fixtures.claimOne(stepIds[0]!)).toMatchObject({
      id: stepIds[0],
      attempt: 1,
      fence: 1,
      crashCount: 1,
      inDoubt: false,
    });
    expect(await fixtures.claimOne(stepIds[0]!)).toBeUndefined();
  });

  it('claims only steps of the given channel', async () => {
    const { claims } = fixtures.store;
    const { stepIds } = await fixtures.begin(['in_app']);
    expect(await fixtures.claimOne(stepIds[0]!)).toBeUndefined();
    expect(await claims.claimTimers(stepIds)).toEqual([]);
    expect(await claims.claimChannel('in_app', stepIds)).toHaveLength(1);
  });

  it('claims every step type that the engine runs', async () => {
    for (const type of ['digest', 'delay', 'throttle', 'custom'] as const) {
      const { stepIds } = await fixtures.begin([type]);
      expect(await fixtures.store.claims.claimTimers(stepIds)).toMatchObject([{ id: stepIds[0], type }]);
    }
  });

  it('does not claim a step that waits for the step before it', async () => {
    const { stepIds } = await fixtures.begin(['sms', 'sms']);
    expect(await fixtures.claimOne(stepIds[1]!)).toBeUndefined();
  });

  it('returns claimed steps in the order of their ids', async () => {
    const ids = [(await fixtures.begin(['sms'])).stepIds[0]!, (await fixtures.begin(['sms'])).stepIds[0]!];
    const claimed = await fixtures.store.claims.claimChannel('sms', ids.toReversed());
    expect(claimed.map(({ id }) => id)).toEqual(ids.toSorted());
    expect(new Set(claimed.map(({ claimId }) => claimId)).size).toBe(1);
  });

  it('claims a step with an ended lease only alone, after its crash was counted, and with a higher fence', async () => {
    const { store } = fixtures;
    const { stepIds } = await fixtures.claimed();
    await store.passTime(LEASE_MS - MARGIN_MS);
    expect(await fixtures.claimOne(stepIds[0]!, 1)).toBeUndefined();
    expect(await fixtures.suspects(stepIds)).toEqual([]);
    await store.passTime(MARGIN_MS);
    expect(await fixtures.claimOne(stepIds[0]!, 1)).toBeUndefined();
    expect(await fixtures.suspects(stepIds)).toEqual(stepIds);
    expect(await fixtures.claimOne(stepIds[0]!)).toBeUndefined();
    expect(await fixtures.claimOne(stepIds[0]!, 1)).toMatchObject({ attempt: 2, fence: 2, crashCount: 2 });
  });

  it('renews a claim, and refuses one whose crash was counted', async () => {
    const { claims, passTime } = fixtures.store;
    const { step, stepIds } = await fixtures.claimed();
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await claims.renew([step.claimId])).toEqual(new Set([step.claimId]));
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await fixtures.suspects(stepIds)).toEqual([]);
    await passTime(MARGIN_MS);
    expect(await fixtures.suspects(stepIds)).toEqual(stepIds);
    expect(await claims.renew([step.claimId])).toEqual(new Set());
  });

  it('returns a new fence with the mark of a provider call, and refuses the old one', async () => {
    const { claims } = fixtures.store;
    const { step } = await fixtures.claimed();
    expect(await claims.markSending([step])).toEqual(new Map([[step.id, 2]]));
    expect(await claims.markSending([{ ...step, claimId: newId() }])).toEqual(new Map());
  });

  it('marks a step again whose worker did not get the answer, but not after its release', async () => {
    const { claims } = fixtures.store;
    const { step } = await fixtures.claimed();
    await claims.markSending([step]);
    expect(await claims.markSending([step])).toEqual(new Map([[step.id, 3]]));
    await claims.release([{ ...step, fence: 3 }]);
    expect(await claims.markSending([step])).toEqual(new Map());
  });

  it('claims a step only when as many crashes are allowed, and says how often a holder crashed', async () => {
    const { claims, passTime, sweep } = fixtures.store;
    const { step } = await fixtures.claimed();
    for (const crashes of [1, 2]) {
      await passTime(LEASE_MS);
      await sweep.overdueTypes();
      expect(await claims.suspects([step.id])).toEqual([{ id: step.id, crashes }]);
      expect(await fixtures.claimOne(step.id, crashes - 1)).toBeUndefined();
      expect(await fixtures.claimOne(step.id, crashes)).toMatchObject({ crashCount: crashes + 1 });
    }
  });

  it('leaves the marked steps of a crashed worker in doubt, and not the others of the batch', async () => {
    const { claims, passTime } = fixtures.store;
    const ids = [(await fixtures.begin(['sms'])).stepIds[0]!, (await fixtures.begin(['sms'])).stepIds[0]!];
    const [first] = await claims.claimChannel('sms', ids);
    await fixtures.marked(first!);
    await passTime(LEASE_MS);
    expect((await fixtures.suspects(ids)).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) {
      const again = await fixtures.claimOne(id, 1);
      expect(again).toMatchObject({ attempt: 2, crashCount: 2, inDoubt: id === first!.id });
    }
  });

  it('renews the lease with the mark of a provider call', async () => {
    const { claims, passTime } = fixtures.store;
    const { step, stepIds } = await fixtures.claimed();
    await passTime(LEASE_MS - MARGIN_MS);
    await claims.markSending([step]);
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await fixtures.suspects(stepIds)).toEqual([]);
    expect(await fixtures.claimOne(step.id, 1)).toBeUndefined();
  });

  it.each([true, false])('releases a step without counting an attempt or a crash (in doubt: %s)', async (inDoubt) => {
    const { store } = fixtures;
    const { step } = await fixtures.claimed();
    await store.claims.release([{ ...(await fixtures.marked(step)), inDoubt }], 5_000);
    expect(await store.step(step.id)).toMatchObject({ state: 'queued', attempt: 0, crashCount: 0 });
    expect(await fixtures.claimOne(step.id)).toBeUndefined();
    await store.passTime(5_000);
    expect(await fixtures.claimOne(step.id)).toMatchObject({ attempt: 1, fence: 3, inDoubt });
  });

  it('releases a step whose mark was written after the worker decided to release it', async () => {
    const { step } = await fixtures.claimed();
    await fixtures.marked(step);
    await fixtures.store.claims.release([step]);
    expect(await fixtures.claimOne(step.id)).toMatchObject({ crashCount: 1, inDoubt: false });
  });

  it('does not release, mark or record a step that was released before', async () => {
    const { claims, outcomes, step: read } = fixtures.store;
    const { step } = await fixtures.claimed();
    await claims.release([step]);
    await claims.release([step]);
    expect(await claims.markSending([step])).toEqual(new Map());
    expect((await outcomes.record([fixtures.outcome(step)])).held).toEqual(new Set());
    expect(await read(step.id)).toMatchObject({ state: 'queued', attempt: 0, crashCount: 0 });
  });

  it('releases one step of a batch while the others stay claimed', async () => {
    const { claims } = fixtures.store;
    const ids = [(await fixtures.begin(['sms'])).stepIds[0]!, (await fixtures.begin(['sms'])).stepIds[0]!];
    const [first, second] = await claims.claimChannel('sms', ids);
    await claims.release([first!]);
    expect(await fixtures.claimOne(second!.id)).toBeUndefined();
    expect(await fixtures.claimOne(first!.id)).toMatchObject({ fence: 2 });
  });

  it.each([true, false])('counts a crash for a step that its worker gives up (marked: %s)', async (isMarked) => {
    const { claims } = fixtures.store;
    const { step, stepIds } = await fixtures.claimed();
    if (isMarked) await fixtures.marked(step);
    await claims.abandon([step]);
    expect(await fixtures.claimOne(step.id)).toBeUndefined();
    expect(await fixtures.suspects(stepIds)).toEqual(stepIds);
    expect(await fixtures.claimOne(step.id, 1)).toMatchObject({ attempt: 2, crashCount: 2, inDoubt: isMarked });
  });

  it('does not count a crash for a step that another worker holds', async () => {
    const { claims, step: read } = fixtures.store;
    const { step } = await fixtures.claimed();
    await claims.release([step]);
    await fixtures.claimOne(step.id);
    await claims.abandon([step]);
    expect(await read(step.id)).toMatchObject({ attempt: 0, crashCount: 0 });
  });

  it('ends a claim with the next one, without counting a crash', async () => {
    const { claims } = fixtures.store;
    const { step } = await fixtures.claimed();
    claims.end(step.claimId);
    await fixtures.claimOne((await fixtures.begin(['sms'])).stepIds[0]!);
    expect(await claims.renew([step.claimId])).toEqual(new Set());
    expect(await fixtures.claimOne(step.id)).toMatchObject({ attempt: 1, crashCount: 1 });
  });

  describe('when two workers claim a step at the same time', () => {
    const claimTwice = async () => {
      const { step } = await fixtures.claimed('sms');
      const other = (await fixtures.store.atTheSameTime(() => fixtures.claimOne(step.id)))!;
      expect(other).toMatchObject({ id: step.id, fence: step.fence });
      expect(other.claimId).not.toBe(step.claimId);
      return { step, other };
    };

    it('lets only one of them mark and record it', async () => {
      const { claims, outcomes, step: read } = fixtures.store;
      const { step, other } = await claimTwice();
      const marked = await fixtures.marked(other);
      expect(await claims.markSending([step])).toEqual(new Map());
      expect((await outcomes.record([fixtures.outcome(step)])).held).toEqual(new Set());
      await claims.release([step]);
      await claims.abandon([step]);
      expect(await read(step.id)).toMatchObject({ state: 'queued', crashCount: 0 });
      expect((await outcomes.record([fixtures.outcome(marked)])).held).toEqual(new Set([step.id]));
      expect((await read(step.id)).details).toEqual(['Pending Step queued', 'Success Message sent']);
    });

    it('lets only one of them record it without a mark', async () => {
      const { outcomes, step: read } = fixtures.store;
      const { step, other } = await claimTwice();
      expect((await outcomes.record([fixtures.outcome(step)])).held).toEqual(new Set([step.id]));
      expect((await outcomes.record([fixtures.outcome(other)])).held).toEqual(new Set());
      expect((await read(step.id)).details).toEqual(['Pending Step queued', 'Success Message sent']);
    });

    it('keeps the mark of one of them when the other crashes', async () => {
      const { outcomes, passTime, step: read } = fixtures.store;
      const { step, other } = await claimTwice();
      await passTime(LEASE_MS - MARGIN_MS);
      const marked = await fixtures.marked(other);
      await passTime(MARGIN_MS);
      expect(await fixtures.suspects([step.id])).toEqual([]);
      expect(await read(step.id)).toMatchObject({ crashCount: 0 });
      expect((await outcomes.record([fixtures.outcome(marked)])).held).toEqual(new Set([step.id]));
    });

    it('counts one crash when both crash', async () => {
      const { passTime, step: read } = fixtures.store;
      const { step } = await claimTwice();
      await passTime(LEASE_MS);
      expect(await fixtures.suspects([step.id])).toEqual([step.id]);
      expect(await read(step.id)).toMatchObject({ attempt: 1, crashCount: 1 });
    });
  });
}
