import { LIMITS, type ProviderId } from '@clarion/contracts/core';
import type { ClaimedStep, NewMessage } from '@clarion/persistence';
import type { ProviderError, SendSuccess } from '@clarion/providers';
import type { Delivery } from './channel';
import type { Account } from '../accounts/integration-directory';
import { isPassing } from './send-failures';
import {
  type AttemptTimes,
  createdLine,
  expiredLine,
  problemLine,
  retryAfterExpiryLine,
  selectedLine,
  sentLines,
  unavailableLine,
} from './send-lines';
import type { MessageResult, SentLine } from '../pipeline/step-result';

export const MAX_ERROR_CHARACTERS = 2_000;
const EXPIRED_ERROR = 'message_expired';

/** An account that failed for a reason that may pass. */
type AccountFailure = { account: Account; result: ProviderError };

/** One attempt to send one message: collects its lines while accounts are tried, then makes the result of them. */
export class MessageAttempt {
  private readonly lines: SentLine[] = [];
  /** An earlier attempt has recorded the account and the message, unless its process crashed before. */
  private isSelectionRecorded = this.step.integrationId !== null;
  private hasCalled = false;
  /** When the message was created: right before its first call. */
  private createdAt: number | undefined;
  /** When the last call began, if no line says it. */
  private calledAt: number | undefined;
  private lastFailure: (AccountFailure & { line: SentLine }) | undefined;
  private next: { accountId: string; at: number } | undefined;
  private unavailableReason = '';

  readonly accounts: Account[] = startingWith(this.delivery.accounts, this.step.integrationId);

  constructor(
    readonly delivery: Delivery,
    private readonly step: ClaimedStep,
    private readonly errorId: string,
  ) {}

  /** The breaker of the account allows no call. */
  skip(account: Account, until: number, reason: string): void {
    if (!this.next || until < this.next.at) this.next = { accountId: account.id, at: until };
    this.unavailableReason = `The integration "${account.name}" cannot be called: ${reason}`;
    this.add([unavailableLine(account, this.delivery, reason)]);
  }

  /** The provider is about to be called. */
  begin(account: Account): void {
    const now = performance.now();
    this.createdAt ??= now;
    const isSelectedBefore = this.isSelectionRecorded && account === this.accounts[0];
    this.calledAt = isSelectedBefore ? now : undefined;
    if (!isSelectedBefore) this.add([selectedLine(account, this.delivery, this.hasCalled, this.preparedMs())]);
    if (!this.isSelectionRecorded) this.add([createdLine(account, this.delivery)]);
    this.isSelectionRecorded = this.hasCalled = true;
  }

  /** Adds lines about what happens now: until the outcome is recorded, a provider may take its time. */
  add(lines: SentLine[]): void {
    const at = performance.now();
    for (const line of lines) {
      line.at = at;
      this.lines.push(line);
    }
  }

  /** The account failed and the next one is tried. */
  failOver(account: Account, result: ProviderError): void {
    const line = problemLine(false, account, this.delivery, result, this.took());
    this.add([line]);
    if (isPassing(result)) this.lastFailure = { account, result, line };
  }

  /** The last failure that may pass, taken out of the lines: the result of the attempt records it. */
  takeFailure(): AccountFailure | undefined {
    const failure = this.lastFailure;
    if (failure) this.lines.splice(this.lines.indexOf(failure.line), 1);
    return failure;
  }

  sent(account: Account, result: SendSuccess): MessageResult {
    const message = this.message(account, 'sent');
    if (result.id !== undefined) message.providerMessageId = result.id;
    this.add(sentLines(account, this.delivery, result, this.took()));
    return { delivery: this.delivery, verdict: 'sent', account, lines: this.lines, message, counts: true };
  }

  /** The account failed; the message is sent again after `waitMs`. */
  retry(account: Account, result: ProviderError, waitMs: number, counts: boolean): MessageResult {
    const raw = {
      nextTryInMs: Math.round(waitMs),
      try: this.step.attempt,
      of: LIMITS.deliveryAttempts,
      ...this.took(),
    };
    this.add([problemLine(false, account, this.delivery, result, raw)]);
    return {
      delivery: this.delivery,
      verdict: 'retry',
      account,
      error: result.message,
      waitMs,
      counts,
      lines: this.lines,
      message: this.message(account, 'warning', result.message),
    };
  }

