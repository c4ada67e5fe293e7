import type { Channel, DryRunContentDto, EnvironmentId, JsonObject, ProviderId } from '@clarion/contracts';
import {
  type ComposedEmail,
  type ComposedInApp,
  composePush,
  composeText,
  renderEmails,
  renderInApps,
  type Rendering,
  type RenderItem,
  type TemplateRenderer,
} from '@clarion/content';
import type { Layout, LayoutRepository } from '@clarion/persistence';
import {
  chatTargets,
  emailReach,
  layoutMissingLine,
  layoutOf,
  layoutSelectedLine,
  type Line,
  MessageOverrides,
  pushTargets,
  type ReachFacts,
  smsReach,
  SUPPRESSED_ERROR,
  type Unreachable,
} from '@clarion/rules';
import type { EnvironmentContents } from '@clarion/runtime';
import { layoutItem } from '../../authoring/translations/read-contents';
import {
  type ReadyStep,
  settleFaulty,
  settleSent,
  settleStored,
  settleUnsent,
  settleWithoutContent,
} from './explain-sending';
import { type DryRunAccount, trace } from '../journey';

export type ContentParts = { templates: TemplateRenderer; layouts: LayoutRepository; contents: EnvironmentContents };

type ExplainContent = (parts: ContentParts, environmentId: EnvironmentId, steps: ReadyStep[]) => Promise<void>;

/** Renders the steps of one channel and explains where their messages would go. */
export const EXPLAIN_CONTENT: Record<Channel, ExplainContent> = {
  in_app: explainInApps,
  email: explainEmails,
  sms: forRendered(withText(explainSms)),
  chat: forRendered(withText(explainChat)),
  push: forRendered(explainPush),
};

async function explainEmails(
  { templates, layouts, contents }: ContentParts,
  environmentId: EnvironmentId,
  steps: ReadyStep[],
): Promise<void> {
  const layoutFor = await findLayouts(layouts, environmentId, steps);
  const framed = steps.filter((ready) => layoutFor(ready).layout);
  const frames = await contents.translate(
    framed.map((ready) => layoutItem(layoutFor(ready).layout!, ready.journey.subscriber.locale)),
  );
  const frameOf = (ready: ReadyStep): Rendering | undefined => frames[framed.indexOf(ready)];
  const emails = await renderEmails(
    templates,
    steps.map((ready) => {
      const frame = frameOf(ready);
      return {
        ...renderItem(environmentId, ready),
        layout: frame?.ok ? frame.controls : null,
        escapeHtml: ready.journey.workflow.escapeHtml,
      };
    }),
  );
  for (const [index, ready] of steps.entries()) {
    const { missing, layout } = layoutFor(ready);
    const frame = frameOf(ready);
    const rendering = emails[index]!;
    if (missing !== undefined) settleWithoutContent(ready, layoutMissingLine(missing));
    else if (frame && !frame.ok) settleFaulty(ready, { ...frame.fault, path: 'layout' });
    else if (!rendering.ok) settleFaulty(ready, rendering.fault);
    else explainEmail(ready, rendering.email, layout ? [layoutSelectedLine(layout.layoutId)] : []);
  }
}

function explainEmail(ready: ReadyStep, email: ComposedEmail, layoutLines: Line[]): void {
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
  traceAddresses(ready, { email: ready.journey.subscriber.email, to }, skipped, refusal);
  if (refusal) settleUnsent(ready, 'canceled', [refusal.line], content);
  else settleSent(ready, [...layoutLines, ...skipped], [ready.accounts], content);
}

/** The layout that the trigger names, else that of the step, else the default of the environment. */
async function findLayouts(
  layouts: LayoutRepository,
  environmentId: EnvironmentId,
  steps: ReadyStep[],
): Promise<(ready: ReadyStep) => { missing?: string; layout?: Layout }> {
  const wanted = new Map(
    steps.map((ready) => [ready, layoutOf(ready.journey.overrides ?? undefined, ready.step.stepId, ready.controls)]),
  );
  const named = [...new Set([...wanted.values()].filter((layoutId) => typeof layoutId === 'string'))];
  const [rows, defaultLayout] = await Promise.all([
    layouts.findMany(environmentId, named),
    [...wanted.values()].includes(undefined) ? layouts.findDefault(environmentId) : undefined,
  ]);
  const found = new Map(rows.map((layout) => [layout.layoutId, layout]));
  return (ready) => {
    const layoutId = wanted.get(ready);
    if (layoutId === null) return {};
    if (layoutId === undefined) return { layout: defaultLayout };
    const layout = found.get(layoutId);
    return layout ? { layout } : { missing: layoutId };
  };
}

async function explainInApps(
  { templates }: ContentParts,
  environmentId: EnvironmentId,
  steps: ReadyStep[],
): Promise<void> {
  const renderings = await renderInApps(
    templates,
    steps.map((ready) => ({
      ...renderItem(environmentId, ready),
      escapeHtml: ready.journey.workflow.escapeHtml,
    })),
  );
  for (const [index, ready] of steps.entries()) {
    const rendering = renderings[index]!;
    if (rendering.ok) settleStored(ready, inAppContent(rendering.message));
    else settleFaulty(ready, rendering.fault);
  }
}

