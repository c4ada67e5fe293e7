import { type LimitWait, placeOf, PRIMARY_CHANNELS, type TraceContext } from '@clarion/contracts/core';
import { ACCOUNT_WAIT_MS, type ClaimedStep } from '@clarion/persistence';
import type { ProviderError, SendResult } from '@clarion/providers';
import type { Metrics } from '@clarion/platform';
import type { ChannelStrategy, Delivery, ReadyStep } from './channel';
import { concludeStep, progressOf, resolveDoubt } from '../pipeline/conclude-step';
import { DeadTokenRemoval } from './dead-token-removal';
import { happened } from '../pipeline/happened';
import { POSTPONE_MS } from '../pipeline/held-steps';
import type { Account } from '../accounts/integration-directory';
import { MOST_REJECTIONS } from '../accounts/circuit-breaker';
import type { CallPermits } from '../accounts/call-permits';
import { MessageAttempt } from './message-attempt';
import type { DeadTokens, DeliveryLog } from '../ports';
import { waitAfter } from './retry-plan';
import { failsOver, isPassing, rejectsAccount } from './send-failures';
import { rateLimitLine } from './send-lines';
import type { SendRates } from '../accounts/send-rates';
import { isExpired, leftMs } from '../pipeline/step-age';
import type { MessageResult, StepResult } from '../pipeline/step-result';

/** After this time a step asks again for a place before its account, because the account may be faster by then. */
const LONGEST_POSTPONE_MS = 10_000;

/** The least time before a message is sent again, also when the provider asks for less. */
const MIN_WAIT_MS = 1_000;
/** Longer than the sweeper takes to release another message that waits for the account. */
const BEHIND_OTHERS_MS = 5_000;
/** A wait that the provider asked for is longer by up to this share, so that messages do not all return at once. */
const JITTER = 0.2;

/** Seconds of the limit that may wait in the worker; a few messages may wait for longer than more of them. */
const WAITING_SECONDS = 2;
const FEW_WAITING = 16;
const FEW_WAITING_SECONDS = 4;
/** Retries take half of these places, so new messages have some. Messages whose turn has come have as many more. */
const RETRY_SHARE = 0.5;
const RELEASED_SHARE = 2;

/** The turns of steps that no worker has tried, and of those that one has. */
const FIRST_TURN = 1;
const RETRY_TURN = 2;

/** A shorter wait for a limit is not recorded. */
const NOTED_WAIT_MS = 1_000;

/** The message expired, or its account became unavailable, while it waited for its call. */
const EXPIRED = Symbol('expired');
const UNAVAILABLE = Symbol('unavailable');

export type SenderParts = {
  permits: CallPermits;
  rates: Pick<SendRates, 'enter'>;
  tokens: DeadTokens;
  random(): number;
  now(): number;
  metrics: Pick<Metrics, 'providerCall' | 'providerFailure' | 'stage' | 'limits'>;
  log: DeliveryLog;
};

/** In how many milliseconds a step comes back, or the limit of an account that it waits for; or that of render time. */
export type ComeBack = { waitMs: number; limit?: LimitWait };

/** Asked before a provider is called for a step. The call is not made when the answer is false. */
export type SendPermission = {
  /** Writes to the database that calls may follow: after a crash the next holder knows that the step is in doubt. */
  mark(): Promise<boolean>;
  /** Right before each call. */
  begin(): boolean;
  /** Whether no provider was called for the step yet. */
  canWait(): boolean;
};

export type SendRequest = {
  step: ClaimedStep;
  deliveries: Delivery[];
  strategy: ChannelStrategy;
  permission: SendPermission;
  trace?: TraceContext;
};

/** Sends the messages of a step through provider accounts, with retries, failover and circuit breakers. */
export class Sender {
  private readonly deadTokens = new DeadTokenRemoval(this.parts.tokens, this.parts.log, this.parts.now);

  constructor(private readonly parts: SenderParts) {}

  /**
   * When the step has to come back, because too many others wait for one of its accounts; undefined if it can wait too.
   * `ahead` others are about to come.
   */
  comeBack(step: ClaimedStep, accounts: Account[], ahead = 0): ComeBack | undefined {
    if (hasCrashed(step)) return undefined;
    for (const account of accounts) {
      const { rateLimit = 0 } = account.configurations;
      const most = mostWaiting(step, rateLimit);
      if (!this.parts.permits.isFull(account.id, step.lane, { most, ahead })) continue;
      // Half of those that wait now have been sent by then, and the step has not expired.
      const halfMs = Math.min(this.parts.permits.waitedMs(account.id, step.lane), leftMs(step)) / 2;
      const waitMs = Math.min(Math.max(POSTPONE_MS, halfMs), LONGEST_POSTPONE_MS);
      return { waitMs, ...(rateLimit > 0 && { limit: rateLimitOf(account, rateLimit) }) };
    }
    return undefined;
  }

