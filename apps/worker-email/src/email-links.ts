import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@clarion/contracts/core';
import { trackedHtml } from '@clarion/content';
import { type Admitted, IntegrationDirectory } from '@clarion/delivery';
import type { ClaimedStep } from '@clarion/persistence';
import { Config, LinkTokens, SecretBox } from '@clarion/platform';

const PAGE = /\b(?:unsubscribeUrl|preferencesUrl)\b/;
/** By template: workflow versions and layouts are kept, so that each is searched once. */
const known = new WeakMap<JsonObject, boolean>();

function mentionsPage(template: JsonObject): boolean {
  let mentions = known.get(template);
  if (mentions === undefined) known.set(template, (mentions = PAGE.test(JSON.stringify(template))));
  return mentions;
}

/** The links to this installation that emails contain: tracked links, the pixel of opens, and unsubscribing. */
@Injectable()
export class EmailLinks {
  private readonly tokens: LinkTokens;
  /** The public base URL of this installation. Without it, emails have no links to it. */
  private readonly publicUrl: string | undefined;

  constructor(
    config: Config,
    secrets: SecretBox,
    private readonly integrations: IntegrationDirectory,
  ) {
    this.tokens = new LinkTokens(secrets);
    this.publicUrl = config.CLARION_PUBLIC_URL;
  }

  /** The HTML with what the environment tracks; the same HTML when it tracks nothing. */
  track(html: string, { id: messageId, environmentId }: ClaimedStep): string {
    const { tokens, publicUrl, integrations } = this;
    const settings = integrations.settingsOf(environmentId);
    if (publicUrl === undefined || (!settings?.trackOpens && !settings?.trackClicks)) return html;
    const isOwn = (url: string): boolean => url.startsWith(`${publicUrl}/u/`) || url.startsWith(`${publicUrl}/t/`);
    const linkFor = (url: string): string | undefined =>
      isOwn(url) ? undefined : `${publicUrl}/t/c/${tokens.issue({ kind: 'click', environmentId, messageId, url })}`;
    const pixel = `${publicUrl}/t/o/${tokens.issue({ kind: 'open', environmentId, messageId })}`;
    return trackedHtml(html, { ...(settings.trackClicks && { linkFor }), ...(settings.trackOpens && { pixel }) });
  }

  /** The variables of templates that link to the page of preferences; the same object for all other templates. */
  variablesOf(step: ClaimedStep, { controls, variables }: Admitted, layout: JsonObject | undefined): JsonObject {
    const own = variables as unknown as JsonObject;
    if (!mentionsPage(controls) && !(layout && mentionsPage(layout))) return own;
    const url = this.preferencesUrl(step);
    return url === undefined ? own : { ...own, unsubscribeUrl: url, preferencesUrl: url };
  }

  /** The page on which the subscriber chooses what to get; undefined when emails do not link to it. */
  preferencesUrl({ environmentId, subscriber, notification }: ClaimedStep): string | undefined {
    const { tokens, publicUrl, integrations } = this;
    if (
      publicUrl === undefined ||
      notification.critical ||
      !integrations.settingsOf(environmentId)?.oneClickUnsubscribe
    ) {
      return undefined;
    }
    const { workflowId } = notification;
    const subscriberId = subscriber!.id;
    return `${publicUrl}/u/${tokens.issue({ kind: 'preferences', environmentId, subscriberId, workflowId })}`;
  }
}