const inAppContent = ({ subject, content, avatar, cta, data }: ComposedInApp): DryRunContentDto => ({
  ...(subject !== undefined && { subject }),
  body: content,
  ...(avatar !== undefined && { avatar }),
  ...(Object.keys(cta).length > 0 && { cta }),
  ...(data && { data }),
});

type ExplainRendered = (ready: ReadyStep, controls: JsonObject) => void;

/** Renders the controls of all steps in one batch. */
function forRendered(explain: ExplainRendered): ExplainContent {
  return async ({ templates }, environmentId, steps) => {
    const renderings = await templates.renderMany(steps.map((ready) => renderItem(environmentId, ready)));
    for (const [index, ready] of steps.entries()) {
      const rendering = renderings[index]!;
      if (rendering.ok) explain(ready, rendering.controls);
      else settleFaulty(ready, rendering.fault);
    }
  };
}

function withText(explain: (ready: ReadyStep, text: string) => void): ExplainRendered {
  return (ready, controls) => {
    const text = composeText(controls);
    if (text.ok) explain(ready, text.content);
    else settleFaulty(ready, text.fault);
  };
}

function explainSms(ready: ReadyStep, rendered: string): void {
  const overrides = overridesFor(ready, ready.accounts[0]!);
  const { phone, refusal } = smsReach(ready.journey.subscriber.phone, overrides, ready.suppressed);
  const body = overrides.text('content') ?? rendered;
  traceAddresses(ready, { phone: phone ?? null }, [], refusal);
  if (refusal) settleUnsent(ready, 'canceled', [refusal.line], { to: [], body });
  else settleSent(ready, [], [ready.accounts], { to: [phone!], body });
}

function explainChat(ready: ReadyStep, rendered: string): void {
  const { targets, skipped, refusal } = chatTargets(reachFacts(ready));
  const override = targets[0] && overridesFor(ready, targets[0].account).text('content');
  const content = {
    body: override ?? rendered,
    targets: targets.map(({ account }) => targetOf(account)),
  };
  traceTargets(ready, content.targets, skipped, refusal);
  if (refusal) return settleUnsent(ready, 'canceled', refusal, content);
  const messages = targets.map(({ account }) => [account]);
  settleSent(ready, skipped, messages, content);
}

function explainPush(ready: ReadyStep, controls: JsonObject): void {
  const composed = composePush(controls);
  if (!composed.ok) return settleFaulty(ready, composed.fault);
  const { title, body, data } = composed;
  const { targets, skipped, refusal } = pushTargets(reachFacts(ready));
  const content = {
    title,
    body,
    ...(data && { data }),
    targets: targets.map(({ account, tokens }) => ({ ...targetOf(account), devices: tokens.length })),
  };
  traceTargets(ready, content.targets, skipped, refusal);
  if (refusal) return settleUnsent(ready, 'canceled', refusal, content);
  const messages = targets.flatMap(({ account, tokens }) => tokens.map(() => [account]));
  settleSent(ready, skipped, messages, content);
}

/** Reports the content, the addresses of an email or an SMS, and whether suppressions leave any of them. */
function traceAddresses({ journey }: ReadyStep, address: object, skipped: Line[], refusal?: Unreachable): void {
  trace(journey, 'content', true);
  const isSuppressed = refusal?.errorId === SUPPRESSED_ERROR;
  trace(journey, 'address', !refusal || isSuppressed, address);
  if (!refusal || isSuppressed) {
    const line = refusal?.line ?? skipped[0];
    trace(journey, 'suppression', !refusal, line?.raw as object | undefined);
  }
}

function traceTargets({ journey }: ReadyStep, targets: object[], skipped: Line[], refusal?: Line[]): void {
  trace(journey, 'content', true);
  const leftOut = (refusal ?? skipped).map(({ detail, raw }) => ({ detail, ...(raw as object | undefined) }));
  trace(journey, 'address', !refusal, { targets, ...(leftOut.length > 0 && { skipped: leftOut }) });
}

const targetOf = ({ identifier, providerId }: DryRunAccount) => ({ identifier, providerId: providerId as ProviderId });

const renderItem = (environmentId: EnvironmentId, { controls, variables }: ReadyStep): RenderItem => ({
  environmentId,
  controls,
  variables: variables as unknown as JsonObject,
});

const overridesFor = ({ journey, step, channel }: ReadyStep, { providerId }: DryRunAccount): MessageOverrides =>
  new MessageOverrides(journey.overrides, { stepId: step.stepId, channel, providerId });

export const reachFacts = ({ journey, step, accounts, suppressed }: ReadyStep): ReachFacts<DryRunAccount> => ({
  stepId: step.stepId,
  accounts,
  overrides: journey.overrides,
  payload: journey.payload,
  subscriber: journey.subscriber,
  endpoints: journey.endpoints,
  contextKeys: journey.notification.contextKeys,
  suppressed,
});
