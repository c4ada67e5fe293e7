const LONGEST = 100;

/** The identifier that a name suggests: small letters and digits, with single hyphens between. */
export const identifierOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-|-$/g, '');
