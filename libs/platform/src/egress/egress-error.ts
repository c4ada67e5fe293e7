import type { NetworkFault } from '@clarion/contracts/core';

/** A request or mail that got no complete response. */
export class EgressError extends Error {
  constructor(
    readonly kind: NetworkFault,
    message: string,
    readonly status?: number,
  ) {
    super(message);
    this.name = 'EgressError';
  }
}

/** No address was found for a host name. The message is what clients of the interface know from a failed check. */
export class UnknownHostError extends EgressError {
  constructor(readonly host: string) {
    super('unreachable', `Provider gateway can't resolve the host with the given hostname ${host}`);
  }
}

/** A negative reply of a mail server. The connection itself worked, so this is not an `EgressError`. */
export class SmtpReplyError extends Error {
  constructor(
    readonly responseCode: number,
    /** The command that was rejected: AUTH, MAIL FROM, RCPT TO, DATA. */
    readonly command: string,
    message: string,
  ) {
    super(message);
    this.name = 'SmtpReplyError';
  }
}
