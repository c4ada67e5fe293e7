import {
  type Channel,
  isJsonObject,
  type JsonObject,
  type ProviderId,
  type TraceContext,
} from '@clarion/contracts/core';
import type { ClaimedStep, NewMessage } from '@clarion/persistence';
import {
  describeProvider,
  type FailureKind,
  type ProviderError,
  type SendResult,
  type SendSuccess,
} from '@clarion/providers';
import type { Metrics } from '@clarion/platform';
import { providerSelectedLine } from '@clarion/rules';
import type { Line } from './admit';
import type { ChannelStrategy, Delivery } from './channel';
import type { Account } from './integration-directory';
import type { Lanes } from './lanes';
import type { DeadTokens, DeliveryLog } from './ports';
import { TRIES, waitAfter } from './retry-plan';
import { TokenBrake } from './token-brake';

/** How a step ends, or when it goes on. */
export type StepResult = {
  state: 'completed' | 'failed' | 'canceled' | 'skipped' | 'queued';
  lines: (Line & { isRetry?: boolean; providerId?: ProviderId; messageId?: string })[];
  messages: NewMessage[];
  account?: Account;
  waitMs?: number;
  /** Tries that count, when this one does not. */
  attempt?: number;
  error?: JsonObject;
};

type SentLine = StepResult['lines'][number];

/** What became of one message in this try. */
type MessageResult = {
  delivery: Delivery;
  verdict: 'sent' | 'failed' | 'retry';
  lines: SentLine[];
  message: NewMessage;
  account?: Account;
  error?: string;
  waitMs?: number;
  /** False when nothing was tried: the provider asked for patience, or its breaker is open. */
  counts: boolean;
};

export type SenderParts = {
  lanes: Lanes;
  tokens: DeadTokens;
  random(): number;
  now(): number;
  metrics: Pick<Metrics, 'stage' | 'providerFailure'>;
  log: DeliveryLog;
};

/** What a step has to ask before a provider is called for it; it does not happen where one of them says no. */
export type Turn = {
  /** Writes down that calls may follow: who finds the step after a crash knows that it is in doubt. */
  mark(): Promise<boolean>;
  /** Right before a call. */
  begin(): boolean;
};

/** Failed tries on one account before the next one gets a chance, when the reason may pass. */
const TRIES_PER_ACCOUNT = 2;
/** A provider that asks for patience without saying how long. */
const SHORTEST_PAUSE_MS = 1_000;
const ERROR_CHARACTERS = 2_000;

/** Hands the messages of a step to providers: retries, failover, breakers, and what is told of all that. */
export class Sender {
  private readonly brake: TokenBrake;

  constructor(private readonly parts: SenderParts) {
    this.brake = new TokenBrake(parts.now);
  }

  hasRoom(deliveries: Delivery[]): boolean {
    return deliveries.every(({ accounts }) => !this.parts.lanes.isFull(accounts[0]!.id));
  }

  /**
   * Undefined when the step is not to be sent by us after all. `trace` is what the calls belong to.
   */
  async send(
    step: ClaimedStep,
    deliveries: Delivery[],
    strategy: ChannelStrategy,
    turn: Turn,
    trace?: TraceContext,
  ): Promise<StepResult | undefined> {
    const doubt = step.inDoubt ? this.doubt(step, deliveries) : undefined;
    if (doubt && 'state' in doubt) return doubt;
    const progress = progressOf(step);
    const wanted = progress ? deliveries.filter(({ messageId }) => progress.retry.includes(messageId)) : deliveries;
    const results = await Promise.all(wanted.map((delivery) => this.sendOne(step, delivery, strategy, turn, trace)));
    if (results.some((result) => result === undefined)) return undefined;
    return this.conclude(step, results as MessageResult[], strategy, progress?.sent ?? 0, doubt);
  }

