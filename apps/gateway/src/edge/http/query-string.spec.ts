import { parseQueryString } from './query-string';

describe('parseQueryString', () => {
  it.each([
    ['a=1', { a: '1' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a%5B%5D=1&a%5B%5D=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[$ne]=1', { 'a[$ne]': '1' }],
    ['a=%C3%BC&b=', { a: 'ü' }],
    ['a=&a=1&b[]=&c', { a: '1' }],
    ['contextKeys=', { contextKeys: '' }],
    ['', {}],
  ])('parses the query string "%s"', (text, expected) => {
    expect({ ...parseQueryString(text) }).toEqual(expected);
  });

  it('does not let parameter names change the prototype of objects', () => {
    parseQueryString('__proto__=x&__proto__[]=y&constructor=z');
    expect(Object.prototype).not.toHaveProperty('x');
  });
});
