import { localeChain, normalizedLocale } from './locales';

describe('locales', () => {
  it.each([
    ['de', 'de'],
    ['DE-at', 'de_AT'],
    ['zh-hant-TW', 'zh_Hant_TW'],
    ['es_419', 'es_419'],
    ['', undefined],
    ['english', undefined],
    ['en_', undefined],
    ['../en', undefined],
  ])('reads %s as %s', (text, locale) => {
    expect(normalizedLocale(text)).toBe(locale);
  });

  it('looks for a text in the region, then the script, then the language, then the default', () => {
    expect(localeChain('zh-Hant-TW', 'en_US')).toEqual(['zh_Hant_TW', 'zh_Hant', 'zh', 'en_US', 'en']);
    expect(localeChain('en_US', 'en_US')).toEqual(['en_US', 'en']);
    expect(localeChain(null, 'de')).toEqual(['de']);
    expect(localeChain('nonsense', 'de_AT')).toEqual(['de_AT', 'de']);
  });
});
