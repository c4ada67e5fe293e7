import { Injectable } from '@nestjs/common';
import { type Channel, type ChannelFlagsDto, CHANNELS, type EnvironmentId } from '@clarion/contracts';
import { Database, type Subscriber, SubscriberRepository } from '@clarion/persistence';
import { type EmailLink, LinkTokens, SecretBox } from '@clarion/platform';
import { SubscriberPreferencesService } from '../../audience/preferences/subscriber-preferences.service';
import type { PreferencesPage, ShownPreference } from './pages';

type PreferencesLink = Extract<EmailLink, { kind: 'preferences' }>;

/** Workflows on one page; the newest come first. */
const SHOWN = 100;

/** A form that the page sent: the workflows that it showed, and the channels that are switched on. */
export type ChosenPreferences = { workflowIds: string[]; on: string[] };

/** The preferences of the recipient of an email. The token of the link names the recipient and the workflow. */
@Injectable()
export class UnsubscribeService {
  private readonly tokens: LinkTokens;

  constructor(
    secrets: SecretBox,
    private readonly database: Database,
    private readonly subscribers: SubscriberRepository,
    private readonly preferences: SubscriberPreferencesService,
  ) {
    this.tokens = new LinkTokens(secrets);
  }

  read(token: string): PreferencesLink | undefined {
    return this.tokens.read('preferences', token);
  }

  /** Undefined when the subscriber was deleted. */
  show(link: PreferencesLink): Promise<PreferencesPage | undefined> {
    return this.forSubscriber(link, (subscriber) => this.describe(subscriber, link));
  }

  /** Switches the emails of the workflow off. A workflow that was deleted, or is critical now, changes nothing. */
  unsubscribe(link: PreferencesLink): Promise<PreferencesPage | undefined> {
    return this.forSubscriber(link, async (subscriber) => {
      const before = await this.describe(subscriber, link);
      if (!before.email) return { ...before, done: 'You do not get these emails.' };
      await this.change(subscriber, [{ workflowId: link.workflowId, channels: { email: false } }]);
      const page = await this.describe(subscriber, link);
      return { ...page, done: `You are unsubscribed from the emails of ${before.email.name}.` };
    });
  }

  save(link: PreferencesLink, { workflowIds, on }: ChosenPreferences): Promise<PreferencesPage | undefined> {
    return this.forSubscriber(link, async (subscriber) => {
      const shown = new Set(workflowIds);
      const wanted = new Set(on);
      const { preferences } = await this.describe(subscriber, link);
      const changes = preferences.flatMap(({ id, channels }) => {
        const changed = channels.filter(({ channel, enabled }) => wanted.has(`${id} ${channel}`) !== enabled);
        if (!shown.has(id) || changed.length === 0) return [];
        const flags = Object.fromEntries(changed.map(({ channel, enabled }) => [channel, !enabled]));
        return [{ workflowId: id, channels: flags as ChannelFlagsDto }];
      });
      if (changes.length > 0) await this.change(subscriber, changes);
      return { ...(await this.describe(subscriber, link)), done: 'Your preferences are saved.' };
    });
  }

  private forSubscriber<T>(
    link: PreferencesLink,
    work: (subscriber: Subscriber) => Promise<T>,
  ): Promise<T | undefined> {
    const environmentId = link.environmentId as EnvironmentId;
    return this.database.asTenant(environmentId, async () => {
      const [subscriber] = await this.subscribers.findByIds(environmentId, [link.subscriberId]);
      return subscriber && work(subscriber);
    });
  }

  private async describe(subscriber: Subscriber, { workflowId }: PreferencesLink): Promise<PreferencesPage> {
    const [, ...all] = await this.preferences.listAll({ subscriber, contextKeys: [] }, { criticality: 'nonCritical' });
    const preferences = all.flatMap(({ workflow, channels }): ShownPreference[] => {
      if (!workflow) return [];
      const shown = CHANNELS.filter((channel) => channels[channel] !== undefined);
      if (shown.length === 0) return [];
      const flags = shown.map((channel: Channel) => ({ channel, enabled: channels[channel] === true }));
      return [{ id: workflow.id, name: workflow.name, channels: flags }];
    });
    const own = preferences.find(({ id }) => id === workflowId);
    const email = own?.channels.find(({ channel }) => channel === 'email');
    const page = { preferences: preferences.slice(0, SHOWN) };
    return own && email ? { ...page, email: { name: own.name, enabled: email.enabled } } : page;
  }

  private async change(
    subscriber: Subscriber,
    changes: { workflowId: string; channels: ChannelFlagsDto }[],
  ): Promise<void> {
    await this.preferences.changeWorkflows({ subscriber, contextKeys: [] }, changes);
  }
}