  private doubt(step: ClaimedStep, deliveries: Delivery[]): StepResult | SentLine {
    const accounts = deliveries.flatMap((delivery) => delivery.accounts);
    const account = accounts.find(({ id }) => id === step.integrationId) ?? accounts[0];
    const policy = account?.configurations.inDoubt ?? 'resend';
    if (policy === 'resend') {
      return { status: 'Warning', detail: 'Sending was interrupted, the message is sent again', isRetry: true };
    }
    const detail = 'Sending was interrupted, the message is held';
    return {
      state: 'failed',
      lines: [{ status: 'Warning', detail, isRetry: true, raw: { policy } }],
      messages: deliveries.map(({ messageId, row }) => ({
        ...row,
        id: messageId,
        status: 'warning',
        errorId: 'in_doubt',
        errorText: detail,
      })),
      error: { message: detail },
    };
  }

  /** One message: the first account that can take it, then the next ones where that helps. */
  private async sendOne(
    step: ClaimedStep,
    delivery: Delivery,
    strategy: ChannelStrategy,
    turn: Turn,
    trace: TraceContext | undefined,
  ): Promise<MessageResult | undefined> {
    const lines: SentLine[] = [];
    const accounts = startingWith(delivery.accounts, step.integrationId);
    // What a process that died did not get to tell is told now.
    let told = step.integrationId !== null;
    let called = false;
    let failed: { account: Account; result: ProviderError; line: SentLine } | undefined;
    let closedUntil = Infinity;
    let reason = '';
    for (const [index, account] of accounts.entries()) {
      const gate = account.breaker.enter();
      if (gate !== 'open') {
        closedUntil = Math.min(closedUntil, gate.closedUntil);
        reason = gate.reason;
        lines.push(
          line('Warning', `${nameOf(account)} is not available at the moment`, account, delivery, gate.reason),
        );
        continue;
      }
      let result: SendResult | undefined;
      try {
        result = await this.inTurn(account, turn, () => {
          if (!told || index > 0) lines.push(selected(account, delivery, called));
          if (!told) lines.push(line('Pending', 'Message created', account, delivery));
          told = called = true;
          return this.timed(step, strategy.channel, account, () => delivery.send(account, trace));
        });
      } catch (error) {
        account.breaker.abandon();
        throw error;
      }
      if (!result) {
        account.breaker.abandon();
        return undefined;
      }
      const blames = !result.ok && isPassing(result) && !delivery.ownAddress;
      account.breaker.leave(blames, result.ok ? undefined : result.message);
      if (delivery.token) this.brake.note(account.id, !result.ok && result.kind === 'dead-token');
      if (result.ok) return this.sent(delivery, account, result, lines);
      lines.push(...(await this.mourn(delivery, account, result)));
      const isLast = index === accounts.length - 1;
      if (movesOn(result, step, account) && !isLast) {
        const trouble = problem('Warning', account, delivery, result);
        lines.push(trouble);
        if (isPassing(result)) failed = { account, result, line: trouble };
        continue;
      }
      return this.notSent(step, delivery, strategy, account, result, lines);
    }
    if (failed) {
      const { account, result, line: trouble } = failed;
      const others = lines.filter((other) => other !== trouble);
      return this.notSent(step, delivery, strategy, account, result, others);
    }
    // Nobody could be asked: later, and without counting it as a try.
    const waitMs = Math.max(SHORTEST_PAUSE_MS, closedUntil - this.parts.now());
    return {
      delivery,
      verdict: 'retry',
      lines,
      message: messageOf(delivery, accounts[0]!, 'warning', strategy.errorId, reason),
      waitMs,
      counts: false,
    };
  }

  private async timed(
    { environmentId }: ClaimedStep,
    channel: Channel,
    { providerId }: Account,
    call: () => Promise<SendResult>,
  ): Promise<SendResult> {
    const { metrics } = this.parts;
    const begin = performance.now();
    const result = await call();
    metrics.stage('provider', channel, (performance.now() - begin) / 1_000);
    if (!result.ok) metrics.providerFailure(channel, providerId, result.kind, environmentId);
    return result;
  }

