import type { TraceContext } from '@clarion/contracts/core';
import type { ClaimedStep } from '@clarion/persistence';
import type { ProviderError, SendResult } from '@clarion/providers';
import type { Metrics } from '@clarion/platform';
import type { ChannelStrategy, Delivery } from './channel';
import { concludeStep, progressOf, resolveDoubt } from './conclude-step';
import { DeadTokenRemoval } from './dead-token-removal';
import type { Account } from './integration-directory';
import type { Lanes } from './lanes';
import { MessageAttempt } from './message-attempt';
import type { DeadTokens, DeliveryLog } from './ports';
import { waitAfter } from './retry-plan';
import { failsOver, isPassing } from './send-failures';
import { isExpired, leftMs } from './step-age';
import type { MessageResult, StepResult } from './step-result';

/**
 * The least time before a message is sent again, also when the provider asks for less or its breaker is about to close.
 */
const MIN_WAIT_MS = 1_000;
/**
 * A wait that the provider asked for is longer by up to this share, so that the messages do not all come back at once.
 */
const JITTER = 0.2;

/** The message expired while it waited for its call. */
const EXPIRED = Symbol('expired');

export type SenderParts = {
  lanes: Lanes;
  tokens: DeadTokens;
  random(): number;
  now(): number;
  metrics: Pick<Metrics, 'providerCall' | 'providerFailure'>;
  log: DeliveryLog;
};

/** Asked before a provider is called for a step. The call is not made when the answer is false. */
export type SendPermission = {
  /** Writes to the database that calls may follow: after a crash the next holder knows that the step is in doubt. */
  mark(): Promise<boolean>;
  /** Right before each call. */
  begin(): boolean;
  /** Whether no provider was called for the step yet. */
  canWait(): boolean;
};

/** The messages of one step, ready to be sent. */
export type SendRequest = {
  step: ClaimedStep;
  deliveries: Delivery[];
  strategy: ChannelStrategy;
  permission: SendPermission;
  /** The trace that the provider calls belong to. */
  trace?: TraceContext;
};

/** Sends the messages of a step through provider accounts, with retries, failover and circuit breakers. */
export class Sender {
  private readonly deadTokens: DeadTokenRemoval;

  constructor(private readonly parts: SenderParts) {
    this.deadTokens = new DeadTokenRemoval(parts.tokens, parts.log, parts.now);
  }

  /** False when the lane of an account is full; the step has to come back later, unless it goes first. */
  hasCapacity(step: ClaimedStep, deliveries: Delivery[]): boolean {
    if (goesFirst(step)) return true;
    return deliveries.every(({ accounts }) => !this.parts.lanes.isFull(accounts[0]!.id));
  }

  /** Undefined when permission was refused: another worker has the step, or this worker is stopping. */
  async send(request: SendRequest): Promise<StepResult | undefined> {
    const { step, deliveries, strategy } = request;
    const doubt = step.inDoubt ? resolveDoubt(step, deliveries) : undefined;
    if (doubt && 'held' in doubt) return doubt.held;
    const progress = progressOf(step);
    const wanted = progress ? deliveries.filter(({ messageId }) => progress.retry.includes(messageId)) : deliveries;
    const results =
      wanted.length === 1
        ? [await this.sendOne(request, wanted[0]!)]
        : await Promise.all(wanted.map((delivery) => this.sendOne(request, delivery)));
    if (results.includes(undefined)) return undefined;
    const result = concludeStep(step, strategy, results as MessageResult[], progress?.sent ?? 0);
    return doubt ? { ...result, lines: [doubt.line, ...result.lines] } : result;
  }

