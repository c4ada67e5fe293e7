import { contextKey, contextOfKey, joinContextKeys } from './contexts';

describe('context keys', () => {
  it.each([
    [{ type: 'region', id: 'eu' }, 'region:eu'],
    [{ type: 'a', id: 'b:c' }, 'a:b:c'],
    [{ type: 'a:b', id: 'c' }, 'a%3Ab:c'],
    [{ type: 'a%3Ab', id: '%' }, 'a%253Ab:%'],
    [{ type: ' ', id: '🦊 x/y' }, ' :🦊 x/y'],
  ])('writes %j as %s and reads it again', (context, key) => {
    expect(contextKey(context)).toBe(key);
    expect(contextOfKey(key)).toEqual(context);
  });

  it('joins different lists of keys to different texts', () => {
    const lists = [['a:1', 'b:2'], ['a:1,b:2'], ['a:1\\', 'b:2'], ['a:1\\,b:2']];
    expect(new Set(lists.map(joinContextKeys)).size).toBe(lists.length);
    expect(joinContextKeys(lists[0]!)).toBe('a:1,b:2');
  });
});
