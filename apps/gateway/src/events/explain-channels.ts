import type {
  Channel,
  DryRunContentDto,
  DryRunProviderDto,
  EnvironmentId,
  JsonObject,
  ProviderId,
  WorkflowStep,
} from '@clarion/contracts';
import {
  type ComposedEmail,
  type ComposedInApp,
  composePush,
  composeText,
  renderEmails,
  renderInApps,
  type RenderItem,
  type TemplateFault,
  type TemplateRenderer,
} from '@clarion/content';
import type { Layout, LayoutRepository, SuppressionRepository } from '@clarion/persistence';
import { describeProvider } from '@clarion/providers';
import {
  admitStep,
  chatTargets,
  contentFaultLine,
  emailReach,
  integrationOverride,
  isSuppressible,
  layoutMissingLine,
  layoutOf,
  layoutSelectedLine,
  type Line,
  MESSAGE_CREATED,
  MESSAGE_SENT,
  MessageOverrides,
  NOBODY_SUPPRESSED,
  noIntegrationLine,
  orderCandidates,
  PREVIOUS_FAILED,
  providerSelectedLine,
  pushTargets,
  type ReachFacts,
  Slices,
  smsReach,
  type Suppressed,
  suppressibleAddresses,
  type Variables,
} from '@clarion/rules';
import { type DryRunAccount, type Explanation, type Journey, tell, type ToldLine, variablesOf } from './journey';

type Reached = { journey: Journey; step: WorkflowStep };

/** A step that runs: its contents, what is told so far, who may send it, best first, and whom it must not reach. */
type Ready = Reached & {
  controls: JsonObject;
  variables: Variables;
  lines: Line[];
  accounts: DryRunAccount[];
  suppressed: Suppressed;
};

type Parts = { templates: TemplateRenderer; layouts: LayoutRepository; suppressions: SuppressionRepository };

/** What channel steps would do, asked of the same rules as the workers ask; only nobody is called. */
export async function explainChannels(
  parts: Parts,
  environmentId: EnvironmentId,
  accounts: DryRunAccount[],
  reached: Reached[],
): Promise<void> {
  const ready: Ready[] = [];
  const slices = new Slices();
  for (const one of reached) {
    if (slices.isOver) await slices.rest();
    const judged = judge(one, accounts);
    if (judged) ready.push(judged);
  }
  parts.templates.debit(environmentId, slices.ms);
  await markSuppressed(parts, environmentId, ready);
  const of = (...channels: Channel[]): Ready[] => ready.filter(({ step }) => channels.includes(step.type as Channel));
  await explainEmails(parts, environmentId, of('email'));
  await explainInApps(parts, environmentId, of('in_app'));
  await explainTexts(parts, environmentId, of('sms', 'chat', 'push'));
}

function judge({ journey, step }: Reached, accounts: DryRunAccount[]): Ready | undefined {
  const { workflow, notification, preferences, subscriber, surroundings, overrides, now, work } = journey;
  const channel = step.type as Channel;
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
  });
  if (!admitted.admitted) {
    settle({ journey, step }, refused(admitted.state, admitted.lines));
    return undefined;
  }
  const choice = orderCandidates(accounts, {
    channel,
    integrationIdentifier: integrationOverride(overrides ?? undefined, channel),
    variables,
    work,
  });
  const { controls, lines } = admitted;
  if (choice.order.length > 0) {
    return { journey, step, controls, variables, lines, accounts: choice.order, suppressed: NOBODY_SUPPRESSED };
  }
  settle({ journey, step }, refused('failed', [...lines, noIntegrationLine(choice)]));
  return undefined;
}

/** One look for each channel. */
async function markSuppressed({ suppressions }: Parts, environmentId: EnvironmentId, steps: Ready[]): Promise<void> {
  const byChannel = new Map<Channel, Ready[]>();
  for (const ready of steps) {
    const channel = ready.step.type as Channel;
    byChannel.set(channel, [...(byChannel.get(channel) ?? []), ready]);
  }
  for (const [channel, group] of byChannel) {
    if (!isSuppressible(channel)) continue;
    const addresses = new Set(group.flatMap((ready) => suppressibleAddresses(channel, reachFacts(ready))));
    const found = await suppressions.find(
      channel,
      [...addresses].map((address) => ({ environmentId, address })),
    );
    const suppressed = new Map(
      found.map(({ address, reason, createdAt }) => [address, { reason, since: createdAt }] as const),
    );
    for (const ready of group) ready.suppressed = suppressed;
  }
}

function settle({ journey, step }: Reached, explanation: Explanation): void {
  tell(journey, step, explanation);
  if (explanation.outcome === 'would_fail' && step.shouldStopOnFail) {
    journey.end = { outcome: 'would_skip', lines: [{ status: 'Failed', detail: PREVIOUS_FAILED }] };
  }
  if (explanation.until !== undefined) journey.now = new Date(explanation.until);
}