  /** The steps that find a place before their account. The others come back without being rendered. */
  placed(steps: ReadyStep[], onComeBack: (step: ClaimedStep, comeBack: ComeBack) => void): ReadyStep[] {
    const ahead = new Map<string, number>();
    return steps.filter(({ item: { step }, accounts }) => {
      const [account] = accounts as [Account];
      // The messages of a step of another channel have an account each.
      if (!PRIMARY_CHANNELS.includes(account.channel) || account.pause.holdId !== null) return true;
      const before = ahead.get(account.id) ?? 0;
      const comeBack = this.comeBack(step, [account], before);
      if (comeBack) onComeBack(step, comeBack);
      else ahead.set(account.id, before + 1);
      return !comeBack;
    });
  }

  /** Undefined when permission was refused: another worker has the step, or this worker is stopping. */
  async send(request: SendRequest): Promise<StepResult | undefined> {
    const { step, deliveries, strategy } = request;
    const doubt = step.inDoubt ? resolveDoubt(step, deliveries) : undefined;
    if (doubt) {
      const { notificationId, environmentId } = step;
      const outcome = 'held' in doubt ? 'held' : 'sent again';
      this.parts.log.warn({ notificationId, environmentId }, `Sending was interrupted, the message is ${outcome}`);
    }
    if (doubt && 'held' in doubt) return doubt.held;
    const interruption = doubt ? happened([doubt.line]) : [];
    const progress = progressOf(step);
    const wanted = progress ? deliveries.filter(({ messageId }) => progress.retry.includes(messageId)) : deliveries;
    const results =
      wanted.length === 1
        ? [await this.sendOne(request, wanted[0]!)]
        : await Promise.all(wanted.map((delivery) => this.sendOne(request, delivery)));
    if (results.includes(undefined)) return undefined;
    const result = concludeStep(step, strategy, results as MessageResult[], progress?.sent ?? 0);
    return doubt ? { ...result, lines: [...interruption, ...result.lines] } : result;
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
      const result = await this.callWithPermit(request, attempt, account, answer.isProbe);
      if (result === UNAVAILABLE) continue;
      if (result === EXPIRED) return attempt.expired();
      if (!result) return undefined;
      this.updateBreaker(step, delivery, account, result);
      this.deadTokens.count(delivery, account, result);
      if (result.ok) return attempt.sent(account, result);
      attempt.add(await this.deadTokens.removeDeadToken(delivery, account, result));
      const isLast = account === accounts.at(-1);
      if (isLast || !failsOver(result, step, account)) return this.retryOrFail(step, attempt, account, result);
      attempt.failOver(account, result);
    }
    const failure = attempt.takeFailure();
    if (failure) return this.retryOrFail(step, attempt, failure.account, failure.result);
    const longestMs = leftMs(step);
    if (Math.max(MIN_WAIT_MS, attempt.availableInMs(this.parts.now())) >= longestMs) return attempt.expired();
    return attempt.notTried(Math.min(ACCOUNT_WAIT_MS, longestMs));
  }

  /**
   * Waits for a permit of the account, marks the step and calls the provider; undefined when permission was
   * refused. Steps are marked before they wait for the call, so that many marks share one statement. A crash then
   * leaves a few more steps in doubt than were really called. Where doubt means that a message is held, or messages
   * wait for the limit of the account, the mark comes after the wait for the permit.
   */
  private async callWithPermit(
    { step, deliveries, strategy, permission, trace }: SendRequest,
    attempt: MessageAttempt,
    account: Account,
    isProbe: boolean,
  ): Promise<SendResult | typeof EXPIRED | typeof UNAVAILABLE | undefined> {
    const { permits, metrics } = this.parts;
    const { delivery } = attempt;
    const { inDoubt, rateLimit = 0 } = account.configurations;
    const marksLate = inDoubt === 'hold' || rateLimit > 0;
    let result: SendResult | undefined;
    const request = { perCall: account.perCall, place: placeOfStep(step) };
    const unstage = await permits.stage(account.id, request);
    try {
      if (account.pause.holdId !== null && deliveries.length === 1 && permission.canWait()) return undefined;
      if (!marksLate && !(await permission.mark())) return undefined;
      const leave = await permits.enter(account.id, request);
      try {
        if (marksLate && !(await permission.mark())) return undefined;
        if (rateLimit > 0) await this.waitForRate(step, attempt, account, rateLimit);
        if (isExpired(step)) return EXPIRED;
        const answer = isProbe ? undefined : account.breaker.recheck();
        if (answer?.allowed === false) {
          attempt.skip(account, answer.until, answer.reason);
          return UNAVAILABLE;
        }
        if (!permission.begin()) return undefined;
        attempt.begin(account);
        const begin = performance.now();
        result = await delivery.send(account, { trace, place: request.place });
        metrics.providerCall(strategy.channel, account.providerId, (performance.now() - begin) / 1_000);
        if (!result.ok) metrics.providerFailure(strategy.channel, account.providerId, result.kind, step.environmentId);
        return result;
      } finally {
        leave();
      }
    } finally {
      unstage();
      if (!result && isProbe) account.breaker.abandon();
    }
  }

  private async waitForRate(
    step: ClaimedStep,
    attempt: MessageAttempt,
    account: Account,
    perSecond: number,
  ): Promise<void> {
    const begin = performance.now();
    await this.parts.rates.enter(account.id, perSecond, placeOfStep(step));
    const waitedMs = performance.now() - begin;
    this.parts.metrics.stage('rate_limit', step.type, waitedMs / 1_000);
    // A step that came back for the limit has a record of its wait already.
    if (waitedMs < NOTED_WAIT_MS || step.notedLimits.rate_limit) return;
    attempt.add([rateLimitLine(account, attempt.delivery, waitedMs)]);
    this.parts.metrics.limits.wait('rate_limit', step.type);
  }

  /** A subscriber's address that does not answer is not a failure of the account. */
  private updateBreaker(step: ClaimedStep, delivery: Delivery, account: Account, result: SendResult): void {
    if (!result.ok && rejectsAccount(result, delivery)) {
      return account.breaker.reject(reasonOf(step, result), step.attempt);
    }
    if (result.ok || delivery.ownAddress) return account.breaker.leave('well');
    account.breaker.leave(isPassing(result) ? 'failed' : 'refused', reasonOf(step, result));
  }

  /**
   * Every message of a rejected account would fail, so they wait for it: until the breaker allows a probe, or the
   * credentials are changed. While the breaker is closed the reason may be this message alone: it is tried a few times.
   * It may be so while it is open, too: another message that waits is the next probe.
   */
  private waitForAccount(
    step: ClaimedStep,
    attempt: MessageAttempt,
    account: Account,
    result: ProviderError,
  ): MessageResult {
    const { random, now } = this.parts;
    const { opensUntil } = account.breaker;
    const plannedMs = step.attempt < MOST_REJECTIONS ? waitAfter(step.attempt, random) : undefined;
    const waitMs = opensUntil === undefined ? plannedMs : Math.max(MIN_WAIT_MS, opensUntil - now()) + BEHIND_OTHERS_MS;
    if (waitMs === undefined) return attempt.failed(account, result);
    if (waitMs >= leftMs(step)) return attempt.failedForGood(account, result);
    return attempt.retry(account, result, waitMs, opensUntil === undefined);
  }

  /** Retries by the plan, or after the time that the provider asked for, which does not count as an attempt. */
  private retryOrFail(
    step: ClaimedStep,
    attempt: MessageAttempt,
    account: Account,
    result: ProviderError,
  ): MessageResult {
    const { random } = this.parts;
    if (rejectsAccount(result, attempt.delivery)) return this.waitForAccount(step, attempt, account, result);
    const askedMs = isPassing(result) ? result.retryAfterMs : undefined;
    const waitMs =
      askedMs === undefined
        ? waitAfter(step.attempt, random)
        : Math.max(MIN_WAIT_MS, askedMs) * (1 + JITTER * random());
    if (askedMs !== undefined && !attempt.delivery.ownAddress) {
      account.breaker.pause(askedMs, reasonOf(step, result));
    }
    if (!isPassing(result) || waitMs === undefined) return attempt.failed(account, result);
    if (waitMs >= leftMs(step)) return attempt.failedForGood(account, result);
    return attempt.retry(account, result, waitMs, askedMs === undefined);
  }
}

