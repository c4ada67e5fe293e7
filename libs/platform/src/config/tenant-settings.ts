type Setting =
  | 'CLARION_SOCKETS_PER_ENVIRONMENT'
  | 'CLARION_SOCKETS_PER_ORGANIZATION'
  | 'CLARION_SOCKETS'
  | 'CLARION_HTTP_CONNECTIONS'
  | 'CLARION_RATE_LIMIT_ORGANIZATION'
  | 'CLARION_RATE_LIMIT_GATEWAY';

type Settings = Record<Setting, number>;

type Chain = { environment?: Setting; organization: Setting; totals: readonly Setting[] };

/** From the share of an environment to the total: no tenant may have everything. */
export const SHARE_SETTINGS: readonly Chain[] = [
  {
    environment: 'CLARION_SOCKETS_PER_ENVIRONMENT',
    organization: 'CLARION_SOCKETS_PER_ORGANIZATION',
    // Connected inboxes count as connections too.
    totals: ['CLARION_SOCKETS', 'CLARION_HTTP_CONNECTIONS'],
  },
  { organization: 'CLARION_RATE_LIMIT_ORGANIZATION', totals: ['CLARION_RATE_LIMIT_GATEWAY'] },
];

/** The part of a lower total that a share gets which is not given. */
const PART = 0.8;

/** Lowers the shares that are not given so that they fit into a lower total: one setting is then enough. */
export function fitShares(config: Settings, given: Partial<Record<string, unknown>>): void {
  for (const { environment, organization, totals } of SHARE_SETTINGS) {
    const isGiven = (name: Setting | undefined): boolean => name === undefined || given[name] !== undefined;
    const total = Math.min(...totals.map((name) => config[name]));
    if (!Number.isInteger(total)) continue;
    if (!isGiven(organization)) {
      const wished = environment && isGiven(environment) ? config[environment] : 1;
      config[organization] = Math.max(1, Math.min(config[organization], Math.floor(PART * total)), wished);
      config[organization] = Math.max(1, Math.min(config[organization], total - 1));
    }
    if (environment && !isGiven(environment)) config[environment] = Math.min(config[environment], config[organization]);
  }
}

/** One sentence for each share that leaves nothing to others, or that its organization does not have. */
export function shareFaults(config: Settings): string[] {
  const text = (name: Setting): string => `${name} (${config[name]})`;
  return SHARE_SETTINGS.flatMap(({ environment, organization, totals }) => {
    const shares = environment ? [environment, organization] : [organization];
    const tooMuch = shares.flatMap((share) =>
      totals
        .filter((total) => config[share] >= config[total])
        .map((total) => `${text(share)} must be less than ${text(total)}: no tenant may use all of it`),
    );
    if (tooMuch.length > 0 || !environment || !(config[environment] > config[organization])) return tooMuch;
    return [`${text(environment)} must not be more than ${text(organization)}`];
  });
}