const refused = (state: 'canceled' | 'failed' | 'skipped', lines: Line[]): Explanation => ({
  outcome: state === 'failed' ? 'would_fail' : 'would_skip',
  lines,
});

// ------------------------------------------------------------------------------------------------------- contents

async function explainEmails(
  { templates, layouts }: Parts,
  environmentId: EnvironmentId,
  steps: Ready[],
): Promise<void> {
  if (steps.length === 0) return;
  const layoutFor = await findLayouts(layouts, environmentId, steps);
  const emails = await renderEmails(
    templates,
    steps.map((ready) => ({
      environmentId,
      controls: ready.controls,
      variables: ready.variables as unknown as JsonObject,
      layout: layoutFor(ready).layout?.controlValues.email ?? null,
      escapeHtml: ready.journey.workflow.escapeHtml,
    })),
  );
  for (const [index, ready] of steps.entries()) {
    const { missing, layout } = layoutFor(ready);
    const rendering = emails[index]!;
    if (missing !== undefined) end(ready, 'failed', [layoutMissingLine(missing)]);
    else if (!rendering.ok) endByFault(ready, rendering.fault);
    else explainEmail(ready, rendering.email, layout ? [layoutSelectedLine(layout.layoutId)] : []);
  }
}

function explainEmail(ready: Ready, email: ComposedEmail, layoutLines: Line[]): void {
  const overrides = overridesFor(ready, ready.accounts[0]!);
  const { to, cc, bcc, skipped, refusal } = emailReach(ready.journey.subscriber.email, overrides, ready.suppressed);
  const content: DryRunContentDto = {
    to,
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    subject: overrides.text('subject') ?? email.subject,
    ...(email.preheader !== undefined && { preheader: email.preheader }),
    html: overrides.text('html') ?? email.html,
    text: overrides.text('text') ?? email.text,
  };
  if (refusal) end(ready, 'canceled', [refusal.line], content);
  else send(ready, [...layoutLines, ...skipped], [ready.accounts], content);
}

/** What the trigger says, else what the step says, else the default of the environment. One statement for each kind. */
async function findLayouts(
  layouts: LayoutRepository,
  environmentId: EnvironmentId,
  steps: Ready[],
): Promise<(ready: Ready) => { missing?: string; layout?: Layout }> {
  const wanted = new Map(
    steps.map((ready) => [ready, layoutOf(ready.journey.overrides ?? undefined, ready.step.stepId, ready.controls)]),
  );
  const named = [...new Set([...wanted.values()].filter((layoutId) => typeof layoutId === 'string'))];
  const [rows, standard] = await Promise.all([
    layouts.findMany(environmentId, named),
    [...wanted.values()].includes(undefined) ? layouts.findDefault(environmentId) : undefined,
  ]);
  const found = new Map(rows.map((layout) => [layout.layoutId, layout]));
  return (ready) => {
    const layoutId = wanted.get(ready);
    if (layoutId === null) return {};
    if (layoutId === undefined) return { layout: standard };
    const layout = found.get(layoutId);
    return layout ? { layout } : { missing: layoutId };
  };
}

async function explainInApps({ templates }: Parts, environmentId: EnvironmentId, steps: Ready[]): Promise<void> {
  if (steps.length === 0) return;
  const items = renderItems(environmentId, steps);
  const renderings = await renderInApps(
    templates,
    steps.map(({ journey }, index) => ({ ...items[index]!, escapeHtml: journey.workflow.escapeHtml })),
  );
  for (const [index, ready] of steps.entries()) {
    const rendering = renderings[index]!;
    if (!rendering.ok) endByFault(ready, rendering.fault);
    else {
      // Storing it is delivering it, so no provider is selected.
      const lines = [...ready.lines, MESSAGE_CREATED, MESSAGE_SENT];
      const content = inAppContent(rendering.message);
      settle(ready, { outcome: 'would_send', lines, providers: providersOf(ready), content });
    }
  }
}

const inAppContent = ({ subject, content, avatar, cta, data }: ComposedInApp): DryRunContentDto => ({
  ...(subject !== undefined && { subject }),
  body: content,
  ...(avatar !== undefined && { avatar }),
  ...(Object.keys(cta).length > 0 && { cta }),
  ...(data && { data }),
});

async function explainTexts({ templates }: Parts, environmentId: EnvironmentId, steps: Ready[]): Promise<void> {
  if (steps.length === 0) return;
  const renderings = await templates.renderMany(renderItems(environmentId, steps));
  for (const [index, ready] of steps.entries()) {
    const rendering = renderings[index]!;
    if (!rendering.ok) endByFault(ready, rendering.fault);
    else if (ready.step.type === 'push') explainPush(ready, rendering.controls);
    else {
      const text = composeText(rendering.controls);
      if (!text.ok) endByFault(ready, text.fault);
      else if (ready.step.type === 'sms') explainSms(ready, text.content);
      else explainChat(ready, text.content);
    }
  }
}

