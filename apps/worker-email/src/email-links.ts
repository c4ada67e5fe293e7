import { Inject, Injectable } from '@nestjs/common';
import { type JsonObject, nextTurn } from '@clarion/contracts/core';
import { trackedHtml } from '@clarion/content';
import { type Admitted, IntegrationDirectory } from '@clarion/delivery';
import { type ClaimedStep, Database } from '@clarion/persistence';
import { Config, LinkTokens, SecretBox } from '@clarion/platform';

/** The characters of an email whose links take a noticeable part of a slice of time; a usual email does not wait. */
const LARGE_HTML = 20_000;

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
  private readonly tokens = new LinkTokens(this.secrets);
  /** The public base URL of this installation. Without it, emails have no links to it. */
  private readonly publicUrl = this.config.CLARION_PUBLIC_URL;
  /** By organization: the end of the last turn that its emails have taken. */
  private readonly turns = new Map<string, Promise<void>>();

  constructor(
    @Inject(Config) private readonly config: Pick<Config, 'CLARION_PUBLIC_URL'>,
    private readonly secrets: SecretBox,
    @Inject(IntegrationDirectory) private readonly integrations: Pick<IntegrationDirectory, 'settingsOf'>,
    @Inject(Database) private readonly database: { organizations: Pick<Database['organizations'], 'of'> },
  ) {}

  /** The HTML with what the environment tracks; the same HTML when it tracks nothing. */
  async track(html: string, step: Pick<ClaimedStep, 'id' | 'environmentId'>): Promise<string> {
    const { id: messageId, environmentId } = step;
    const { tokens, publicUrl, integrations } = this;
    const settings = integrations.settingsOf(environmentId);
    if (publicUrl === undefined || (!settings?.trackOpens && !settings?.trackClicks)) return html;
    if (html.length > LARGE_HTML) await this.turnOf(environmentId);
    const isOwn = (url: string): boolean => url.startsWith(`${publicUrl}/u/`) || url.startsWith(`${publicUrl}/t/`);
    const linkFor = (url: string): string | undefined =>
      isOwn(url) ? undefined : `${publicUrl}/t/c/${tokens.issue({ kind: 'click', environmentId, messageId, url })}`;
    const pixel = `${publicUrl}/t/o/${tokens.issue({ kind: 'open', environmentId, messageId })}`;
    return trackedHtml(html, { ...(settings.trackClicks && { linkFor }), ...(settings.trackOpens && { pixel }) });
  }

  /** The emails of a batch are sent at the same time, and the links of each may take much of a slice of time. */
  private turnOf(environmentId: ClaimedStep['environmentId']): Promise<void> {
    const organization = this.database.organizations.of(environmentId);
    const turn = (this.turns.get(organization) ?? Promise.resolve()).then(nextTurn);
    this.turns.set(organization, turn);
    return turn.finally(() => {
      if (this.turns.get(organization) === turn) this.turns.delete(organization);
    });
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
