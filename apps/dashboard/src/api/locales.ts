import { type Choice, type Choices, choicesOf } from './choices';

/** Languages and regions that are written often; others can be typed. */
const KNOWN =
  'ar ar_AE ar_EG ar_SA bg bn ca cs cy da de de_AT de_CH de_DE el en en_AU en_CA en_GB en_IE en_IN ' +
  'en_NZ en_US es es_AR es_CL es_CO es_ES es_MX et eu fa fi fil fr fr_BE fr_CA fr_CH fr_FR ga gl he hi ' +
  'hr hu hy id is it it_CH it_IT ja ka kk km ko lt lv mk mn ms nb nl nl_BE nl_NL pl pt pt_BR pt_PT ro ' +
  'ru sk sl sq sr sv sw ta th tr uk ur uz vi zh zh_Hans zh_Hant zh_CN zh_HK zh_TW';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** The name of the language, and of the region if the locale has one. */
function nameOf(locale: string): string {
  try {
    return NAMES.of(locale.replaceAll('_', '-')) ?? '';
  } catch {
    return '';
  }
}

/** The name of the language without the region. */
export const languageOf = (locale: string): string => nameOf(locale.split('_', 1)[0]!);

export const localeChoice = (locale: string): Choice => ({
  value: locale,
  label: [locale, nameOf(locale)].filter(Boolean).join(' · '),
});

export const localeChoices: Choices = choicesOf('locales', () => KNOWN.split(' ').map(localeChoice));

export const timeZoneChoices: Choices = choicesOf('time zones', () =>
  Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
);

const LOCALE = /^[a-z]{2,3}([_-][a-z]{4})?([_-]([a-z]{2}|\d{3}))?$/i;

/** As the gateway writes it: `de-at` is `de_AT`. Undefined if it is not a locale. */
export function writtenLocale(typed: string): string | undefined {
  if (!LOCALE.test(typed.trim())) return undefined;
  const [language = '', ...others] = typed.trim().toLowerCase().split(/[_-]/);
  const partOf = (part: string): string =>
    part.length === 4 ? part.charAt(0).toUpperCase() + part.slice(1) : part.toUpperCase();
  return [language, ...others.map(partOf)].join('_');
}