/** Such a step has waited for the end of a lease, so it does not wait behind a backlog. Few run at a time. */
const hasCrashed = ({ crashCount }: ClaimedStep): boolean => crashCount > 1;

/** Whether an earlier holder tried to send the step and recorded that it has to be tried again. */
const isRetry = (step: ClaimedStep): boolean => step.attempt > 1 || progressOf(step) !== undefined;

/** The place of a step among those that wait for an account: retries come last in their lane. */
const placeOfStep = (step: ClaimedStep): number =>
  placeOf(step.lane, hasCrashed(step) ? 0 : isRetry(step) ? RETRY_TURN : FIRST_TURN);

/** What health and log keep of a failure: redaction does not reach them, and providers repeat contents. */
function reasonOf({ isSensitive }: ClaimedStep, { kind, status, message }: ProviderError): string {
  if (!isSensitive) return message;
  return status === undefined ? kind : `${kind}, status ${status}`;
}

const rateLimitOf = ({ id, name }: Account, figure: number): LimitWait => ({
  limit: 'rate_limit',
  figure,
  integrationId: id,
  integration: name,
});

function mostWaiting(step: ClaimedStep, rateLimit: number): number {
  if (rateLimit === 0) return Infinity;
  const most = Math.max(rateLimit * WAITING_SECONDS, Math.min(FEW_WAITING, rateLimit * FEW_WAITING_SECONDS));
  if (step.notedLimits.rate_limit) return most * RELEASED_SHARE;
  return isRetry(step) ? most * RETRY_SHARE : most;
}
