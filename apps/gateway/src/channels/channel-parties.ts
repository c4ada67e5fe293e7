import { Injectable } from '@nestjs/common';
import {
  type ChannelListQuery,
  contextEntries,
  contextKey,
  DomainError,
  invalidField,
  type JsonObject,
} from '@clarion/contracts';
import {
  type ChannelListFilter,
  ContextRepository,
  type Integration,
  IntegrationRepository,
  type Subscriber,
  SubscriberRepository,
} from '@clarion/persistence';
import { contextFault } from '../audience/contexts/context-fault';
import { givenContexts } from '../edge/http/query-list';
import { type ChannelCaller, contextsOf } from './channel-caller';

/** Finds what a request about connections and endpoints names: integrations, subscribers and contexts. */
@Injectable()
export class ChannelParties {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly context: ContextRepository,
  ) {}

  async chatIntegration({ environmentId }: ChannelCaller, identifier: string): Promise<Integration> {
    const integration = await this.integrations.findByIdentifier(environmentId, identifier);
    if (!integration) throw new DomainError('not_found', `Integration ${identifier} was not found`);
    if (integration.channel !== 'chat') {
      throw invalidField('integrationIdentifier', 'integrationIdentifier must name a chat integration', identifier);
    }
    return integration;
  }

  async subscriber(
    { environmentId }: ChannelCaller,
    subscriberId: string,
    createsMissing = false,
  ): Promise<Subscriber> {
    const known = await this.subscribers.find(environmentId, subscriberId);
    if (known) return known;
    if (!createsMissing) throw new DomainError('not_found', `Subscriber ${subscriberId} was not found`);
    return this.subscribers.upsert(environmentId, { subscriberId });
  }

  /** Creates the contexts that do not exist and returns their keys, sorted. A subscriber creates none. */
  async contexts({ environmentId, subscriber }: ChannelCaller, context: JsonObject | undefined): Promise<string[]> {
    const errors = contextFault(context);
    if (errors) throw new DomainError('unprocessable', 'Validation Error', { errors });
    const entries = contextEntries(context ?? {});
    if (subscriber) return contextsOf(subscriber.contextKeys, entries.map(contextKey));
    await this.context.ensureMany(entries.map(({ type, id, data }) => ({ environmentId, type, contextId: id, data })));
    return entries.map(contextKey);
  }

  filterOf(query: ChannelListQuery): ChannelListFilter {
    const { subscriberId, channel, providerId, integrationIdentifier, contextKeys } = query;
    return { subscriberId, channel, providerId, integrationIdentifier, contextKeys: givenContexts(contextKeys) };
  }
}