  /**
   * The call in its turn, after the step was marked; undefined when it is not to be made. Marks are made before the door,
   * many at a time, so a crash leaves a few more in doubt than were really called; not so where doubt means that a message
   * is held back.
   */
  private async inTurn(account: Account, turn: Turn, call: () => Promise<SendResult>): Promise<SendResult | undefined> {
    const isExact = account.configurations.inDoubt === 'hold';
    const stepAside = await this.parts.lanes.approach(account.id, account.perCall);
    try {
      if (!isExact && !(await turn.mark())) return undefined;
      const leave = await this.parts.lanes.enter(account.id, account.perCall);
      try {
        if (isExact && !(await turn.mark())) return undefined;
        return turn.begin() ? await call() : undefined;
      } finally {
        leave();
      }
    } finally {
      stepAside();
    }
  }

  private sent(
    delivery: Delivery,
    account: Account,
    result: SendResult & { ok: true },
    lines: SentLine[],
  ): MessageResult {
    return {
      delivery,
      verdict: 'sent',
      account,
      lines: [
        ...lines,
        line('Success', 'Message sent', account, delivery, receiptOf(result)),
        ...(result.warnings ?? []).map((warning) =>
          line('Warning', 'Some of what was asked for could not be done', account, delivery, warning),
        ),
      ],
      message: {
        ...messageOf(delivery, account, 'sent'),
        ...(result.id !== undefined && { providerMessageId: result.id }),
      },
      counts: true,
    };
  }

  private notSent(
    step: ClaimedStep,
    delivery: Delivery,
    strategy: ChannelStrategy,
    account: Account,
    result: ProviderError,
    lines: SentLine[],
  ): MessageResult {
    const base = { delivery, account, error: result.message };
    const counts = result.retryAfterMs === undefined || !isPassing(result);
    const waitMs = counts
      ? waitAfter(step.attempt, this.parts.random)
      : Math.max(SHORTEST_PAUSE_MS, result.retryAfterMs!) * (1 + 0.2 * this.parts.random());
    // A webhook of one subscriber's that wants to rest says nothing about the others'.
    if (!counts && !delivery.ownAddress) account.breaker.pause(result.retryAfterMs!, result.message);
    if (isPassing(result) && waitMs !== undefined) {
      const raw = { nextTryInMs: Math.round(waitMs), try: step.attempt, of: TRIES };
      return {
        ...base,
        verdict: 'retry',
        waitMs,
        counts,
        lines: [...lines, problem('Warning', account, delivery, result, raw)],
        message: messageOf(delivery, account, 'warning', strategy.errorId, result.message),
      };
    }
    return {
      ...base,
      verdict: 'failed',
      counts: true,
      lines: [...lines, problem('Failed', account, delivery, result)],
      message: messageOf(delivery, account, 'error', strategy.errorId, result.message),
    };
  }

  /** A device that is gone: its token is forgotten, and the record says so. */
  private async mourn({ token, messageId }: Delivery, account: Account, result: ProviderError): Promise<SentLine[]> {
    if (result.kind !== 'dead-token' || !token) return [];
    if (this.brake.isOn(account.id)) {
      const reason = 'More than a fifth of the devices were called gone within a minute: look at the integration first';
      return [{ status: 'Warning', detail: 'Invalid push device token was kept', raw: { reason }, messageId }];
    }
    try {
      await this.parts.tokens.remove(token);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'a dead device token could not be removed');
      return [];
    }
    const raw = { token: `...${token.token.slice(-6)}` };
    return [{ status: 'Success', detail: 'Invalid push device token was removed from subscriber', raw, messageId }];
  }

  private conclude(
    step: ClaimedStep,
    results: MessageResult[],
    strategy: ChannelStrategy,
    sentBefore: number,
    doubt: SentLine | undefined,
  ): StepResult {
    const lines = [...(doubt ? [doubt] : []), ...results.flatMap((result) => result.lines)];
    const messages = results.map(({ message }) => message);
    const account = results.findLast((result) => result.account)?.account;
    const sent = sentBefore + results.filter(({ verdict }) => verdict === 'sent').length;
    const again = results.filter(({ verdict }) => verdict === 'retry');
    if (again.length > 0) {
      return {
        state: 'queued',
        lines,
        messages,
        account,
        waitMs: Math.min(...again.map(({ waitMs }) => waitMs!)),
        ...(!again.some(({ counts }) => counts) && { attempt: step.attempt - 1 }),
        error: { retry: again.map(({ delivery }) => delivery.messageId), sent, message: again[0]!.error ?? '' },
      };
    }
    if (sent > 0) return { state: 'completed', lines, messages, account };
    const error = results.find((result) => result.error)?.error ?? 'no message could be sent';
    if (strategy.allFailed) lines.push({ status: 'Failed', detail: strategy.allFailed });
    return { state: 'failed', lines, messages, account, error: { message: error.slice(0, ERROR_CHARACTERS) } };
  }
}

