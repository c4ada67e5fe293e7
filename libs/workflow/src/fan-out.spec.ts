import { CRASHES_ALLOWED } from '@clarion/persistence';
import { until } from '@clarion/testing/memory-store';
import { before, connectionLost, never, Stage } from '../test/stage';

const NEWS = { type: 'Topic', topicKey: 'news' };
const MEMBERS = ['s1', 's2', 's3', 's4', 's5'];

describe('FanOut', () => {
  let stage: Stage;

  /** The store reads two members for each page. */
  beforeEach(() => {
    const inTopic = (topicKey: string, ids: string[]) => ids.map((subscriberId) => ({ topicKey, subscriberId }));
    stage = new Stage([...MEMBERS, 's6'], [...inTopic('news', MEMBERS), ...inTopic('sport', ['s1', 's6'])]);
    stage.workflow([{ type: 'sms' }, { type: 'sms' }]);
  });
  afterEach(() => expect(stage.witness.problems).toEqual([]));

  it('offers the first step of each named recipient and ends the trigger', async () => {
    const id = stage.accept({ recipients: [{ subscriberId: 's1' }, { subscriberId: 'new' }] });
    const steps = await stage.fanOut(stage.engine(), id);
    expect(stage.reached(id)).toEqual(['new', 's1']);
    expect(stage.trigger(id).state).toBe('done');
    const first = steps.filter(({ position }) => position === 0);
    expect(stage.offered.toSorted()).toEqual(first.map((step) => step.id).toSorted());
    expect(steps.map(({ state }) => state)).toEqual(['queued', 'pending', 'queued', 'pending']);
  });

  it('runs first steps of the engine itself instead of offering them', async () => {
    stage.workflow([{ type: 'delay', controls: { type: 'regular', amount: 1, unit: 'minutes' } }]);
    const [step] = await stage.fanOut(stage.engine(), stage.accept({ recipients: [{ subscriberId: 's1' }] }));
    expect(step!.state).toBe('delayed');
    expect(stage.offered).toEqual([]);
  });

  it('writes a topic in pages, each of them with the cursor behind it', async () => {
    const id = stage.accept({ recipients: [NEWS] });
    const written: [after: string | undefined, reached: number][] = [];
    const engine = stage.engine(async (what, effect) => {
      const result = effect();
      if (what === 'commit') written.push([stage.trigger(id).cursor?.after, stage.reached(id).length]);
      return result;
    });
    await stage.fanOut(engine, id);
    expect(written.slice(1)).toEqual([
      ['s2', 2],
      ['s4', 4],
      [undefined, 5],
    ]);
    expect(stage.trigger(id).state).toBe('done');
  });

  it('gives a recipient one notification who is named and a member of several topics', async () => {
    const id = stage.accept({ recipients: [{ subscriberId: 's2' }, NEWS, { type: 'Topic', topicKey: 'sport' }] });
    await stage.fanOut(stage.engine(), id);
    expect(stage.reached(id)).toEqual([...MEMBERS, 's6']);
  });

  it('leaves the actor and excluded members out of a topic', async () => {
    const id = stage.accept({ recipients: [{ ...NEWS, exclude: ['s4'] }], actor: 's1' });
    await stage.fanOut(stage.engine(), id);
    expect(stage.reached(id)).toEqual(['s2', 's3', 's5']);
  });

  it('reaches an actor who is named, and every subscriber with a broadcast', async () => {
    const named = stage.accept({ recipients: [{ subscriberId: 's1' }], actor: 's1' });
    const broadcast = stage.accept({ recipients: [{ type: 'Broadcast' }], actor: 's1' });
    await stage.fanOut(stage.engine(), named, broadcast);
    expect(stage.reached(named)).toEqual(['s1']);
    expect(stage.reached(broadcast)).toEqual([...MEMBERS, 's6']);
  });

  it.each(['before', 'after'])(
    'goes on after a crash %s a page was written, without loss or repetition',
    async (when) => {
      const id = stage.accept({ recipients: [{ subscriberId: 's6' }, NEWS] });
      let commits = 0;
      let hasCrashed = false;
      const crashing = stage.engine(async (what, effect) => {
        if (what === 'commit') commits += 1;
        if (commits < 3) return effect();
        if (what === 'commit' && when === 'after') effect();
        hasCrashed = true;
        return never();
      });
      await crashing.fanOut.run([id]);
      await until(() => hasCrashed);
      expect(stage.reached(id)).toHaveLength(when === 'before' ? 3 : 5);
      stage.endLeases();
      await stage.resume(stage.engine(), id);
      expect(stage.reached(id)).toEqual([...MEMBERS, 's6']);
      expect(stage.trigger(id)).toMatchObject({ state: 'done', crashCount: 0 });
    },
  );

  it('leaves the pages after the current one to the next engine when it stops', async () => {
    const id = stage.accept({ recipients: [NEWS] });
    let stopped: Promise<void> | undefined;
    const stopping = stage.engine(before('topicMembers', () => void (stopped ??= stopping.fanOut.stop())));
    await stopping.fanOut.run([id]);
    await stopping.fanOut.settled();
    await stopped;
    expect(stage.reached(id)).toEqual(['s1', 's2']);
    expect(stage.trigger(id)).toMatchObject({ state: 'running', crashCount: 0 });
    await stage.fanOut(stage.engine(), id);
    expect(stage.reached(id)).toEqual(MEMBERS);
  });

  it('writes no page of a trigger after it was canceled', async () => {
    const early = stage.accept({ recipients: [{ subscriberId: 's1' }] });
    await stage.fanOut(stage.engine(before('commit', () => stage.cancel(early))), early);
    expect(stage.reached(early)).toEqual([]);
    expect(stage.offered).toEqual([]);
    const late = stage.accept({ recipients: [NEWS] });
    let pages = 0;
    const engine = stage.engine(before('topicMembers', () => (pages += 1) === 2 && stage.cancel(late)));
    await stage.fanOut(engine, late);
    expect(stage.reached(late)).toEqual(['s1', 's2']);
    expect([pages, stage.trigger(late).state]).toEqual([2, 'canceled']);
  });

  it('offers nothing twice when two engines claim a trigger at the same time', async () => {
    stage.letClaimsRace();
    const id = stage.accept({ recipients: [{ subscriberId: 's1' }] });
    await Promise.all([stage.fanOut(stage.engine(), id), stage.fanOut(stage.engine(), id)]);
    expect(stage.reached(id)).toEqual(['s1']);
    expect(stage.offered).toHaveLength(1);
  });

  it.each([
    ['counts no crash when the connection to the database is lost', connectionLost(), 0],
    ['counts a crash of a walk that fails for another reason', new Error('fault'), 1],
  ])('%s', async (_, error, crashCount) => {
    const id = stage.accept({ recipients: [NEWS] });
    let pages = 0;
    const engine = stage.engine(before('topicMembers', () => ((pages += 1) === 2 ? Promise.reject(error) : undefined)));
    await stage.fanOut(engine, id);
    expect(stage.trigger(id)).toMatchObject({ state: 'running', crashCount, cursor: { after: 's2' } });
    await stage.resume(stage.engine(), id);
    expect(stage.reached(id)).toEqual(MEMBERS);
  });

  it('fails a trigger that has crashed its engines too often, without a notification', async () => {
    const id = stage.accept({ recipients: [{ subscriberId: 's1' }] });
    stage.trigger(id).crashCount = CRASHES_ALLOWED;
    await stage.resume(stage.engine(), id);
    expect(stage.trigger(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('crashed') });
    expect(stage.reached(id)).toEqual([]);
  });
});
