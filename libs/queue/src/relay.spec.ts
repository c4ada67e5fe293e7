import { notifications, type RealtimeEvent } from './relay';

const event = (subscriberId: string, messages: number): RealtimeEvent => ({
  v: 1,
  kind: 'message.created',
  environmentId: 'environment',
  subscriberId,
  messageIds: Array.from({ length: messages }, (_, index) => `${subscriberId}-${String(index).padStart(30, '0')}`),
});

describe('notifications', () => {
  const parsed = (events: RealtimeEvent[]) =>
    notifications(events).map((text) => {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(7_500);
      return JSON.parse(text) as RealtimeEvent[];
    });

  it('puts events that fit together into one text', () => {
    const events = [event('a', 1), event('b', 2), event('c', 0)];
    expect(parsed(events)).toEqual([events]);
  });

  it('spreads many events over as few texts as possible, in order', () => {
    const events = Array.from({ length: 500 }, (_, index) => event(`subscriber-${index}-é`, 1));
    const texts = parsed(events);
    expect(texts.flat()).toEqual(events);
    const bytes = Buffer.byteLength(JSON.stringify(events));
    expect(texts.length).toBeLessThanOrEqual(Math.ceil(bytes / 7_200));
  });

  it('splits an event with very many messages', () => {
    const big = event('a', 1_234);
    const texts = parsed([event('b', 1), big, event('c', 1)]);
    const ofBig = texts.flat().filter(({ subscriberId }) => subscriberId === 'a');
    expect(ofBig.flatMap(({ messageIds }) => messageIds)).toEqual(big.messageIds);
    expect(texts.flat().map(({ subscriberId }) => subscriberId)).toEqual(['b', ...ofBig.map(() => 'a'), 'c']);
  });
});
