import { readAudience, readContexts, subscriptionAdmits, subscriptionVariables } from './audience';

describe('an audience', () => {
  it('is who is named, with what is said about them, and the topics', () => {
    const channel = { providerId: 'slack', credentials: 'sealed' };
    const audience = readAudience({
      recipients: [
        { subscriberId: 'ann', firstName: 'Ann', email: null, channels: [channel], other: 1 },
        { type: 'Topic', topicKey: 'news', exclude: ['ben'] },
        { type: 'Topic', topicKey: 'news' },
        { type: 'Topic', topicKey: 'sport' },
      ],
      actor: { subscriberId: 'cleo', lastName: 'C' },
    });
    expect(audience).toEqual({
      individuals: [
        {
          subscriberId: 'ann',
          profile: { firstName: 'Ann', email: null },
          to: { subscriberId: 'ann', firstName: 'Ann', email: null, other: 1 },
          channels: [channel],
        },
      ],
      topicKeys: ['news', 'sport'],
      broadcast: false,
      actor: expect.objectContaining({ subscriberId: 'cleo', profile: { lastName: 'C' } }),
      leftOut: ['ann', 'ben', 'cleo'],
    });
  });

  it('leaves the actor out of topics only', () => {
    expect(readAudience({ recipients: [{ subscriberId: 'ann' }], actor: 'ann' }).leftOut).toEqual(['ann']);
    expect(readAudience({ recipients: [{ type: 'Broadcast' }], actor: 'ann' })).toMatchObject({
      broadcast: true,
      individuals: [],
      leftOut: [],
    });
  });

  it('has contexts by type', () => {
    expect(readContexts({ team: { id: 'red', data: { a: 1 } }, region: 'eu' })).toEqual({
      keys: ['region:eu', 'team:red'],
      rows: [
        { type: 'team', contextId: 'red', data: { a: 1 } },
        { type: 'region', contextId: 'eu' },
      ],
    });
    expect(readContexts(null)).toEqual({ keys: [], rows: [] });
  });
});

describe('a subscription', () => {
  const now = new Date();
  const about = (kind: string) => ({
    w: { enabled: false, condition: { '==': [{ var: 'payload.kind' }, kind] } },
  });
  const variables = subscriptionVariables(
    { payload: { kind: 'a' }, context: { team: 'red' } },
    { subscriberId: 'cleo' },
    { subscriberId: 'ann' },
  );
  const admits = (...preferences: Parameters<typeof subscriptionAdmits>[0]) =>
    subscriptionAdmits(preferences, 'w', variables, now);

  it('lets through what it says nothing about', () => {
    expect(admits()).toBe(true);
    expect(admits(null)).toBe(true);
    expect(admits({ other: { enabled: false } })).toBe(true);
  });

  it('decides by its switch, or by its rule where it has one', () => {
    expect(admits({ w: { enabled: false } })).toBe(false);
    expect(admits({ w: { enabled: true } })).toBe(true);
    expect(admits(about('a'))).toBe(true);
    expect(admits(about('b'))).toBe(false);
  });

  it('is enough when it is one of several', () => {
    expect(admits(about('b'), about('a'))).toBe(true);
    expect(admits(about('b'), { w: { enabled: false } })).toBe(false);
  });

  it.each([
    ['subscriber.subscriberId', 'ann'],
    ['actor.subscriberId', 'cleo'],
    ['context.team.id', 'red'],
  ])('sees %s', (path, value) => {
    expect(admits({ w: { enabled: false, condition: { '==': [{ var: path }, value] } } })).toBe(true);
  });
});
