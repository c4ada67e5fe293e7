import type { EnvironmentId } from '@clarion/contracts/core';
import { trackedHtml } from '@clarion/content';
import type { ClaimedStep, SendingSettings } from '@clarion/persistence';
import type { LinkTokens } from '@clarion/platform';

export type EmailLinksParts = {
  tokens: LinkTokens;
  /** The public base URL of this installation. Without it, emails have no links to it. */
  publicUrl?: string;
  settingsOf(environmentId: EnvironmentId): SendingSettings | undefined;
};

/** The links to this installation that emails contain: tracked links, the pixel of opens, and unsubscribing. */
export class EmailLinks {
  constructor(private readonly parts: EmailLinksParts) {}

  /** The HTML with what the environment tracks; the same HTML when it tracks nothing. */
  track(html: string, { id: messageId, environmentId }: ClaimedStep): string {
    const { tokens, publicUrl, settingsOf } = this.parts;
    const settings = settingsOf(environmentId);
    if (publicUrl === undefined || (!settings?.trackOpens && !settings?.trackClicks)) return html;
    const isOwn = (url: string): boolean => url.startsWith(`${publicUrl}/u/`) || url.startsWith(`${publicUrl}/t/`);
    const linkFor = (url: string): string | undefined =>
      isOwn(url) ? undefined : `${publicUrl}/t/c/${tokens.issue({ kind: 'click', environmentId, messageId, url })}`;
    const pixel = `${publicUrl}/t/o/${tokens.issue({ kind: 'open', environmentId, messageId })}`;
    return trackedHtml(html, { ...(settings.trackClicks && { linkFor }), ...(settings.trackOpens && { pixel }) });
  }

  /** The page on which the subscriber chooses what to get; undefined when emails do not link to it. */
  preferencesUrl({ environmentId, subscriber, notification }: ClaimedStep): string | undefined {
    const { tokens, publicUrl, settingsOf } = this.parts;
    if (publicUrl === undefined || notification.critical || !settingsOf(environmentId)?.oneClickUnsubscribe) {
      return undefined;
    }
    const { workflowId } = notification;
    const subscriberId = subscriber!.id;
    return `${publicUrl}/u/${tokens.issue({ kind: 'preferences', environmentId, subscriberId, workflowId })}`;
  }
}
