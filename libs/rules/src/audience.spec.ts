import { readAudience, readContexts, subscriptionAdmits } from './audience';

describe('readAudience', () => {
  it('tells individuals, topics and broadcasts apart', () => {
    const audience = readAudience({
      recipients: [
        { subscriberId: 'ann', email: 'ann@x.test', data: { a: 1 }, channels: [{ providerId: 'slack' }] },
        { type: 'Subscriber', subscriberId: 'bob' },
        { type: 'Topic', topicKey: 'red' },
        { type: 'Topic', topicKey: 'red', exclude: ['cat'] },
        { type: 'Broadcast' },
      ],
      actor: null,
    });
    expect(audience.individuals).toEqual([
      {
        subscriberId: 'ann',
        profile: { email: 'ann@x.test', data: { a: 1 } },
        to: { subscriberId: 'ann', email: 'ann@x.test', data: { a: 1 } },
        channels: [{ providerId: 'slack' }],
      },
      { subscriberId: 'bob', profile: {}, to: { type: 'Subscriber', subscriberId: 'bob' }, channels: [] },
    ]);
    expect(audience.topicKeys).toEqual(['red']);
    expect(audience.broadcast).toBe(true);
    expect(audience.actor).toBeUndefined();
  });

  it('leaves out of topics who is named, excluded, or did it', () => {
    const recipients = [{ subscriberId: 'ann' }, { type: 'Topic', topicKey: 'red', exclude: ['bob'] }];
    expect(readAudience({ recipients, actor: 'cat' }).leftOut).toEqual(['ann', 'bob', 'cat']);
    expect(readAudience({ recipients: [{ subscriberId: 'ann' }], actor: 'ann' }).leftOut).toEqual(['ann']);
  });

  it('does not leave the actor out of a broadcast', () => {
    expect(readAudience({ recipients: [{ type: 'Broadcast' }], actor: 'cat' }).leftOut).toEqual([]);
  });

  it('takes an actor by name or as a subscriber', () => {
    expect(readAudience({ recipients: [], actor: 'cat' }).actor).toMatchObject({ subscriberId: 'cat', profile: {} });
    expect(readAudience({ recipients: [], actor: { subscriberId: 'cat', firstName: 'Cat' } }).actor).toMatchObject({
      profile: { firstName: 'Cat' },
    });
    expect(readAudience({ recipients: [], actor: { firstName: 'Cat' } }).actor).toBeUndefined();
  });
});

describe('readContexts', () => {
  it('takes ids as texts or in objects, and sorts the keys', () => {
    expect(readContexts({ tenant: { id: 'acme', data: { a: 1 } }, app: 'shop' })).toEqual({
      keys: ['app:shop', 'tenant:acme'],
      rows: [
        { type: 'tenant', contextId: 'acme', data: { a: 1 } },
        { type: 'app', contextId: 'shop' },
      ],
    });
    expect(readContexts(null)).toEqual({ keys: [], rows: [] });
  });
});

describe('subscriptionAdmits', () => {
  const now = new Date();
  const admits = (preferences: Parameters<typeof subscriptionAdmits>[0]) =>
    subscriptionAdmits(preferences, 'w', { payload: { kind: 'good' }, subscriber: { firstName: 'Ann' } }, now);
  const on = (name: string, value: string) => ({ w: { enabled: false, condition: { '==': [{ var: name }, value] } } });

  it('asks the switch, or the rule where there is one', () => {
    expect(admits([{ w: { enabled: false } }])).toBe(false);
    expect(admits([{ w: { enabled: true } }])).toBe(true);
    expect(admits([on('payload.kind', 'good')])).toBe(true);
    expect(admits([on('payload.kind', 'bad')])).toBe(false);
    expect(admits([on('subscriber.firstName', 'Ann')])).toBe(true);
    expect(admits([on('subscriber.firstName', 'Bob')])).toBe(false);
  });

  it('admits where nothing is said, or one of several subscriptions does', () => {
    expect(admits([])).toBe(true);
    expect(admits([null])).toBe(true);
    expect(admits([{ other: { enabled: false } }])).toBe(true);
    expect(admits([{ w: { enabled: false } }, null])).toBe(true);
    expect(admits([{ w: { enabled: false } }, { w: { enabled: false } }])).toBe(false);
  });

  it('keeps out where the rule makes no sense', () => {
    expect(admits([{ w: { enabled: true, condition: { nonsense: [] } } }])).toBe(false);
  });
});
