import {
  type Channel,
  type DryRunContentDto,
  type DryRunProviderDto,
  EXECUTION_DETAILS,
  executionDetail,
  type JsonObject,
  type ProviderId,
} from '@clarion/contracts';
import type { TemplateFault } from '@clarion/content';
import { describeProvider } from '@clarion/providers';
import {
  contentFaultLine,
  isSandboxOutbox,
  type Line,
  providerSelectedLine,
  sandboxLine,
  type Suppressed,
  type Variables,
} from '@clarion/rules';
import { explainHeld } from './explain-holds';
import {
  type DryRunAccount,
  type ExplainedLine,
  explainStep,
  type Explanation,
  isIgnored,
  PREVIOUS_STEP_FAILED,
  type ReachedStep,
  trace,
} from '../journey';

/** A channel step that runs: its content, the details so far, the accounts that may send, and the suppressions. */
export type ReadyStep = ReachedStep & {
  channel: Channel;
  controls: JsonObject;
  variables: Variables;
  lines: Line[];
  accounts: DryRunAccount[];
  suppressed: Suppressed;
};

/** Adds the explanation of a channel step and moves the journey to the time and state behind it. */
export function settle({ journey, step }: ReachedStep, explanation: Explanation): void {
  explainStep({ journey, step }, explanation);
  if (explanation.outcome === 'would_fail' && step.shouldStopOnFail) journey.end = PREVIOUS_STEP_FAILED;
  if (explanation.until !== undefined) journey.now = new Date(explanation.until);
}

export const refusal = (state: 'canceled' | 'failed' | 'skipped', lines: Line[]): Explanation => ({
  outcome: state === 'failed' ? 'would_fail' : 'would_skip',
  lines,
});

/** The step ends before a message is sent. */
export function settleUnsent(
  ready: ReadyStep,
  state: 'canceled' | 'failed',
  lines: Line[],
  content?: DryRunContentDto,
): void {
  const explanation = refusal(state, [...ready.lines, ...lines]);
  settle(ready, { ...explanation, providers: providersOf(ready), ...(content && { content }) });
}

export const settleFaulty = (ready: ReadyStep, fault: TemplateFault): void =>
  settleWithoutContent(ready, contentFaultLine(fault));

export function settleWithoutContent(ready: ReadyStep, line: Line): void {
  trace(ready.journey, 'content', false, line.raw as object);
  settleUnsent(ready, 'failed', [line]);
}

/** An in-app message is delivered when it is stored, so no provider is selected. */
export function settleStored(ready: ReadyStep, content: DryRunContentDto): void {
  trace(ready.journey, 'content', true);
  const { hold } = ready.accounts[0]!;
  if (hold && !isIgnored(ready, 'hold'))
    return explainHeld(ready, hold, { lines: ready.lines, providers: providersOf(ready), content });
  const lines = [...ready.lines, executionDetail('messageCreated'), executionDetail('messageSent')];
  settle(ready, { outcome: 'would_send', lines, providers: providersOf(ready), content });
}

/** Each message goes to its first account that accepts messages now; without one, the step waits for the first. */
export function settleSent(
  ready: ReadyStep,
  lines: Line[],
  messages: DryRunAccount[][],
  content: DryRunContentDto,
): void {
  // A message waits for its first account, and a step for its first message that waits.
  const hold = messages.map(([first]) => first!.hold).find((each) => each !== undefined);
  if (hold && !isIgnored(ready, 'hold')) {
    const before = [...ready.lines, ...lines];
    return explainHeld(ready, hold, { lines: before, providers: providersOf(ready), content });
  }
  const intended = [...(content.to ?? []), ...(content.cc ?? []), ...(content.bcc ?? [])];
  const attempts = messages.map((accounts) => attempt(accounts, ready.journey.now, intended));
  const common = {
    lines: [...ready.lines, ...lines, ...attempts.flatMap((result) => result.lines)],
    providers: providersOf(ready),
    content,
  };
  const isAccepted = attempts.some(({ blockedUntil }) => blockedUntil === undefined);
  trace(ready.journey, 'provider', isAccepted, {
    integrations: ready.accounts.map(({ identifier, health, rateLimit }) => ({
      identifier,
      state: health?.state ?? 'closed',
      ...(health?.until && { until: health.until }),
      ...(rateLimit !== undefined && { rateLimit }),
    })),
  });
  if (isAccepted) {
    const isStored = messages.some(([first]) => first!.sandbox && first!.sandbox.redirectTo === undefined);
    const { detail: why } = EXECUTION_DETAILS[isStored ? 'sandboxStored' : 'messageSent'];
    settle(ready, { ...common, outcome: 'would_send', why });
    return;
  }
  const until = Math.min(...attempts.map(({ blockedUntil }) => blockedUntil ?? Infinity));
  settle(ready, { ...common, outcome: 'would_wait', until: new Date(until).toISOString() });
}

/** A sandbox puts the message into the outbox, or sends it to another address than those that it is for. */
function sentLines({ sandbox }: DryRunAccount, intended: string[]): Line[] {
  const sent = executionDetail('messageSent');
  if (!sandbox) return [sent];
  const line = sandboxLine(sandbox, intended);
  return sandbox.redirectTo === undefined ? [line] : [line, sent];
}

/** `blockedUntil` is undefined when an account accepts the message. */
function attempt(
  accounts: DryRunAccount[],
  now: Date,
  intended: string[],
): { lines: ExplainedLine[]; blockedUntil?: number } {
  const lines: ExplainedLine[] = [];
  let blockedUntil = Infinity;
  for (const [index, account] of accounts.entries()) {
    const providerId = account.providerId as ProviderId;
    const displayName = isSandboxOutbox(account) ? account.name : describeProvider(providerId).displayName;
    const { health } = account;
    const until = health && health.state !== 'closed' ? Date.parse(health.until ?? '') : undefined;
    if (until !== undefined && now.getTime() < until) {
      blockedUntil = Math.min(blockedUntil, until);
      const detail = executionDetail('providerUnavailable', { provider: displayName });
      lines.push({ ...detail, providerId, raw: { ...health } });
      continue;
    }
    lines.push({ ...providerSelectedLine(displayName, account), providerId });
    if (index === 0) lines.push({ ...executionDetail('messageCreated'), providerId });
    return { lines: [...lines, ...sentLines(account, intended).map((line) => ({ ...line, providerId }))] };
  }
  return { lines, blockedUntil };
}

const providersOf = ({ accounts }: ReadyStep): DryRunProviderDto[] =>
  accounts.map(({ identifier, providerId, name, health }) => ({
    identifier,
    providerId: providerId as ProviderId,
    name,
    ...(health && { health }),
  }));