  failed(account: Account, result: ProviderError): MessageResult {
    this.add([problemLine(true, account, this.delivery, result, this.took())]);
    return {
      delivery: this.delivery,
      verdict: 'failed',
      account,
      error: result.message,
      counts: true,
      lines: this.lines,
      message: this.message(account, 'error', result.message),
    };
  }

  /** The account failed, and the message would expire before it is sent again. */
  failedForGood(account: Account, result: ProviderError): MessageResult {
    const failed = this.failed(account, result);
    this.add([{ ...retryAfterExpiryLine(this.step), messageId: this.delivery.messageId }]);
    return failed;
  }

  /** The message has expired, or would before an account is available. */
  expired(): MessageResult {
    const line: SentLine = { ...expiredLine(this.step), messageId: this.delivery.messageId };
    const message = this.message(this.accounts[0]!, 'warning', line.detail);
    message.errorId = EXPIRED_ERROR;
    this.add([line]);
    return { delivery: this.delivery, verdict: 'expired', lines: this.lines, message, counts: true };
  }

  availableInMs(now: number): number {
    return this.next!.at - now;
  }

  /** No account was available: the message waits for the first one. The attempt does not count. */
  notTried(waitMs: number): MessageResult {
    return {
      delivery: this.delivery,
      verdict: 'retry',
      lines: this.lines,
      error: this.unavailableReason,
      message: this.message(this.accounts[0]!, 'warning', this.unavailableReason),
      waitMs,
      waitsFor: this.next!.accountId,
      counts: false,
    };
  }

  /** The account is on hold: the next attempt begins with it, and so waits for the hold. This one does not count. */
  waitFor(account: Account, waitMs: number): MessageResult {
    return {
      delivery: this.delivery,
      verdict: 'retry',
      account,
      lines: this.lines,
      message: this.message(account, 'warning', `${account.name} is paused`),
      waitMs,
      counts: false,
    };
  }

  /** The hold of the account that comes first. */
  static holdOf({ accounts }: Delivery, { integrationId }: ClaimedStep): string | null {
    return startingWith(accounts, integrationId)[0]!.pause.holdId;
  }

  /** From the claim to the first call: rendering, and waiting for the account inside the worker. */
  private preparedMs(): number {
    return this.hasCalled ? 0 : Math.round(this.createdAt! - this.step.claimedAt);
  }

  /** The call of a later attempt has no line when it begins, so the line of its result says how long it took. */
  private took(): AttemptTimes | undefined {
    if (this.calledAt === undefined) return undefined;
    const preparedMs = Math.round(this.calledAt - this.step.claimedAt);
    return { preparedMs, providerMs: Math.round(performance.now() - this.calledAt) };
  }

  private message(account: Account, status: NewMessage['status'], errorText?: string): NewMessage {
    const { messageId, row, recipientsFor, textsFor } = this.delivery;
    const providerId = account.providerId as ProviderId;
    const message: NewMessage = { id: messageId, providerId, integrationId: account.id, status, ...row };
    // A row may name the provider that it would be sent through.
    message.providerId = providerId;
    if (textsFor) Object.assign(message, textsFor(account));
    if (this.createdAt !== undefined) message.at = this.createdAt;
    if (recipientsFor) message.recipients = recipientsFor(account);
    // A bounce of the other address is no reason to suppress the one that the message was for.
    if (account.sandbox?.redirectTo !== undefined) message.recipients = [account.sandbox.redirectTo];
    if (errorText !== undefined) {
      message.errorId = this.errorId;
      message.errorText = errorText.slice(0, MAX_ERROR_CHARACTERS);
    }
    return message;
  }
}

/** The account that was called last comes first, so that its failures add up; the accounts before it are not tried. */
function startingWith(accounts: Account[], integrationId: string | null): Account[] {
  const last = accounts.findIndex(({ id }) => id === integrationId);
  return last > 0 ? accounts.slice(last) : accounts;
}