  /** Tries the accounts in order until one accepts the message, or its failure cannot be helped by the next account. */
  private async sendOne(request: SendRequest, delivery: Delivery): Promise<MessageResult | undefined> {
    const { step, strategy } = request;
    const attempt = new MessageAttempt(delivery, step, strategy.errorId);
    const { accounts } = attempt;
    for (const account of accounts) {
      // A pause keeps messages waiting: they do not go on to the next account either.
      if (isExpired(step)) return attempt.expired();
      if (account.pause.holdId !== null) return attempt.waitFor(account, MIN_WAIT_MS);
      const answer = account.breaker.enter();
      if (!answer.allowed) {
        attempt.skip(account, answer.until, answer.reason);
        continue;
      }
      const result = await this.callWithPermit(request, attempt, account);
      if (result === EXPIRED) return attempt.expired();
      if (!result) return undefined;
      this.updateBreaker(delivery, account, result);
      this.deadTokens.count(delivery, account, result);
      if (result.ok) return attempt.sent(account, result);
      attempt.add(await this.deadTokens.removeDeadToken(delivery, account, result));
      const isLast = account === accounts.at(-1);
      if (isLast || !failsOver(result, step, account)) return this.retryOrFail(step, attempt, account, result);
      attempt.failOver(account, result);
    }
    const failure = attempt.takeFailure();
    if (failure) return this.retryOrFail(step, attempt, failure.account, failure.result);
    const later = attempt.notTried(this.parts.now(), MIN_WAIT_MS);
    return later.waitMs! < leftMs(step) ? later : attempt.expired();
  }

  /**
   * Waits for a permit of the account's lane, marks the step and calls the provider; undefined when permission was
   * refused. Steps are marked before they wait for the call, so that many marks share one statement. A crash then
   * leaves a few more steps in doubt than were really called. Where doubt means that a message is held, the mark comes
   * right before the call.
   */
  private async callWithPermit(
    { step, deliveries, strategy, permission, trace }: SendRequest,
    attempt: MessageAttempt,
    account: Account,
  ): Promise<SendResult | typeof EXPIRED | undefined> {
    const { lanes, metrics } = this.parts;
    const { delivery } = attempt;
    const marksLate = account.configurations.inDoubt === 'hold';
    let result: SendResult | undefined;
    const permit = { perCall: account.perCall, goesFirst: goesFirst(step) };
    const unstage = await lanes.stage(account.id, permit);
    try {
      if (account.pause.holdId !== null && deliveries.length === 1 && permission.canWait()) return undefined;
      if (!marksLate && !(await permission.mark())) return undefined;
      const leave = await lanes.enter(account.id, permit);
      try {
        if (marksLate && !(await permission.mark())) return undefined;
        if (isExpired(step)) return EXPIRED;
        if (!permission.begin()) return undefined;
        attempt.begin(account);
        const begin = performance.now();
        result = await delivery.send(account, trace);
        metrics.providerCall(strategy.channel, account.providerId, (performance.now() - begin) / 1_000);
        if (!result.ok) metrics.providerFailure(strategy.channel, account.providerId, result.kind, step.environmentId);
        return result;
      } finally {
        leave();
      }
    } finally {
      unstage();
      if (!result) account.breaker.abandon();
    }
  }

  /** Only failures that may pass count. A subscriber's address that does not answer is not a failure of the account. */
  private updateBreaker(delivery: Delivery, account: Account, result: SendResult): void {
    const failed = !result.ok && isPassing(result) && !delivery.ownAddress;
    account.breaker.leave(failed, result.ok ? undefined : result.message);
  }

  /** Retries by the plan, or after the time that the provider asked for, which does not count as an attempt. */
  private retryOrFail(
    step: ClaimedStep,
    attempt: MessageAttempt,
    account: Account,
    result: ProviderError,
  ): MessageResult {
    const { random } = this.parts;
    const askedMs = isPassing(result) ? result.retryAfterMs : undefined;
    const waitMs =
      askedMs === undefined
        ? waitAfter(step.attempt, random)
        : Math.max(MIN_WAIT_MS, askedMs) * (1 + JITTER * random());
    if (askedMs !== undefined && !attempt.delivery.ownAddress) account.breaker.pause(askedMs, result.message);
    if (!isPassing(result) || waitMs === undefined) return attempt.failed(account, result);
    if (waitMs >= leftMs(step)) return attempt.failedForGood(account, result);
    return attempt.retry(account, result, waitMs, askedMs === undefined);
  }
}

/**
 * A step whose last holder crashed has waited for the end of a lease, so it does not wait behind a backlog as well. Few
 * such steps run at a time.
 */
const goesFirst = ({ crashCount }: ClaimedStep): boolean => crashCount > 1;
