import { Injectable } from '@nestjs/common';
import type { EnvironmentId, JsonObject } from '@clarion/contracts/core';
import {
  type ComposedEmail,
  type EmailItem,
  renderEmails,
  type TemplateFault,
  TemplateRenderer,
} from '@clarion/content';
import {
  ALL_SUPPRESSED,
  type ChannelStrategy,
  contentFault,
  type Delivery,
  impossible,
  type Line,
  overridesFor,
  type Prepared,
  prepareWithSecrets,
  ProviderCalls,
  type ReadyStep,
  renderItem,
  renderWithSecrets,
  singleDelivery,
} from '@clarion/delivery';
import type { Attachment } from '@clarion/persistence';
import { EnvironmentContents } from '@clarion/runtime';
import type { EmailMessage } from '@clarion/providers';
import { emailReach, layoutMissingLine, layoutOf, layoutSelectedLine, type MessageOverrides } from '@clarion/rules';
import { AttachedFiles } from './attached-files';
import { EmailLinks } from './email-links';
import { LayoutDirectory } from './layout-directory';

type Layout = { given: boolean; missing?: string; fault?: TemplateFault; controls?: JsonObject; line?: Line };

const NO_CONTROLS: JsonObject = {};

type Sender = { from?: { email?: string; name?: string }; replyTo?: string };
type RenderedEmail = { ok: true; email: ComposedEmail; sender: Sender };
type Rendered = RenderedEmail | { ok: false; fault: TemplateFault };

@Injectable()
export class EmailChannel implements ChannelStrategy {
  readonly channel = 'email';
  readonly errorId = 'mail_unexpected_error';

  constructor(
    private readonly templates: TemplateRenderer,
    private readonly calls: ProviderCalls,
    private readonly layouts: LayoutDirectory,
    private readonly files: AttachedFiles,
    private readonly links: EmailLinks,
    private readonly contents: EnvironmentContents,
  ) {}

  async prepare(steps: ReadyStep[]): Promise<Prepared[]> {
    const layouts = await this.findLayouts(steps);
    const emails = await renderWithSecrets(
      steps.map((step, index) => ({
        ...renderItem(step),
        variables: this.links.variablesOf(step.item.step, step.admitted, layouts[index]!.controls),
        layout: layouts[index]!.controls ?? null,
        escapeHtml: step.item.workflow.escapeHtml,
      })),
      (items) => this.render(items),
    );
    return steps.map((step, index): Prepared => {
      const layout = layouts[index]!;
      if (layout.missing !== undefined) {
        return impossible(layoutMissingLine(layout.missing));
      }
      if (layout.fault) return contentFault(layout.fault);
      return prepareWithSecrets(emails[index]!, (email: Rendered) =>
        email.ok ? this.address(step, email, layout) : contentFault(email.fault),
      );
    });
  }

  private async render(items: EmailItem[]): Promise<Rendered[]> {
    const [emails, senders] = await Promise.all([
      renderEmails(this.templates, items),
      this.templates.renderMany(
        items.map(({ environmentId, variables, controls: { from, replyTo } }) => ({
          environmentId,
          variables,
          controls: { ...(from !== undefined && { from }), ...(replyTo !== undefined && { replyTo }) },
        })),
      ),
    ]);
    return emails.map((email, index) => {
      const sender = senders[index]!;
      if (!email.ok) return email;
      return sender.ok ? { ...email, sender: sender.controls as Sender } : sender;
    });
  }

  private address(ready: ReadyStep, rendered: RenderedEmail, layout: Layout): Prepared {
    const { email } = rendered;
    const { step } = ready.item;
    const overrides = overridesFor(this.channel, ready, ready.accounts[0]!);
    const { address, skipped, refusal } = emailReach(step.subscriber!.email, overrides, ready.suppressed);
    return singleDelivery(ready, {
      row: this.rowOf(ready, email, address, overrides),
      refusal,
      lines: [...(layout.line ? [layout.line] : []), ...skipped],
      textsOf: (own) => textsOf(email, own),
      send: (account, own, options) =>
        this.files.with(step, async (files) => {
          const message = await this.messageFor(ready, rendered, files, own);
          if (message.to.length === 0) return ALL_SUPPRESSED;
          return this.calls.send<'email'>(account, message, own.rest(), options);
        }),
    });
  }

