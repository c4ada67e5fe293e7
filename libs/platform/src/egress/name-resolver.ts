import { promises as dns } from 'node:dns';

/** Every address of a name; rejects when it has none. */
export type ResolveName = (name: string) => Promise<string[]>;

const resolver = new dns.Resolver({ timeout: 1_000, tries: 2 });

/**
 * Asks the name servers directly: the system's resolver runs on the few threads of the process, and one tenant's slow
 * name server would hold up everybody's connections.
 */
export const resolvePublicName: ResolveName = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw answers.find((answer) => answer.status === 'rejected')?.reason ?? new Error(`${name} has no address`);
};

/** For names the operator wrote down: the hosts file and the search domains of the cluster count too. */
export const resolveSystemName: ResolveName = async (name) =>
  (await dns.lookup(name, { all: true })).map(({ address }) => address);
