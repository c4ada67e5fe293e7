import { LIMITS } from '@clarion/contracts/core';
import { readSteps, type StepsAnswer } from './other-system';

describe('readSteps', () => {
  const read = (page: unknown): Promise<StepsAnswer> => {
    const request = async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(page)) });
    return readSteps({ egress: { request }, url: 'https://other.test', key: 'k', now: () => new Date(0) }, 't', 20);
  };
  const notification = {
    _id: 'n',
    subscriber: { subscriberId: 'ada' },
    jobs: [{ type: 'email', status: 'completed' }],
  };

  it('returns the steps of a page', async () => {
    expect(await read({ data: [notification], hasMore: false })).toEqual({
      kind: 'read',
      steps: [{ notificationId: 'n', subscriberId: 'ada', channel: 'email', status: 'completed', detail: null }],
    });
  });

  it.each([
    ['more notifications than it asked for', { data: Array.from({ length: 21 }, () => notification) }],
    [
      'more values than a body of this service may have',
      { data: [notification], more: Array(LIMITS.jsonValues).fill(0) },
    ],
  ])('does not read an answer with %s', async (_, page) => {
    expect(await read(page)).toEqual({ kind: 'unreadable' });
  });
});
