import { contains, tellingPart } from './substrings';

describe('contains', () => {
  it.each([
    ['ada.lovelace', 'ada.lovelace'],
    ['ada.lovelace@example.com', 'ada.lovelace@'],
    ['user12345', 'er12345'],
    ['user12345@example.com', 'er12345@'],
    ['+12025550123', '25550123'],
    ['order-77', 'order-77'],
    ['@example.com', '@example.com'],
    ['a@example.com', 'a@example.com'],
    ['12345', '12345'],
    ['', ''],
  ])('asks the index for what tells %p from others: %p', (text, part) => {
    expect(tellingPart(text)).toBe(part);
    expect(text).toContain(part);
  });

  it('compares the whole text too', () => {
    const parameters: unknown[] = ['environment'];
    expect(contains('t.email', 'user_12345', parameters)).toBe(`t.email LIKE $3 AND (t.email || '') LIKE $2`);
    expect(parameters).toEqual(['environment', '%user\\_12345%', '%r\\_12345%']);
  });

  it('makes one condition when the whole text is selective', () => {
    const parameters: unknown[] = [];
    expect(contains('t.key', 'a%b', parameters, 'ILIKE')).toBe('t.key ILIKE $1');
    expect(parameters).toEqual(['%a\\%b%']);
  });
});
