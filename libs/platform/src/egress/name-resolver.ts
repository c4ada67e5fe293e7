import { promises as dns } from 'node:dns';

/** Resolves all addresses of a name; rejects when there are none. */
export type ResolveName = (name: string) => Promise<string[]>;

const resolver = new dns.Resolver({ timeout: 1_000, tries: 2 });

/** The system resolver has few threads, so a slow name server of one tenant would delay all. */
export const resolvePublicName: ResolveName = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw answers.find((answer) => answer.status === 'rejected')?.reason ?? new Error(`${name} has no address`);
};

/** For names that the operator listed: also uses the hosts file and the search domains of the cluster. */
export const resolveSystemName: ResolveName = async (name) =>
  (await dns.lookup(name, { all: true })).map(({ address }) => address);
