import { newId } from '@clarion/contracts';
import { LEASE_MS } from '@clarion/persistence';
import type { Fixtures } from './contract-fixtures';

/** Outcomes of steps and their effect on the later steps of a notification. */
export function recordsOutcomes(fixtures: Fixtures): void {
  it('records an outcome once, with its details and messages', async () => {
    const { outcomes, step: read } = fixtures.store;
    const { step } = await fixtures.claimed();
    const messageId = newId();
    const sent = fixtures.outcome(step, {
      messages: [{ id: messageId, channel: 'sms', content: 'Hello', status: 'sent' }],
    });
    expect((await outcomes.record([sent])).held).toEqual(new Set([step.id]));
    expect((await outcomes.record([sent])).held).toEqual(new Set());
    expect(await read(step.id)).toMatchObject({
      state: 'completed',
      details: ['Pending Step queued', 'Success Message sent'],
      messages: [`${messageId} sent`],
    });
  });

  it('replaces a message that is sent again under the same id', async () => {
    const { outcomes, step: read } = fixtures.store;
    const { step } = await fixtures.claimed();
    const messageId = newId();
    const message = { id: messageId, channel: 'sms' as const, content: 'Hello' };
    await outcomes.record([
      fixtures.outcome(step, { state: 'queued', dueInMs: 0, messages: [{ ...message, status: 'error' }] }),
    ]);
    const again = (await fixtures.claimOne(step.id))!;
    await outcomes.record([fixtures.outcome(again, { messages: [{ ...message, status: 'sent' }] })]);
    expect((await read(step.id)).messages).toEqual([`${messageId} sent`]);
  });

  it('refuses the outcome of a worker whose step was claimed again', async () => {
    const { store } = fixtures;
    const { step, stepIds } = await fixtures.claimed('sms');
    await store.passTime(LEASE_MS);
    await fixtures.suspects(stepIds);
    await fixtures.claimOne(step.id, 1);
    const late = fixtures.outcome(step, { then: 'advance' });
    expect(await store.outcomes.record([late])).toEqual({ held: new Set(), queued: [] });
    expect((await store.step(stepIds[0]!)).state).toBe('queued');
    expect((await store.step(stepIds[1]!)).state).toBe('pending');
  });

  it('lets the next steps run beside a step that waits, up to the first that is not named', async () => {
    const { store } = fixtures;
    const { step, stepIds } = await fixtures.claimed('sms', 'sms', 'delay', 'sms');
    const states = async () => (await Promise.all(stepIds.map((id) => store.step(id)))).map(({ state }) => state);
    const retry = fixtures.outcome(step, {
      state: 'queued',
      dueInMs: 10_000,
      releases: ['sms-1', 'sms-2', 'sms-4'],
    });
    const { held, queued } = await store.outcomes.record([retry]);
    expect([held, queued.map(({ id }) => id)]).toEqual([new Set([step.id]), [stepIds[1]]]);
    expect(await states()).toEqual(['queued', 'queued', 'pending', 'pending', 'pending']);
    const second = (await fixtures.claimOne(stepIds[1]!))!;
    expect(second.hasReleased).toBe(false);
    expect((await store.outcomes.record([fixtures.outcome(second, { then: 'advance' })])).queued).toMatchObject([
      { id: stepIds[2] },
    ]);

    // The step ends while a released one is open: the kept steps wait for that one.
    await store.passTime(10_000);
    const again = (await fixtures.claimOne(step.id))!;
    expect(again.hasReleased).toBe(true);
    const end = fixtures.outcome(again, { then: 'advance', hasReleased: true });
    expect((await store.outcomes.record([end])).queued).toEqual([]);
    expect(await states()).toEqual(['completed', 'completed', 'queued', 'pending', 'pending']);
    const third = (await fixtures.claimOne(stepIds[2]!))!;
    expect((await store.outcomes.record([fixtures.outcome(third, { then: 'advance' })])).queued).toMatchObject([
      { id: stepIds[3] },
    ]);
    expect(await states()).toEqual(['completed', 'completed', 'completed', 'queued', 'pending']);
  });

  it('opens the steps that a released one did not take when the step that waited ends', async () => {
    const { store } = fixtures;
    const { step, stepIds } = await fixtures.claimed('sms', 'delay');
    const retry = fixtures.outcome(step, { state: 'queued', dueInMs: 0, releases: ['sms-1'] });
    await store.outcomes.record([retry]);
    const second = (await fixtures.claimOne(stepIds[1]!))!;
    expect((await store.outcomes.record([fixtures.outcome(second, { then: 'advance' })])).queued).toEqual([]);
    const again = (await fixtures.claimOne(step.id))!;
    const end = fixtures.outcome(again, { then: 'advance', hasReleased: true });
    expect((await store.outcomes.record([end])).queued).toMatchObject([{ id: stepIds[2] }]);
  });

  it('lets a step run again at its new due time, with the details of each attempt', async () => {
    const { store } = fixtures;
    const { step } = await fixtures.claimed();
    const retry = fixtures.outcome(step, {
      state: 'queued',
      dueInMs: 10_000,
      details: [{ status: 'Warning', detail: 'Provider was busy' }],
    });
    expect((await store.outcomes.record([retry])).held).toEqual(new Set([step.id]));
    expect((await store.outcomes.record([retry])).held).toEqual(new Set());
    expect(await fixtures.claimOne(step.id)).toBeUndefined();
    await store.passTime(10_000);
    const again = (await fixtures.claimOne(step.id))!;
    expect(again).toMatchObject({ attempt: 2, fence: 2, crashCount: 1 });
    await store.outcomes.record([fixtures.outcome(again)]);
    expect((await store.step(step.id)).details).toEqual([
      'Pending Step queued',
      'Warning Provider was busy',
      'Success Message sent',
    ]);
  });

  it('does not count an attempt when the outcome names the number of attempts', async () => {
    const { store } = fixtures;
    const { step } = await fixtures.claimed();
    const paused = { state: 'queued', dueInMs: 0, attempt: 0, error: { retry: [] } } as const;
    await store.outcomes.record([fixtures.outcome(step, { ...paused, error: { retry: ['a'] } })]);
    expect(await fixtures.claimOne(step.id)).toMatchObject({ attempt: 1, error: { retry: ['a'] } });
  });

  it('records steps that end and steps that run again in one call', async () => {
    const { outcomes, step: read } = fixtures.store;
    const [ends, waits] = [await fixtures.claimed('sms'), await fixtures.claimed('sms')];
    const { held, queued } = await outcomes.record([
      fixtures.outcome(ends.step, { then: 'advance' }),
      fixtures.outcome(waits.step, { state: 'queued', dueInMs: 10_000 }),
    ]);
    expect(held).toEqual(new Set([ends.step.id, waits.step.id]));
    expect(queued.map(({ id }) => id)).toEqual([ends.stepIds[1]]);
    expect((await read(waits.stepIds[0]!)).state).toBe('queued');
    expect((await read(waits.stepIds[1]!)).state).toBe('pending');
  });

  it('queues the next step and announces it, unless it records a waiting time', async () => {
    const { environmentId, outcomes, step: read } = fixtures.store;
    for (const [type, details] of [
      ['sms', ['Pending Step queued']],
      ['throttle', ['Pending Step queued']],
      ['delay', []],
      ['digest', []],
    ] as const) {
      const { step, stepIds } = await fixtures.claimed(type, 'sms');
      const { queued } = await outcomes.record([fixtures.outcome(step, { then: 'advance' })]);
      expect(queued).toEqual([{ id: stepIds[1], type, environmentId, lane: 2 }]);
      expect(await read(stepIds[1]!)).toMatchObject({ state: 'queued', details });
      expect(await read(stepIds[2]!)).toMatchObject({ state: 'pending', details: [] });
    }
  });

  it('queues nothing after the last step', async () => {
    const { step } = await fixtures.claimed();
    const { queued } = await fixtures.store.outcomes.record([fixtures.outcome(step, { then: 'advance' })]);
    expect(queued).toEqual([]);
  });

  it.each([
    ['halt', 'canceled', 'Failed Step was canceled because a previous step failed'],
    ['skip', 'skipped', 'Success Throttle limit exceeded for the given window'],
  ] as const)('ends the later steps of a notification with %s', async (then, state, detail) => {
    const { outcomes, step: read } = fixtures.store;
    const { step, stepIds } = await fixtures.claimed('sms', 'delay');
    await outcomes.record([fixtures.outcome(step, { state: 'failed', then })]);
    for (const id of stepIds.slice(1)) expect(await read(id)).toMatchObject({ state, details: [detail] });
  });

  it('shows the outputs of earlier steps to a later step', async () => {
    const { step, stepIds } = await fixtures.claimed('sms');
    await fixtures.store.outcomes.record([fixtures.outcome(step, { output: { seen: true }, then: 'advance' })]);
    expect(await fixtures.claimOne(stepIds[1]!)).toMatchObject({ outputs: { 'sms-0': { seen: true } } });
  });
}
