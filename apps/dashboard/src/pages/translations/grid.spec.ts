import { filtered, groupsOf, localesOf, missingIn, sentInstead, withText } from './grid';

const at = { createdAt: '', updatedAt: '' };
const welcome = { resourceType: 'workflow', resourceId: 'welcome', resourceName: 'Welcome', ...at } as const;
const TEXTS = [
  { ...welcome, locale: 'de', content: { subject: 'Hallo', cart: { title: 'Korb' } } },
  { ...welcome, locale: 'en_US', content: { subject: 'Hello', body: 'Text' } },
  { ...welcome, resourceId: 'bye', resourceName: 'Bye', locale: 'en_US', content: { end: 'Bye' } },
];
const groups = groupsOf(TEXTS, 'en_US');
const locales = localesOf(TEXTS, 'en_US', ['de_AT']);

describe('the grid of translations', () => {
  it('has the keys of the default locale first, and nested ones with dots', () => {
    expect(groups.map(({ name, rows }) => [name, rows.map(({ key }) => key)])).toEqual([
      ['Bye', ['end']],
      ['Welcome', ['subject', 'body', 'cart.title']],
    ]);
    expect(locales).toEqual(['en_US', 'de', 'de_AT']);
  });

  it('says what is sent instead of a missing text', () => {
    const [subject, body, title] = groups[1]!.rows;
    expect([
      sentInstead(subject!, 'de_AT', 'en_US'),
      sentInstead(body!, 'de_AT', 'en_US'),
      sentInstead(title!, 'en_US', 'en_US'),
    ]).toEqual(['de', 'en_US', undefined]);
    expect(locales.map((locale) => missingIn(groups, locale))).toEqual([1, 2, 4]);
  });

  it('filters by text, by workflow and by what is missing', () => {
    const keys = (shown: object) =>
      filtered(groups, ['en_US', 'de'], { query: '', isMissingOnly: false, resource: '', ...shown }).flatMap(
        ({ rows }) => rows.map(({ key }) => key),
      );
    expect(keys({ query: 'KORB' })).toEqual(['cart.title']);
    expect(keys({ resource: 'workflow bye' })).toEqual(['end']);
    expect(keys({ isMissingOnly: true })).toEqual(['end', 'body', 'cart.title']);
  });

  it.each([
    [{}, 'a', 'x', { a: 'x' }],
    [{ a: { b: '1', c: '2' } }, 'a.b', 'x', { a: { b: 'x', c: '2' } }],
    [{ 'a.b': '1' }, 'a.b', 'x', { 'a.b': 'x' }],
    [{}, 'a.b', 'x', { a: { b: 'x' } }],
    [{ a: 'text' }, 'a.b', 'x', { a: 'text', 'a.b': 'x' }],
    [{ a: { b: '1' }, c: '2' }, 'a.b', undefined, { c: '2' }],
  ])('writes into %j the key %s as %j', (content, key, text, expected) => {
    expect(withText(content, key, text)).toEqual(expected);
  });
});
