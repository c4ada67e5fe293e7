/** Built-in names in our spelling and in the one that the `novu` dialect uses (design: one mapping, both ways). */
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

/** Either spelling in, ours out; any other text stays as it is. */
export const toOurName = (name: string): string => OUR_NAMES.get(name) ?? name;
