import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type AddressJudge, type PortUse } from './address-rules';
import { EgressError } from './egress-error';
import { type ResolveName } from './name-resolver';

export type NameResolvers = { public: ResolveName; system: ResolveName };

/**
 * Opens the way for one connection at a time: names are resolved here, addresses that the rules refuse are dropped, and the
 * socket connects to one of those that are left. There is no second look-up that could answer otherwise.
 */
export class ConnectionGuard {
  constructor(
    private readonly rules: AddressJudge,
    private readonly resolvers: NameResolvers,
  ) {}

  /** Literal addresses need no look-up, so no look-up hook ever sees them: they are judged here. */
  checkLiteral(host: string, port: number, use: PortUse): void {
    if (isIP(host) && !this.rules.allows(host, host, port, use)) throw refusedHost(host, port);
  }

  /** For `net.connect` and `tls.connect`. Errors arrive on the socket as they are thrown here. */
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

  /** What the socket says it is connected to. The last word, whatever went on before. */
  checkConnected(socket: Socket, host: string, port: number, use: PortUse): void {
    if (socket.remoteAddress === undefined) throw new EgressError('unreachable', `${host} closed the connection`);
    if (!this.rules.allows(host, socket.remoteAddress, port, use)) throw refusedHost(host, port);
  }

  private async addressesOf(host: string, name: string, port: number, use: PortUse): Promise<string[]> {
    const resolve = this.rules.isListed(host) ? this.resolvers.system : this.resolvers.public;
    const found = await resolve(name).catch(() => {
      throw unknownHost(host);
    });
    const allowed = found.filter((address) => isIP(address) && this.rules.allows(host, address, port, use));
    if (allowed.length === 0) throw refusedHost(host, port);
    // IPv4 first: many hosts of a cluster have no way out over IPv6.
    return allowed.sort((one, other) => isIP(one) - isIP(other));
  }
}

const unknownHost = (host: string): EgressError =>
  new EgressError('unreachable', `Provider gateway can't resolve the host with the given hostname ${host}`);

export const refusedHost = (host: string, port: number): EgressError =>
  new EgressError(
    'refused',
    `The egress guard does not let ${host} on port ${port} through; the operator can, with CLARION_EGRESS_ALLOW`,
  );
