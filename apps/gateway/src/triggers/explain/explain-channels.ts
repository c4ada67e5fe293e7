import {
  type Channel,
  CHANNELS,
  type EnvironmentId,
  executionDetail,
  partition,
  type WithoutIntegration,
} from '@clarion/contracts';
import type { SuppressionRepository } from '@clarion/persistence';
import {
  admitStep,
  integrationOverride,
  isSuppressible,
  NO_SUPPRESSIONS,
  noIntegrationLine,
  orderCandidates,
  Slices,
  suppressibleAddresses,
} from '@clarion/rules';
import { type ContentParts, EXPLAIN_CONTENT, reachFacts } from './explain-content';
import { type ReadyStep, refusal, settle, settleFaulty } from './explain-sending';
import { type DryRunAccount, type Explanation, isIgnored, type ReachedStep, trace, variablesOf } from '../journey';

type Parts = ContentParts & { suppressions: SuppressionRepository; withoutIntegration: WithoutIntegration };

const EXPLAINED_AT_ONCE = 20;

/** What channel steps would do. The rules are those of the workers; no provider is called. */
export async function explainChannels(
  parts: Parts,
  environmentId: EnvironmentId,
  accounts: DryRunAccount[],
  reached: ReachedStep[],
): Promise<void> {
  let ready: ReadyStep[] = [];
  const slices = new Slices();
  for (const item of reached) {
    if (slices.isOver) await slices.rest();
    const admitted = admit(item, accounts, parts.withoutIntegration);
    if (admitted) ready.push(admitted);
  }
  parts.templates.debit(environmentId, slices.ms);
  for (const channel of CHANNELS) {
    const [steps, others] = partition(ready, (step) => step.channel === channel);
    ready = others;
    if (steps.length === 0) continue;
    await loadSuppressions(parts, environmentId, channel, steps);
    // Each may name another layout, and other translations, of the largest size.
    for (let from = 0; from < steps.length; from += EXPLAINED_AT_ONCE) {
      await explainContents(parts, environmentId, channel, steps.slice(from, from + EXPLAINED_AT_ONCE));
    }
  }
}

async function explainContents(
  parts: Parts,
  environmentId: EnvironmentId,
  channel: Channel,
  steps: ReadyStep[],
): Promise<void> {
  const translated = await parts.contents.translate(
    steps.map(({ journey, controls }) => ({
      environmentId,
      resourceId: journey.workflow.id,
      isEmail: channel === 'email',
      controls,
      locale: journey.subscriber.locale,
    })),
  );
  const sound: ReadyStep[] = [];
  for (const [index, rendering] of translated.entries()) {
    const step = steps[index]!;
    if (rendering.ok) sound.push(Object.assign(step, { controls: rendering.controls }));
    else settleFaulty(step, rendering.fault);
  }
  if (sound.length > 0) await EXPLAIN_CONTENT[channel](parts, environmentId, sound);
}

/** Undefined when the step would not run, which is explained then. */
function admit(
  { journey, step }: ReachedStep,
  accounts: DryRunAccount[],
  withoutIntegration: WithoutIntegration,
): ReadyStep | undefined {
  const { workflow, notification, preferences, subscriber, surroundings, overrides, now, work, rules } = journey;
  const channel = step.type as Channel;
  if (journey.expiresAt !== undefined && now.getTime() >= journey.expiresAt) {
    settle({ journey, step }, refusal('skipped', [executionDetail('messageExpired', { ttl: String(journey.ttl) })]));
    return undefined;
  }
  const variables = variablesOf(journey);
  const admitted = admitStep({
    channel,
    authored: step,
    variables,
    now,
    timezone: subscriber.timezone ?? undefined,
    workflow,
    notification,
    preferences,
    tenant: surroundings.tenant,
    work,
    ...(rules && { trace: (rule) => rules.push(rule) }),
    ignored: journey.ignored?.get(step.stepId),
  });
  if (!admitted.admitted) {
    settle({ journey, step }, refusal(admitted.state, admitted.lines));
    return undefined;
  }
  const choice = orderCandidates(accounts, {
    channel,
    integrationIdentifier: integrationOverride(overrides ?? undefined, channel),
    variables,
    work,
  });
  trace(journey, 'integration', choice.order.length > 0, {
    ...(choice.requested !== undefined && { requested: choice.requested }),
    integrations: choice.order.map(({ identifier, providerId, name }) => ({ identifier, providerId, name })),
    ...(choice.faults.length > 0 && { faults: choice.faults }),
  });
  const { controls, lines } = admitted;
  if (choice.order.length > 0) {
    const suppressed = NO_SUPPRESSIONS;
    return { journey, step, channel, controls, variables, lines, accounts: choice.order, suppressed };
  }
  const isServed = accounts.some((account) => account.channel === channel);
  const explanation: Explanation =
    withoutIntegration === 'hold' && !isServed
      ? {
          outcome: 'would_wait',
          lines: [...lines, executionDetail('stepHeldWithoutIntegration', { name: channel })],
        }
      : refusal('failed', [...lines, noIntegrationLine(choice, channel)]);
  settle({ journey, step }, explanation);
  return undefined;
}

async function loadSuppressions(
  { suppressions }: Parts,
  environmentId: EnvironmentId,
  channel: Channel,
  steps: ReadyStep[],
): Promise<void> {
  if (!isSuppressible(channel)) return;
  const addresses = new Set(steps.flatMap((ready) => suppressibleAddresses(channel, reachFacts(ready))));
  const found = await suppressions.find(
    channel,
    [...addresses].map((address) => ({ environmentId, address })),
  );
  const suppressed = new Map(
    found.map(({ address, reason, createdAt }) => [address, { reason, since: createdAt }] as const),
  );
  for (const ready of steps) if (!isIgnored(ready, 'suppression')) ready.suppressed = suppressed;
}
