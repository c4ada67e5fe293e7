import { oneOf, oneText, parseSearch, reader, someOf, stringifySearch, texts } from './search';

describe('search parameters of an address', () => {
  it('reads back what it has written, lists and special characters too', () => {
    const search = { status: ['failed', 'skipped'], reason: 'a&b=c d/é', payload: 'order.id=42' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });

  it('leaves out what is absent or empty', () => {
    expect(stringifySearch({ a: undefined, b: '', c: null, d: [] })).toBe('');
  });

  it('ignores values that are not known', () => {
    const search = parseSearch('?status=failed&status=other&theme=neon');
    expect(someOf('failed', 'delivered')(search, 'status')).toEqual(['failed']);
    expect(oneOf('light', 'dark')(search, 'theme')).toBeUndefined();
    expect(texts(search, 'status')).toEqual(['failed', 'other']);
    expect(oneText(search, 'status')).toBe('other');
    expect(reader({ status: texts, page: oneText })(search)).toEqual({ status: ['failed', 'other'], page: undefined });
  });
});
