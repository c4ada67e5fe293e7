import { newId, type SubscriberRowId } from '@clarion/contracts';
import { LEASE_MS } from '@clarion/persistence';
import { type Fixtures, MARGIN_MS } from './contract-fixtures';

const PAGE = 2;

/** Claims of triggers, and the pages that they commit. */
export function fansOut(fixtures: Fixtures): void {
  const claimed = async () => {
    const id = await fixtures.accept();
    const [trigger] = await fixtures.store.fanOut.claim([id]);
    return trigger!;
  };

  it('claims an accepted trigger once', async () => {
    const { fanOut } = fixtures.store;
    const id = await fixtures.accept();
    expect(await fanOut.claim([id])).toMatchObject([{ id, fence: 1, crashCount: 1, cursor: null }]);
    expect(await fanOut.claim([id])).toEqual([]);
  });

  it('claims a trigger with an ended lease only alone', async () => {
    const { fanOut, passTime } = fixtures.store;
    const { id } = await claimed();
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await fixtures.suspectTriggers([id])).toEqual([]);
    await passTime(MARGIN_MS);
    expect(await fixtures.suspectTriggers([id])).toEqual([id]);
    expect(await fanOut.claim([id])).toEqual([]);
    expect(await fanOut.claim([id], 1)).toMatchObject([{ fence: 2, crashCount: 2 }]);
  });

  it('releases a trigger without counting a crash', async () => {
    const { fanOut } = fixtures.store;
    const trigger = await claimed();
    await fanOut.release([trigger]);
    expect(await fanOut.claim([trigger.id])).toMatchObject([{ fence: 2, crashCount: 1 }]);
  });

  it('counts a crash for a trigger that its engine gives up, also after a page that it does not know of', async () => {
    const { fanOut } = fixtures.store;
    const trigger = await claimed();
    await fixtures.commit(trigger, ['sms'], undefined, 'running');
    await fanOut.abandon([trigger]);
    expect(await fanOut.claim([trigger.id])).toEqual([]);
    expect(await fixtures.suspectTriggers([trigger.id])).toEqual([trigger.id]);
    expect(await fanOut.claim([trigger.id], 1)).toMatchObject([{ fence: 3, crashCount: 2 }]);
  });

  it('ends a claim with the next one, without counting a crash', async () => {
    const { fanOut } = fixtures.store;
    const trigger = await claimed();
    fanOut.end(trigger.claimId);
    await claimed();
    expect(await fanOut.claim([trigger.id])).toMatchObject([{ fence: 1, crashCount: 1 }]);
  });

  it('keeps a trigger with more pages claimed and ends it with the last page', async () => {
    const { fanOut, passTime, triggerState } = fixtures.store;
    const trigger = await claimed();
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await fixtures.commit(trigger, ['sms'], undefined, 'running')).toMatchObject({ held: true });
    expect(await triggerState(trigger.id)).toBe('running');
    await passTime(LEASE_MS - MARGIN_MS);
    expect(await fixtures.suspectTriggers([trigger.id])).toEqual([]);
    expect(await fanOut.claim([trigger.id], 1)).toEqual([]);
    const { held } = await fixtures.commit({ ...trigger, fence: trigger.fence + 1 }, ['sms']);
    expect(held).toBe(true);
    expect(await triggerState(trigger.id)).toBe('done');
    expect(await fanOut.claim([trigger.id], 1)).toEqual([]);
  });

  it('raises the fence with a page, so that the page cannot be committed twice', async () => {
    const trigger = await claimed();
    const first = await fixtures.commit(trigger, ['sms'], undefined, 'running');
    const second = await fixtures.commit(trigger, ['sms'], undefined, 'running');
    expect([first.held, second.held]).toEqual([true, false]);
  });

  it('lets only one of two engines commit that claimed a trigger at the same time', async () => {
    const { atTheSameTime, fanOut } = fixtures.store;
    const trigger = await claimed();
    const [other] = await atTheSameTime(() => fanOut.claim([trigger.id]));
    expect(other).toMatchObject({ id: trigger.id, fence: trigger.fence });
    expect(await fixtures.commit(other!, ['sms'])).toMatchObject({ held: true });
    const late = await fixtures.commit(trigger, ['sms']);
    expect(late.held).toBe(false);
    expect(await fixtures.claimOne(late.stepIds[0]!)).toBeUndefined();
  });

  it('refuses a page of an engine whose trigger was claimed again', async () => {
    const { fanOut, passTime, triggerState } = fixtures.store;
    const trigger = await claimed();
    await passTime(LEASE_MS);
    await fixtures.suspectTriggers([trigger.id]);
    const [again] = await fanOut.claim([trigger.id], 1);
    expect(await fixtures.commit(trigger, ['sms'])).toMatchObject({ held: false });
    expect(await triggerState(trigger.id)).toBe('accepted');
    expect(await fixtures.commit(again!, ['sms'])).toMatchObject({ held: true });
  });

  it('refuses a page of a canceled trigger', async () => {
    const { cancel, triggerState } = fixtures.store;
    const trigger = await claimed();
    await cancel(`txn_${trigger.id}`);
    expect(await fixtures.commit(trigger, ['sms'])).toMatchObject({ held: false });
    expect(await triggerState(trigger.id)).toBe('canceled');
  });

  it('walks over the members of topics in pages, each member once', async () => {
    const { environmentId, fanOut, subscribe } = fixtures.store;
    const ids = Array.from({ length: 5 }, () => newId<SubscriberRowId>()).toSorted();
    for (const [at, id] of ids.entries()) await subscribe(id, at % 2 === 0 ? ['news', 'sport'] : ['news']);
    await subscribe(newId(), ['weather']);
    const seen: string[] = [];
    let cursor = null;
    for (;;) {
      const page = await fanOut.topicMembers(environmentId, ['news', 'sport'], cursor, [ids[1]!], PAGE);
      seen.push(...page.members.map(({ id, topics }) => `${id} ${topics.length}`));
      cursor = page.cursor;
      if (!cursor) break;
    }
    expect(seen).toEqual([`${ids[0]} 2`, `${ids[2]} 2`, `${ids[3]} 1`, `${ids[4]} 2`]);
  });

  it('walks over all subscribers in pages', async () => {
    const { environmentId, fanOut, subscribe } = fixtures.store;
    const ids = Array.from({ length: 3 }, () => newId<SubscriberRowId>()).toSorted();
    for (const id of ids) await subscribe(id, []);
    const first = await fanOut.subscribers(environmentId, null, [], PAGE);
    const second = await fanOut.subscribers(environmentId, first.cursor, [], PAGE);
    expect([first, second].map(({ members }) => members.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(second.cursor).toBeNull();
  });

  it('adds a warning to the details of a step', async () => {
    const { environmentId, fanOut, step: read } = fixtures.store;
    const { stepIds } = await fixtures.begin(['sms']);
    await fanOut.warn([{ stepId: stepIds[0]!, environmentId, raw: '{}' }], 'Something was ignored');
    expect((await read(stepIds[0]!)).details).toContain('Warning Something was ignored');
  });
}
