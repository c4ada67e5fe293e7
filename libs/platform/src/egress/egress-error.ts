/**
 * What went wrong on the way out, told by what it means for the message:
 * refused      the guard does not let this address through; it will not next time either
 * unreachable  no connection: nothing of the request was written
 * unknown      lost after the request was written: the other side may have acted on it
 * too-large    an answer came and was cut off; `status` tells what it began with
 */
export type EgressFault = 'refused' | 'unreachable' | 'unknown' | 'too-large';

export class EgressError extends Error {
  constructor(
    readonly kind: EgressFault,
    message: string,
    readonly status?: number,
  ) {
    super(message);
    this.name = 'EgressError';
  }
}

/** The answer of a mail server that is no success. Not a fault of the way there, hence a class of its own. */
export class SmtpReplyError extends Error {
  constructor(
    readonly responseCode: number,
    /** The command it answers: AUTH, MAIL FROM, RCPT TO, DATA. */
    readonly command: string,
    message: string,
  ) {
    super(message);
    this.name = 'SmtpReplyError';
  }
}