/** What an earlier try left to be done. */
function progressOf({ error }: ClaimedStep): { retry: string[]; sent: number } | undefined {
  if (!isJsonObject(error) || !Array.isArray(error['retry'])) return undefined;
  return { retry: error['retry'].map(String), sent: Number(error['sent'] ?? 0) };
}

/** The account that was tried last comes first, so that its failures add up; then the ones behind it. */
function startingWith(accounts: Account[], integrationId: string | null): Account[] {
  const at = accounts.findIndex(({ id }) => id === integrationId);
  return at > 0 ? accounts.slice(at) : accounts;
}

const PASSING: ReadonlySet<FailureKind> = new Set(['transient', 'rate-limited', 'unknown-outcome']);
/** The provider refuses the account, whatever the message. */
const isOfAccount = ({ kind }: ProviderError): boolean => kind === 'credentials' || kind === 'quota';

const isPassing = ({ kind }: ProviderError): boolean => PASSING.has(kind);

/**
 * Whether the next account may help. What is wrong with the account is never cured by waiting; what may pass gets a second
 * try first. After an unknown outcome the same account is asked again, because it alone can recognise the message.
 */
function movesOn(result: ProviderError, step: ClaimedStep, account: Account): boolean {
  if (isOfAccount(result)) return true;
  const mayPass = result.kind === 'transient' || result.kind === 'rate-limited';
  if (!mayPass || result.retryAfterMs !== undefined) return false;
  return step.attempt >= TRIES_PER_ACCOUNT && (step.integrationId === account.id || step.integrationId === null);
}

function messageOf(
  { messageId, row, recipientsFor }: Delivery,
  account: Account,
  status: NewMessage['status'],
  errorId?: string,
  errorText?: string,
): NewMessage {
  return {
    ...row,
    id: messageId,
    providerId: account.providerId as ProviderId,
    integrationId: account.id,
    ...(recipientsFor && { recipients: recipientsFor(account) }),
    status,
    ...(errorId !== undefined && { errorId, errorText: (errorText ?? '').slice(0, ERROR_CHARACTERS) }),
  };
}

/** What the provider said, and what we took from it. */
const receiptOf = ({ id, date, raw }: SendSuccess): object => ({
  ...(id !== undefined && { id }),
  ...(date && { date: date.toISOString() }),
  ...(raw !== undefined && { answer: raw }),
});

const nameOf = ({ providerId }: Account): string => describeProvider(providerId as ProviderId).displayName;

function selected(account: Account, delivery: Delivery, isRetry: boolean): SentLine {
  const { status, detail, raw } = providerSelectedLine(nameOf(account), account);
  return {
    ...line(status, detail, account, delivery, raw),
    ...(isRetry && { isRetry }),
  };
}

function problem(
  status: Line['status'],
  account: Account,
  delivery: Delivery,
  result: ProviderError,
  more?: object,
): SentLine {
  const { kind, message, status: code, raw } = result;
  const told = {
    kind,
    message,
    ...(code !== undefined && { status: code }),
    ...(raw !== undefined && { answer: raw }),
    ...more,
  };
  return {
    ...line(status, 'Unexpected provider error', account, delivery, told),
    ...(isOfAccount(result) && { source: 'Credentials' as const }),
  };
}

function line(
  status: Line['status'],
  detail: string,
  account: Account,
  { messageId }: Delivery,
  raw?: unknown,
): SentLine {
  return { status, detail, providerId: account.providerId as ProviderId, messageId, ...(raw !== undefined && { raw }) };
}
