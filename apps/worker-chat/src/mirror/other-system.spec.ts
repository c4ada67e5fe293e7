import { FairTurns } from '@clarion/claims';
import { LIMITS } from '@clarion/contracts/core';
import { EgressError, type EgressRequest } from '@clarion/platform';
import { compareSteps } from './compare';
import { readSteps, type StepsAnswer } from './other-system';

const STEPS = LIMITS.mirrorRecipients * LIMITS.stepsPerWorkflow;

describe('readSteps', () => {
  let calls: EgressRequest[] = [];

  const read = (page: unknown, more: { large?: FairTurns } = {}): Promise<StepsAnswer> => {
    calls = [];
    const body = Buffer.from(JSON.stringify(page));
    const request = async (call: EgressRequest) => {
      calls.push(call);
      if (body.length > (call.bodyBytes ?? 64 * 1024)) throw new EgressError('too-large', 'The answer is too large');
      return { status: 200, headers: {}, body };
    };
    const system = { egress: { request }, url: 'https://other.test', key: 'k', now: () => new Date(0) };
    return readSteps({ ...system, large: more.large ?? new FairTurns(1) }, 't', LIMITS.mirrorRecipients + 1);
  };
  const notification = {
    _id: 'n',
    subscriber: { subscriberId: 'ada' },
    jobs: [{ type: 'email', status: 'completed' }],
  };

  it('returns the steps of a page', async () => {
    expect(await read({ data: [notification], hasMore: false })).toEqual({
      kind: 'read',
      steps: [{ subscriberId: 'ada', channel: 'email', status: 'completed', detail: null }],
    });
  });

  it.each([
    ['more notifications than it asked for', { data: Array.from({ length: 21 }, () => notification) }],
    [
      'more values than a body of this service may have',
      { data: [notification], more: Array(LIMITS.jsonValues).fill(0) },
    ],
    [
      'more steps than its notifications may have',
      { data: [{ ...notification, jobs: Array(STEPS).fill(notification.jobs[0]) }], hasMore: true },
    ],
  ])('does not read an answer with %s', async (_, page) => {
    expect(await read(page)).toEqual({ kind: 'unreadable' });
  });

  it('asks again for a page that is large, when no other large page of the mirror is read', async () => {
    const large = new FairTurns(1);
    let finish = (): void => undefined;
    const other = large.run('', 0, () => new Promise<void>((resolve) => (finish = resolve)));
    const reading = read({ data: [notification], more: 'x'.repeat(70_000) }, { large });
    // Enough turns of the event loop for the second call, if it were made.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(1);
    finish();
    await other;
    expect(await reading).toMatchObject({ kind: 'read', steps: [{ subscriberId: 'ada' }] });
    expect(calls.map(({ bodyBytes }) => bodyBytes)).toEqual([undefined, 2 * 1024 * 1024]);
    expect(await read({ data: [notification], more: 'x'.repeat(3 * 1024 * 1024) })).toEqual({ kind: 'unreadable' });
  });

  it('reads members of the wrong type as absent, and does not write lists as texts', async () => {
    // A list that is written as a text for each job takes the time and the memory of all of them.
    let written = 0;
    const toString = Array.prototype.toString;
    const page = {
      data: [
        {
          _id: ['a', 'b'],
          subscriber: { subscriberId: 'ada' },
          jobs: [
            { type: 'email', status: ['completed'] },
            { type: ['email'], status: 'completed' },
            { type: 'email', status: 'constructor', executionDetails: [{ detail: 5 }, { detail: ['x'] }] },
            { type: { toString: 1 }, status: { toString: 1 } },
            { type: 'constructor', status: 'completed' },
          ],
        },
      ],
    };
    jest.spyOn(Array.prototype, 'toString').mockImplementation(function (this: unknown[]) {
      written += 1;
      return toString.call(this);
    });
    const answer = await read(page).finally(() => jest.restoreAllMocks());
    expect(written).toBe(0);
    const steps = ['', 'constructor'].map((status) => ({
      subscriberId: 'ada',
      channel: 'email',
      status,
      detail: null,
    }));
    expect(answer).toEqual({ kind: 'read', steps });
    expect(compareSteps([], steps).differences).toMatchObject([{ kind: 'extra', other: 'open, open' }]);
  });
});
