import { readAudience, readContexts, subscriptionAdmits, subscriptionVariables } from './audience';

describe('readAudience and readContexts', () => {
  it('reads the named recipients with their profiles, and the topics', () => {
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

  it('excludes the actor from topics but not from the named recipients', () => {
    expect(readAudience({ recipients: [{ subscriberId: 'ann' }], actor: 'ann' }).leftOut).toEqual(['ann']);
    expect(readAudience({ recipients: [{ type: 'Broadcast' }], actor: 'ann' })).toMatchObject({
      broadcast: true,
      individuals: [],
      leftOut: [],
    });
  });

  it('reads the contexts of a trigger by type', () => {
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

describe('subscriptionAdmits', () => {
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

  it('admits a workflow for which the subscription has no preference', () => {
    expect(admits()).toBe(true);
    expect(admits(null)).toBe(true);
    expect(admits({ other: { enabled: false } })).toBe(true);
  });

  it('decides by the condition of the preference, or by its switch without one', () => {
    expect(admits({ w: { enabled: false } })).toBe(false);
    expect(admits({ w: { enabled: true } })).toBe(true);
    expect(admits(about('a'))).toBe(true);
    expect(admits(about('b'))).toBe(false);
  });

  it('admits the event when one of several subscriptions does', () => {
    expect(admits(about('b'), about('a'))).toBe(true);
    expect(admits(about('b'), { w: { enabled: false } })).toBe(false);
  });

  it.each([
    ['subscriber.subscriberId', 'ann'],
    ['actor.subscriberId', 'cleo'],
    ['context.team.id', 'red'],
  ])('lets a condition read %s', (path, value) => {
    expect(admits({ w: { enabled: false, condition: { '==': [{ var: path }, value] } } })).toBe(true);
  });
});
