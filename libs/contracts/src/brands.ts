/** Built-in names in the spelling of the interface and in that of the `novu` dialect. */
const BRANDS: Record<string, string> = {
  platform: 'novu',
  'platform-email': 'novu-email',
  'platform-sms': 'novu-sms',
  'platform-slack': 'novu-slack',
  'platform-cloud': 'novu-cloud',
  'platform-cloud-v1': 'novu-cloud-v1',
};
const OUR_NAMES = new Map(Object.entries(BRANDS).map(([ours, theirs]) => [theirs, ours]));

export const toNovuName = (name: string): string => BRANDS[name] ?? name;

/** Accepts both spellings and returns that of the interface; any other text stays as it is. */
export const toOurName = (name: string): string => OUR_NAMES.get(name) ?? name;
