import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type EnvironmentId, type InboundEventDto, isId } from '@clarion/contracts';
import { DeliveryEventRepository, type Integration, IntegrationRepository } from '@clarion/persistence';
import { Egress, EgressError, type Logger, Metrics, openIntegration, SecretBox } from '@clarion/platform';
import {
  type DeliveryEvent,
  type DeliveryEvents,
  describeProvider,
  type InboundAnswer,
  type InboundCall,
  type InboundContext,
  providerFor,
  type Verdict,
} from '@clarion/providers';
import { LOGGER } from '../core.module';
import { EVENT_RECORDS, soundEvent, toNewEvent } from './event-record';

/** What the caller gets: the events, or what its provider expects instead. */
export type Reception = InboundEventDto[] | InboundAnswer;

/** A provider may tell about a message before the worker that sent it has written it down. */
const SECOND_LOOK_MS = 1_000;
const RECENT_MS = 60_000;

@Injectable()
export class InboundWebhooksService {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly store: DeliveryEventRepository,
    private readonly secrets: SecretBox,
    private readonly egress: Egress,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async receive(environmentId: EnvironmentId, integrationId: string, call: InboundCall): Promise<Reception> {
    const integration = await this.find(environmentId, integrationId);
    const events = eventsOf(integration);
    const context = this.contextFor(integration);
    const handshake = this.attempt(integration, 'handshake', () => events.handshake?.(call, context));
    if (handshake) return handshake;
    const verdict = await this.verify(integration, events, call, context);
    if (!verdict.ok) throw new DomainError('unauthorized', verdict.reason);
    await this.refuseOtherBody(integration, events, call);
    const told = this.attempt(integration, 'events', () => events.parse(call)) ?? [];
    if (told.length === 0) this.logger.info({ integrationId }, 'a call of a provider had no events');
    const results = await this.take(integration, told, context.now());
    return (await this.confirm(integration, events, call, context)) ?? results;
  }

  /** Unknown, foreign, deleted, malformed: nobody learns which. */
  private async find(environmentId: EnvironmentId, integrationId: string): Promise<Integration> {
    const isNamed = isId(environmentId) && isId(integrationId);
    const row =
      isNamed &&
      (await this.integrations.find(environmentId.toLowerCase() as EnvironmentId, integrationId.toLowerCase()));
    if (!row) throw new DomainError('not_found', 'There is no such integration');
    return row;
  }

  /** Ends the call unless the integration wants to hear from its provider. */
  private contextFor(integration: Integration): InboundContext {
    const { credentials, configurations, unreadable } = openIntegration(this.secrets, integration);
    if (unreadable.credentials.length + unreadable.configurations.length > 0) {
      this.logger.error({ integrationId: integration.id, unreadable }, 'stored credentials do not decrypt');
    }
    if (configurations.inboundWebhookEnabled !== true) {
      throw new DomainError(
        'forbidden',
        'Inbound webhooks are switched off for this integration: set configurations.inboundWebhookEnabled to true',
      );
    }
    return {
      credentials,
      signingKey: configurations.inboundWebhookSigningKey,
      http: this.egress.portsFor(integration.providerId).http,
      now: () => new Date(),
    };
  }

  /** Whoever sends a body that breaks the check is not the provider; but if the network failed us, it may try again. */
  private async verify(
    integration: Integration,
    events: DeliveryEvents,
    call: InboundCall,
    context: InboundContext,
  ): Promise<Verdict> {
    try {
      return await events.verify(call, context);
    } catch (error) {
      this.logger.warn({ err: error, integrationId: integration.id }, 'a call of a provider could not be checked');
      if (isNetworkFault(error)) throw tryLater();
      return { ok: false, reason: 'The call could not be read' };
    }
  }

  /** Where the signature does not cover the body, what it covers is believed with the first body alone. */
  private async refuseOtherBody(integration: Integration, events: DeliveryEvents, call: InboundCall): Promise<void> {
    if (!events.signedOnce) return;
    const signed = createHash('sha256').update(events.signedOnce(call)).digest('hex');
    const report = createHash('sha256').update(`${call.method} ${call.url}\n`).update(call.body).digest('hex');
    if (await this.store.isFirstReport(integration, signed, report)) return;
    throw new DomainError('unauthorized', 'The signature was used before, with another report');
  }

  private async confirm(
    integration: Integration,
    events: DeliveryEvents,
    call: InboundCall,
    context: InboundContext,
  ): Promise<InboundAnswer | undefined> {
    try {
      return await events.answer?.(call, context);
    } catch (error) {
      this.logger.warn({ err: error, integrationId: integration.id }, 'a call of a provider could not be answered');
      if (isNetworkFault(error)) throw tryLater();
      return undefined;
    }
  }

  /** A provider that gets an error repeats what we cannot read for hours. */
  private attempt<T>({ id }: Integration, part: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.logger.warn({ err: error, integrationId: id, part }, 'a call of a provider could not be read');
      return undefined;
    }
  }

  private async take(integration: Integration, told: DeliveryEvent[], now: Date): Promise<InboundEventDto[]> {
    const sound = told.flatMap((event) => soundEvent(event, now) ?? []);
    const byId = new Map(sound.map((event) => [event.id, event]));
    const rows = [...byId.values()].map((event) => toNewEvent(integration, event));
    for (const { kind } of byId.values()) this.metrics.inboundEvent(integration.providerId, kind);
    const taken = await this.store.take(integration, rows);
    const unknown = new Set(taken.filter(({ messageId }) => messageId === null).map(({ eventId }) => eventId));
    const early = rows.filter(({ eventId }) => unknown.has(eventId) && mayComeLate(byId.get(eventId)!, now));
    if (early.length > 0) {
      await pause(SECOND_LOOK_MS);
      taken.push(...(await this.store.take(integration, early)));
    }
    const applied = new Set(taken.filter(({ messageId }) => messageId !== null).map(({ eventId }) => eventId));
    return [...byId.values()].map((event) => toDto(event, applied.has(event.id)));
  }
}

function eventsOf({ providerId }: Integration): DeliveryEvents {
  const events = providerFor(providerId)?.events;
  if (events) return events;
  throw new DomainError('not_found', `${describeProvider(providerId).displayName} reports no delivery events`);
}

const mayComeLate = ({ messageId, providerMessageId, at }: DeliveryEvent, now: Date): boolean =>
  (messageId ?? providerMessageId) !== undefined && now.getTime() - at!.getTime() < RECENT_MS;

/** It may work another time, unlike an address that the guard does not let through. */
const isNetworkFault = (error: unknown): boolean => error instanceof EgressError && error.kind !== 'refused';

const tryLater = (): DomainError =>
  new DomainError(
    'unavailable',
    'The call could not be checked at the moment, please repeat it',
    {},
    {
      'Retry-After': '30',
    },
  );

const toDto = ({ id, kind, at, providerMessageId, reason }: DeliveryEvent, applied: boolean): InboundEventDto => ({
  id,
  event: {
    status: EVENT_RECORDS[kind].told,
    date: at!.toISOString(),
    ...(providerMessageId !== undefined && { externalId: providerMessageId }),
    ...(reason !== undefined && { response: reason }),
  },
  applied,
});
