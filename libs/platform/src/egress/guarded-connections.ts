import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type AddressPolicy, type PortUse } from './address-rules';
import { EgressError, UnknownHostError } from './egress-error';
import { type ResolveName } from './name-resolver';

export type NameResolvers = { public: ResolveName; system: ResolveName };

/** Resolves, drops blocked addresses and connects to one of the rest. No second lookup can change it. */
export class ConnectionGuard {
  constructor(
    private readonly rules: AddressPolicy,
    private readonly resolvers: NameResolvers,
  ) {}

  /** Checks literal addresses, which no lookup hook ever sees. */
  checkLiteral(host: string, port: number, use: PortUse): void {
    if (isIP(host) && !this.rules.allows(host, host, port, use)) throw refusedHost(host, port);
  }

  /** A lookup function for `net.connect` and `tls.connect`. Its errors are emitted by the socket. */
  lookup(host: string, port: number, use: PortUse): LookupFunction {
    return (name, options, callback) => {
      this.addressesOf(host, name, port, use).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          if (options.all) callback(null, found);
          else callback(null, found[0]!.address, found[0]!.family);
        },
        (error: Error) => callback(error, []),
      );
    };
  }

  /** Checks the address that the socket is really connected to, as a last line of defence. */
  checkConnected(socket: Socket, host: string, port: number, use: PortUse): void {
    if (socket.remoteAddress === undefined) throw new EgressError('unreachable', `${host} closed the connection`);
    if (!this.rules.allows(host, socket.remoteAddress, port, use)) throw refusedHost(host, port);
  }

  private async addressesOf(host: string, name: string, port: number, use: PortUse): Promise<string[]> {
    const resolve = this.rules.isListed(host) ? this.resolvers.system : this.resolvers.public;
    const found = await resolve(name).catch(() => {
      throw new UnknownHostError(host);
    });
    const allowed = found.filter((address) => isIP(address) && this.rules.allows(host, address, port, use));
    if (allowed.length === 0) throw refusedHost(host, port);
    // IPv4 first: many hosts in a cluster have no route over IPv6.
    return allowed.sort((one, other) => isIP(one) - isIP(other));
  }
}

const refusedHost = (host: string, port: number): EgressError =>
  new EgressError(
    'refused',
    `The egress guard blocks ${host} on port ${port}; the operator can allow it with CLARION_EGRESS_ALLOW`,
  );