  private rowOf(
    { admitted }: ReadyStep,
    email: ComposedEmail,
    address: string | undefined,
    overrides: MessageOverrides,
  ): Delivery['row'] {
    const row: Delivery['row'] = {
      channel: this.channel,
      messageTemplateId: admitted.contentId,
      ...textsOf(email, overrides),
    };
    if (address !== undefined) row.email = address;
    return row;
  }

  private async messageFor(
    { item: { step }, suppressed }: ReadyStep,
    { email, sender }: RenderedEmail,
    files: Attachment[],
    overrides: MessageOverrides,
  ): Promise<EmailMessage> {
    const { to, cc, bcc } = emailReach(step.subscriber!.email, overrides, suppressed);
    const message: EmailMessage = {
      id: step.id,
      to,
      subject: overrides.text('subject') ?? email.subject,
      html: await this.links.track(overrides.text('html') ?? email.html, step),
      text: overrides.text('text') ?? email.text,
    };
    const from = overrides.text('from') ?? sender.from?.email;
    const senderName = overrides.text('senderName') ?? sender.from?.name;
    const replyTo = overrides.text('replyTo') ?? sender.replyTo;
    const ipPoolName = overrides.text('ipPoolName');
    const headers = overrides.object('headers') as Record<string, string> | undefined;
    const customData = overrides.object('customData');
    if (from !== undefined) message.from = from;
    if (senderName !== undefined) message.senderName = senderName;
    if (replyTo !== undefined) message.replyTo = replyTo;
    if (ipPoolName !== undefined) message.ipPoolName = ipPoolName;
    if (headers) message.headers = headers;
    const unsubscribeUrl = this.links.preferencesUrl(step);
    if (unsubscribeUrl !== undefined) message.unsubscribeUrl = unsubscribeUrl;
    if (customData) message.customData = customData;
    if (cc.length > 0) message.cc = cc;
    if (bcc.length > 0) message.bcc = bcc;
    if (files.length > 0) message.attachments = files.map(({ name, mime, content }) => ({ name, mime, file: content }));
    return message;
  }

  /** The layout of the trigger, else of the step, else the default of the environment. */
  private async findLayouts(steps: ReadyStep[]): Promise<Layout[]> {
    const wanted = steps.map(({ item: { step }, admitted }) => {
      const layoutId = layoutOf(step.notification.overrides ?? undefined, step.stepKey, admitted.controls);
      const { environmentId, settingsStamp: stamp, subscriber } = step;
      return { layoutId, environmentId, stamp, locale: subscriber!.locale };
    });
    const named = new Map<EnvironmentId, { stamp: string | null; ids: Set<string | undefined> }>();
    for (const { layoutId, environmentId, stamp } of wanted) {
      if (layoutId === null) continue;
      const environment = named.get(environmentId) ?? { stamp, ids: new Set() };
      environment.ids.add(layoutId);
      named.set(environmentId, environment);
    }
    const found = new Map(
      await Promise.all(
        [...named].map(
          async ([environmentId, { stamp, ids }]) =>
            [environmentId, await this.layouts.find(environmentId, stamp, ids)] as const,
        ),
      ),
    );
    const used = wanted.map(({ layoutId, environmentId, locale }) => {
      const layout = layoutId === null ? undefined : found.get(environmentId)?.get(layoutId);
      if (!layout) return undefined;
      const controls = (layout.controlValues as { email?: JsonObject }).email ?? NO_CONTROLS;
      return { environmentId, resourceId: layout.id, isEmail: true, controls, locale, layoutId: layout.layoutId };
    });
    const translated = (await this.contents.translate(used.filter((layout) => layout !== undefined))).values();
    return wanted.map(({ layoutId }, index): Layout => {
      const layout = used[index];
      if (layout) {
        const rendering = translated.next().value!;
        if (!rendering.ok) return { given: true, fault: { ...rendering.fault, path: 'layout' } };
        return { given: true, controls: rendering.controls, line: layoutSelectedLine(layout.layoutId) };
      }
      return typeof layoutId === 'string' ? { given: true, missing: layoutId } : { given: false };
    });
  }
}

/** What is recorded: the blocks of the editor, unless an override replaced what was made of them. */
const textsOf = (email: ComposedEmail, overrides: MessageOverrides): Pick<Delivery['row'], 'subject' | 'content'> => ({
  subject: overrides.text('subject') ?? email.subject,
  content: overrides.text('html') ?? (email.blocks as JsonObject[] | undefined) ?? email.html,
});
