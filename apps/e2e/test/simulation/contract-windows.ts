import { newId, type SubscriberRowId } from '@clarion/contracts';
import { LEASE_MS } from '@clarion/persistence';
import type { Fixtures } from './contract-fixtures';

const TAKEN_OVER = 'Pending Step digested: it took over the digest whose first event has ended';

/** Digests and throttles. */
export function decidesWindows(fixtures: Fixtures): void {
  const subscriberId = newId<SubscriberRowId>();

  it('opens one window for a key and lets later steps join it', async () => {
    const { store } = fixtures;
    const first = await fixtures.join(subscriberId);
    const second = await fixtures.join(subscriberId);
    const other = await fixtures.join(subscriberId, {}, { digestKey: 'another key' });
    expect([first.verdict, second.verdict, other.verdict]).toEqual(['opened', 'joined', 'opened']);
    expect(await store.step(first.stepIds[0]!)).toMatchObject({ state: 'delayed', attempt: 0 });
    expect((await store.step(first.stepIds[0]!)).details).toEqual(['Pending Step digested']);
    expect(await store.step(second.stepIds[0]!)).toMatchObject({
      state: 'merged',
      details: ['Success Digest was merged with other digest'],
    });
    expect((await store.step(second.stepIds[1]!)).state).toBe('merged');
    expect(await store.digestedInto(second.notificationId)).toBe(first.notificationId);
  });

  it('returns "lost" for a digest step that was claimed again', async () => {
    const { claims, digests, passTime } = fixtures.store;
    const fixture = await fixtures.begin(['digest'], subscriberId);
    const [first] = await claims.claimTimers(fixture.stepIds);
    await passTime(LEASE_MS);
    await fixtures.suspects(fixture.stepIds);
    expect(await claims.claimTimers(fixture.stepIds, 1)).toHaveLength(1);
    const { verdicts } = await digests.join([fixtures.digestRequest(fixture, first!.fence, subscriberId)]);
    expect(verdicts).toEqual(new Map([[fixture.stepIds[0], 'lost']]));
  });

  it('counts a digest step once when two engines claim it at the same time', async () => {
    const { atTheSameTime, claims, digests } = fixtures.store;
    const fixture = await fixtures.begin(['digest'], subscriberId);
    const [first] = await claims.claimTimers(fixture.stepIds);
    const [second] = await atTheSameTime(() => claims.claimTimers(fixture.stepIds));
    const request = fixtures.digestRequest(fixture, first!.fence, subscriberId);
    expect((await digests.join([request])).verdicts.get(request.id)).toBe('opened');
    expect((await digests.join([{ ...request, fence: second!.fence }])).verdicts.get(request.id)).toBe('lost');
  });

  it('claims an open window when it is due, not before', async () => {
    const { claims, passTime } = fixtures.store;
    const { stepIds } = await fixtures.join(subscriberId);
    expect(await claims.claimTimers([stepIds[0]!])).toEqual([]);
    await passTime(60_000);
    expect(await claims.claimTimers([stepIds[0]!])).toMatchObject([{ state: 'delayed', attempt: 1 }]);
  });

  it('collects the payloads of a closed window in the order of the triggers', async () => {
    const { claims, digests, passTime } = fixtures.store;
    const first = await fixtures.join(subscriberId, { number: 1 });
    await fixtures.join(subscriberId, { number: 2 });
    await fixtures.join(subscriberId, { number: 3 });
    await passTime(60_000);
    const [step] = await claims.claimTimers([first.stepIds[0]!]);
    await digests.close([step!]);
    expect((await fixtures.join(subscriberId, { number: 4 })).verdict).toBe('opened');
    const collected = (await digests.collect([step!.id], { events: 2, bytes: 1_000 })).get(step!.id)!;
    expect(collected.count).toBe(3);
    expect(collected.events.map(({ payload }) => payload)).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('collects as many payloads as the limit of bytes allows, and at least one of each window', async () => {
    const { digests } = fixtures.store;
    const payload = (number: number) => ({ number, text: 'x'.repeat(number === 5 ? 900 : 300) });
    const windows = [];
    for (const digestKey of ['a', 'b']) {
      const opened = await fixtures.join(subscriberId, payload(digestKey === 'a' ? 1 : 5), { digestKey });
      for (const number of [2, 3, 4]) await fixtures.join(subscriberId, payload(number), { digestKey });
      windows.push(opened.stepIds[0]!);
    }
    const small = await fixtures.join(subscriberId, { number: 6 }, { digestKey: 'c' });
    const asked = [...windows, small.stepIds[0]!];
    const rounds = [];
    for (let left = asked; left.length > 0;) {
      const collected = await digests.collect(left, { events: 3, bytes: 800 });
      rounds.push(
        [...collected].map(([id, { events, count }]) => [
          asked.indexOf(id),
          count,
          ...events.map((event) => event.payload['number']),
        ]),
      );
      left = left.filter((id) => !collected.has(id));
    }
    expect(rounds).toEqual([
      [
        [0, 4, 1, 2],
        [1, 4, 5],
      ],
      [[2, 1, 6]],
    ]);
  });

  it('does not close the window of a step that was claimed again', async () => {
    const { claims, digests, passTime } = fixtures.store;
    const { stepIds } = await fixtures.join(subscriberId);
    await passTime(60_000);
    const [step] = await claims.claimTimers([stepIds[0]!]);
    await digests.close([{ id: stepIds[0]!, fence: step!.fence - 1 }]);
    expect((await fixtures.join(subscriberId)).verdict).toBe('joined');
  });

  it('skips the first event of a look-back window and digests the next ones', async () => {
    const { passTime, step: read } = fixtures.store;
    const first = await fixtures.join(subscriberId, {}, { lookBackMs: 30_000 });
    const second = await fixtures.join(subscriberId, {}, { lookBackMs: 30_000 });
    expect([first.verdict, second.verdict]).toEqual(['first', 'opened']);
    expect(first.queued).toMatchObject([{ id: first.stepIds[1] }]);
    expect(await read(first.stepIds[0]!)).toMatchObject({ state: 'skipped' });
    expect((await read(first.stepIds[0]!)).details).toContain('Success Digest was skipped, first backoff event');
    await passTime(20_000);
    expect((await fixtures.join(subscriberId, {}, { lookBackMs: 30_000 })).verdict).toBe('joined');
    await passTime(30_000);
    expect((await fixtures.join(subscriberId, {}, { lookBackMs: 30_000 })).verdict).toBe('first');
  });

  it.each(['a failed outcome', 'a cancellation'])(
    'passes a window on to the oldest joined step after %s',
    async (end) => {
      const { store } = fixtures;
      const master = await fixtures.join(subscriberId);
      const successor = await fixtures.join(subscriberId);
      const follower = await fixtures.join(subscriberId);
      if (end === 'a cancellation') await store.cancel(master.transactionId);
      else {
        await store.passTime(60_000);
        const [step] = await store.claims.claimTimers([master.stepIds[0]!]);
        await store.outcomes.record([fixtures.outcome(step!, { state: 'failed', then: 'halt', passesDigestOn: true })]);
      }
      expect(await store.step(successor.stepIds[0]!)).toMatchObject({
        state: 'delayed',
        details: ['Success Digest was merged with other digest', TAKEN_OVER],
      });
      expect((await store.step(successor.stepIds[1]!)).state).toBe('pending');
      expect(await store.digestedInto(successor.notificationId)).toBeNull();
      expect(await store.digestedInto(follower.notificationId)).toBe(successor.notificationId);
      expect((await fixtures.join(subscriberId)).verdict).toBe('joined');
      const collected = await store.digests.collect([successor.stepIds[0]!], { events: 10, bytes: 1_000 });
      expect(collected.get(successor.stepIds[0]!)!.count).toBe(3);
    },
  );

  it('runs a step that was opened again with a new fence, and the steps behind it', async () => {
    const { store } = fixtures;
    const master = await fixtures.join(subscriberId);
    const successor = await fixtures.join(subscriberId);
    await store.cancel(master.transactionId);
    await store.passTime(60_000);
    const [step] = await store.claims.claimTimers([successor.stepIds[0]!]);
    expect(step).toMatchObject({ state: 'delayed', attempt: 1, crashCount: 1 });
    expect(step!.fence).toBeGreaterThan(successor.fence + 1);
    const { queued } = await store.outcomes.record([
      fixtures.outcome(step!, { then: 'advance', details: [{ status: 'Success', detail: 'Digest triggered events' }] }),
    ]);
    expect(queued).toMatchObject([{ id: successor.stepIds[1] }]);
    expect((await store.step(successor.stepIds[0]!)).details).toEqual([
      'Success Digest was merged with other digest',
      TAKEN_OVER,
      'Success Digest triggered events',
    ]);
  });

  it('deletes the window of an ended step that no step has joined', async () => {
    const { cancel, step: read } = fixtures.store;
    const { transactionId, stepIds } = await fixtures.join(subscriberId);
    await cancel(transactionId);
    expect(await read(stepIds[0]!)).toMatchObject({
      state: 'canceled',
      details: ['Pending Step digested', 'Warning Step was canceled by request'],
    });
    expect((await fixtures.join(subscriberId)).verdict).toBe('opened');
  });

  it('cancels a step that has joined a digest, with the steps behind it', async () => {
    const { cancel, digests, step: read } = fixtures.store;
    const master = await fixtures.join(subscriberId);
    const joined = await fixtures.join(subscriberId);
    await cancel(joined.transactionId);
    expect((await read(joined.stepIds[0]!)).details).toEqual([
      'Success Digest was merged with other digest',
      'Warning Step was canceled by request',
    ]);
    expect(await read(joined.stepIds[1]!)).toMatchObject({ state: 'canceled' });
    expect(
      (await digests.collect([master.stepIds[0]!], { events: 10, bytes: 1_000 })).get(master.stepIds[0]!)!.count,
    ).toBe(1);
  });

  describe('throttles', () => {
    async function throttle(more = {}) {
      const { claims, environmentId, throttles, workflowId } = fixtures.store;
      const fixture = await fixtures.begin(['throttle', 'sms'], subscriberId);
      const [step] = await claims.claimTimers([fixture.stepIds[0]!]);
      const request = {
        id: fixture.stepIds[0]!,
        fence: step!.fence,
        environmentId,
        workflowId,
        stepKey: 'throttle-0',
        subscriberId,
        windowKey: 'key',
        windowMs: 60_000,
        threshold: 2,
        ...more,
      };
      const { verdicts, queued } = await throttles.decide([request]);
      return { ...fixture, verdicts, queued };
    }

    it('lets the events of a window through up to the threshold and skips the others', async () => {
      const { step: read } = fixtures.store;
      const [first, second, third] = [await throttle(), await throttle(), await throttle()];
      expect([first, second, third].map(({ verdicts }) => verdicts[0])).toMatchObject([
        { throttled: false, events: 1 },
        { throttled: false, events: 2 },
        { throttled: true, events: 3 },
      ]);
      expect(first.queued).toMatchObject([{ id: first.stepIds[1] }]);
      expect((await read(first.stepIds[0]!)).details).toEqual(['Pending Step queued', 'Success Step completed']);
      expect(third.queued).toEqual([]);
      expect(await read(third.stepIds[0]!)).toMatchObject({ state: 'skipped' });
      expect(await read(third.stepIds[1]!)).toMatchObject({
        state: 'skipped',
        details: ['Success Throttle limit exceeded for the given window'],
      });
    });

    it('starts a new window when the time of the first event is over', async () => {
      await throttle();
      await fixtures.store.passTime(40_000);
      await throttle();
      await fixtures.store.passTime(20_000);
      expect((await throttle()).verdicts).toMatchObject([{ throttled: false, events: 1 }]);
    });

    it('does not count a step that was claimed again', async () => {
      expect((await throttle({ fence: 0 })).verdicts).toEqual([]);
      expect((await throttle()).verdicts).toMatchObject([{ events: 1 }]);
    });
  });
}