function explainSms(ready: Ready, rendered: string): void {
  const overrides = overridesFor(ready, ready.accounts[0]!);
  const { phone, refusal } = smsReach(ready.journey.subscriber.phone, overrides, ready.suppressed);
  const body = overrides.text('content') ?? rendered;
  if (refusal) end(ready, 'canceled', [refusal.line], { to: [], body });
  else send(ready, [], [ready.accounts], { to: [phone!], body });
}

function explainChat(ready: Ready, rendered: string): void {
  const { targets, skipped, refusal } = chatTargets(reachFacts(ready));
  const own = targets[0] && overridesFor(ready, targets[0].account).text('content');
  const content = {
    body: own ?? rendered,
    targets: targets.map(({ account }) => targetOf(account)),
  };
  if (refusal) return end(ready, 'canceled', refusal, content);
  const each = targets.map(({ account }) => [account]);
  send(ready, skipped, each, content);
}

function explainPush(ready: Ready, controls: JsonObject): void {
  const composed = composePush(controls);
  if (!composed.ok) return endByFault(ready, composed.fault);
  const { title, body, data } = composed;
  const { targets, skipped, refusal } = pushTargets(reachFacts(ready));
  const content = {
    title,
    body,
    ...(data && { data }),
    targets: targets.map(({ account, tokens }) => ({ ...targetOf(account), devices: tokens.length })),
  };
  if (refusal) return end(ready, 'canceled', refusal, content);
  const each = targets.flatMap(({ account, tokens }) => tokens.map(() => [account]));
  send(ready, skipped, each, content);
}

// ------------------------------------------------------------------------------------------------------------ ends

function end(ready: Ready, state: 'canceled' | 'failed', lines: Line[], content?: DryRunContentDto): void {
  const explanation = refused(state, [...ready.lines, ...lines]);
  settle(ready, { ...explanation, providers: providersOf(ready), ...(content && { content }) });
}

const endByFault = (ready: Ready, fault: TemplateFault): void => end(ready, 'failed', [contentFaultLine(fault)]);

/** Each message goes to the first of its accounts that takes messages at the moment; if none does, it waits for one. */
function send(ready: Ready, lines: Line[], messages: DryRunAccount[][], content: DryRunContentDto): void {
  const tries = messages.map((accounts) => tryAccounts(accounts, ready.journey.now));
  const told = [...ready.lines, ...lines, ...tries.flatMap((one) => one.lines)];
  const common = { lines: told, providers: providersOf(ready), content };
  const until = Math.min(...tries.map(({ closedUntil }) => closedUntil ?? Infinity));
  if (tries.some(({ closedUntil }) => closedUntil === undefined)) {
    settle(ready, { ...common, outcome: 'would_send', why: MESSAGE_SENT.detail });
  } else settle(ready, { ...common, outcome: 'would_wait', until: new Date(until).toISOString() });
}

function tryAccounts(accounts: DryRunAccount[], now: Date): { lines: ToldLine[]; closedUntil?: number } {
  const lines: ToldLine[] = [];
  let closedUntil = Infinity;
  for (const [index, account] of accounts.entries()) {
    const providerId = account.providerId as ProviderId;
    const { displayName } = describeProvider(providerId);
    const { health } = account;
    const until = health && health.state !== 'closed' ? Date.parse(health.until ?? '') : undefined;
    if (until !== undefined && now.getTime() < until) {
      closedUntil = Math.min(closedUntil, until);
      const detail = `${displayName} is not available at the moment`;
      lines.push({ status: 'Warning', detail, providerId, raw: { ...health } });
      continue;
    }
    lines.push({ ...providerSelectedLine(displayName, account), providerId });
    if (index === 0) lines.push({ ...MESSAGE_CREATED, providerId });
    return { lines: [...lines, { ...MESSAGE_SENT, providerId }] };
  }
  return { lines, closedUntil };
}

const providersOf = ({ accounts }: Ready): DryRunProviderDto[] =>
  accounts.map(({ identifier, providerId, name, health }) => ({
    identifier,
    providerId: providerId as ProviderId,
    name,
    ...(health && { health }),
  }));

const targetOf = ({ identifier, providerId }: DryRunAccount) => ({ identifier, providerId: providerId as ProviderId });

const renderItems = (environmentId: EnvironmentId, steps: Ready[]): RenderItem[] =>
  steps.map(({ controls, variables }) => ({
    environmentId,
    controls,
    variables: variables as unknown as JsonObject,
  }));

const overridesFor = ({ journey, step }: Ready, { providerId }: DryRunAccount): MessageOverrides =>
  new MessageOverrides(journey.overrides, { stepId: step.stepId, channel: step.type as Channel, providerId });

const reachFacts = ({ journey, step, accounts, suppressed }: Ready): ReachFacts<DryRunAccount> => ({
  stepId: step.stepId,
  accounts,
  overrides: journey.overrides,
  payload: journey.payload,
  subscriber: journey.subscriber,
  doorways: journey.doorways,
  contextKeys: journey.notification.contextKeys,
  suppressed,
});
