import { type EnvironmentId, LIMITS } from '@clarion/contracts/core';
import type { DueCopy, LeasedMirror } from '@clarion/persistence';
import { type EgressRequest, sealMirrorCopy, sealMirrorKey, SecretBox } from '@clarion/platform';
import { callMirror, groupsOf, type MirrorCall } from './mirror-call';

const ENVIRONMENT = '01890000-0000-7000-8000-000000000001' as EnvironmentId;
const secrets = new SecretBox(SecretBox.generateKey());

function copyOf(number: number, more: Partial<DueCopy> = {}): DueCopy {
  const id = `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const transactionId = `t-${number}`;
  const body = sealMirrorCopy(secrets, ENVIRONMENT, id, JSON.stringify({ name: 'welcome', transactionId }));
  const fields = { kind: 'trigger', state: 'waiting', attempt: 0, isCompared: true, isSensitive: false } as const;
  return { id, transactionId, body, ...fields, ...more };
}

const copies = (count: number): DueCopy[] => Array.from({ length: count }, (_, index) => copyOf(index));

describe('callMirror with several copies', () => {
  const calls: EgressRequest[] = [];

  async function send(sent: DueCopy[], answer: { status: number; body: unknown }): Promise<MirrorCall> {
    calls.length = 0;
    const mirror = {
      ...{ id: ENVIRONMENT, environmentId: ENVIRONMENT, leaseId: 'l', url: 'https://other.test/api', settleSeconds: 7 },
      ...{ key: sealMirrorKey(secrets, ENVIRONMENT, 'secret'), failures: 0, figures: {}, differences: 0 },
    } as LeasedMirror;
    const request = async (one: EgressRequest) => {
      calls.push(one);
      return { status: answer.status, headers: {}, body: Buffer.from(JSON.stringify(answer.body)) };
    };
    const steps = { stepsOf: () => Promise.reject(new Error('Nothing is compared here')) };
    return callMirror({ egress: { request }, secrets, steps, random: () => 0.5, now: () => new Date(0) }, mirror, sent);
  }

  it('sends first attempts of triggers together, as many as a call and its size allow', () => {
    const sizes = (list: DueCopy[]): number[] => groupsOf(list).map(({ length }) => length);
    expect(sizes(copies(LIMITS.bulkEvents * 2 + 1))).toEqual([LIMITS.bulkEvents, LIMITS.bulkEvents, 1]);
    const large = { body: 'x'.repeat(100 * 1024) };
    expect(sizes([1, 2, 3, 4, 5].map((number) => copyOf(number, large)))).toEqual([2, 2, 1]);
    const alone: Partial<DueCopy>[] = [
      { attempt: 1 },
      { kind: 'broadcast' },
      { kind: 'cancel', body: null },
      { state: 'settling', body: null },
      { body: 'x'.repeat(1024 * 1024) },
    ];
    const mixed = alone.flatMap((more, index) => [copyOf(index), copyOf(index + 10, more)]);
    expect(groupsOf(mixed).map((group) => group.length)).toEqual([5, 1, 1, 1, 1, 1]);
    expect(groupsOf(mixed).flat()).toHaveLength(mixed.length);
  });

  it('settles each copy, and lists the refusals of single events', async () => {
    const data = [
      { status: 'processed' },
      { status: 'error', error: ['secret words'] },
      { status: 'trigger_not_active', message: 'words' },
    ];
    const sent = [copyOf(0), copyOf(1, { isSensitive: true }), copyOf(2), copyOf(3, { isCompared: false })];
    const call = await send(sent, { status: 201, body: { data: [...data, { status: 'processed' }] } });
    expect(calls[0]).toMatchObject({ method: 'POST', url: 'https://other.test/api/v1/events/trigger/bulk' });
    expect(JSON.parse(String(calls[0]!.body))).toEqual({
      events: sent.map(({ transactionId }) => ({ name: 'welcome', transactionId })),
    });
    expect(call.results.map((result) => result.state)).toEqual(['settling', 'ended', 'ended', 'ended']);
    expect(call.results[0]).toMatchObject({ attempt: 0, dueInMs: 7_000 });
    expect(call.figures).toEqual({ sent: 2, refused: 2, notCompared: 1 });
    expect(call.differences.map(({ transactionId, reason }) => [transactionId, reason])).toEqual([
      ['t-1', 'It answered with the status error: [redacted]'],
      ['t-2', 'It answered with the status trigger_not_active: words'],
    ]);
    const other = await send(copies(3), { status: 201, body: data.slice(0, 2) });
    expect(other.figures).toEqual({ sent: 3 });
  });

  it('ends a cancellation that no URL can name, without a call that would say something about the receiver', async () => {
    for (const transactionId of ['.', '..']) {
      const call = await send([copyOf(0, { kind: 'cancel', body: null, transactionId })], { status: 200, body: {} });
      expect(calls).toEqual([]);
      expect(call).toMatchObject({ isSkipped: true, results: [{ state: 'ended' }], figures: { failed: 1 } });
    }
  });

  it('sends a cancellation again a few times while nothing of its transaction waits at the other system', async () => {
    const cancel = (attempt: number, body: unknown): Promise<MirrorCall> =>
      send([copyOf(0, { kind: 'cancel', body: null, attempt })], { status: 200, body });
    for (const body of [false, { data: false }]) {
      const again = [await cancel(0, body), await cancel(1, body), await cancel(2, body)];
      expect(again.map(({ results }) => results[0])).toMatchObject([
        { state: 'waiting', attempt: 1, dueInMs: 1_000 },
        { state: 'waiting', attempt: 2, dueInMs: 2_000 },
        { state: 'waiting', attempt: 3, dueInMs: 4_000 },
      ]);
      expect(await cancel(3, body)).toMatchObject({ results: [{ state: 'ended' }], figures: { sent: 1 } });
    }
    expect(await cancel(0, { data: true })).toMatchObject({ results: [{ state: 'ended' }], figures: { sent: 1 } });
    const without = copyOf(0, { kind: 'cancel', body: null, isCompared: false });
    const call = await send([without], { status: 200, body: { data: false } });
    expect(call).toMatchObject({ results: [{ state: 'ended' }], figures: { sent: 1 } });
  });

  it('sends each copy alone after a refusal of all, and by the retry plan after a failure', async () => {
    const refused = await send(copies(3), { status: 422, body: { message: 'events.1.to is bad' } });
    expect(refused).toMatchObject({ hasSucceeded: true, figures: {}, differences: [] });
    expect(refused.results).toEqual(copies(3).map(({ id }) => ({ id, state: 'waiting', attempt: 1, dueInMs: 0 })));
    const failed = await send(copies(2), { status: 503, body: {} });
    expect(failed).toMatchObject({ hasSucceeded: false, error: 'The other system answered 503', figures: {} });
    expect(failed.results).toMatchObject([{ attempt: 1, state: 'waiting' }, { attempt: 1 }]);
    expect(failed.results.every((result) => 'dueInMs' in result && result.dueInMs > 1_000)).toBe(true);
    const last = await send([copyOf(1, { attempt: 7 })], { status: 503, body: {} });
    expect(last).toMatchObject({ results: [{ state: 'ended' }], figures: { failed: 1 } });
  });
});
