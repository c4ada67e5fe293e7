import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  DomainError,
  holdsMoreValuesThan,
  type InboundEventDto,
  LIMITS,
  mapInSlices,
  retryLater,
  TimeSlices,
} from '@clarion/contracts';
import {
  Database,
  DeliveryEventRepository,
  EnvironmentVariableRepository,
  type Integration,
} from '@clarion/persistence';
import { Egress, EgressError, type Logger, Metrics, openIntegration, openVariable, SecretBox } from '@clarion/platform';
import {
  type DeliveryEvent,
  type DeliveryEvents,
  describeProvider,
  type InboundAnswer,
  type InboundCall,
  type InboundContext,
  providerFor,
  redactText,
  type CallCheck,
} from '@clarion/providers';
import { LOGGER } from '../../edge/dependencies';
import { TenantRates } from '../../edge/http/tenant-rates';
import { EVENT_RECORDS, usableEvent, toNewEvent } from './event-record';

/** The response to the provider: the events, or the form that this provider expects. */
export type InboundResponse = InboundEventDto[] | InboundAnswer;

/** A provider may report an event before the worker has stored the message: the service looks for it a second time. */
const SECOND_LOOKUP_MS = 1_000;
const RECENT_MS = 60_000;

const NOT_VERIFIED = 'the sender of a webhook call could not be verified; the call is refused';
const NOT_ANSWERED = 'a webhook call of a provider could not be answered in its form';
/** A body that makes the check throw is not the provider's. */
const UNREADABLE: CallCheck = { ok: false, reason: 'The call could not be read' };

/** Receives delivery events from providers: checks the caller, records the events, answers in the provider's form. */
@Injectable()
export class InboundWebhooksService {
  constructor(
    private readonly database: Database,
    private readonly store: DeliveryEventRepository,
    private readonly variables: EnvironmentVariableRepository,
    private readonly secrets: SecretBox,
    private readonly egress: Egress,
    private readonly metrics: Metrics,
    private readonly rates: TenantRates,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async receive(integration: Integration, call: InboundCall): Promise<InboundResponse> {
    this.rates.require(integration.environmentId, 'inbound');
    // The tenant has no part in the call, but its share of the connections is what the events may use.
    const { database } = this;
    return database.asTenant(integration.environmentId, () => database.asSystem(() => this.take(integration, call)));
  }

  private async take(integration: Integration, call: InboundCall): Promise<InboundResponse> {
    refuseManyValues(call);
    const events = eventsOf(integration);
    const context = this.contextFor(integration);
    const handshake = this.attempt(integration, 'handshake', () => events.handshake?.(call, context));
    if (handshake) return handshake;
    const verdict = await this.ask(integration, NOT_VERIFIED, () => events.verify(call, context), UNREADABLE);
    if (!verdict.ok) throw new DomainError('unauthorized', verdict.reason);
    const slices = new TimeSlices();
    await slices.pause();
    await this.refuseOtherBody(integration, events, call);
    const reported = this.attempt(integration, 'events', () => events.parse(call)) ?? [];
    if (reported.length > LIMITS.inboundEvents) throw tooMany(`${LIMITS.inboundEvents} events`);
    this.rates.require(integration.environmentId, 'inboundEvents', reported.length);
    await slices.rest();
    if (reported.length === 0)
      this.logger.info({ integrationId: integration.id }, 'a webhook call of a provider has no events');
    const shown = await this.withoutSecrets(integration, context, reported);
    const results = await this.record(integration, shown, context.now());
    return (await this.ask(integration, NOT_ANSWERED, () => events.answer?.(call, context), undefined)) ?? results;
  }

  /** Throws unless inbound webhooks are enabled for the integration. */
  private contextFor(integration: Integration): InboundContext {
    const { credentials, configurations, unreadable } = openIntegration(this.secrets, integration);
    if (unreadable.credentials.length + unreadable.configurations.length > 0) {
      this.logger.error(
        { integrationId: integration.id, unreadable },
        'the stored credentials of an integration cannot be decrypted',
      );
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

  /** Asks the provider's code, which may ask the provider. After a network fault the provider may retry. */
  private async ask<T>({ id }: Integration, fault: string, question: () => T | Promise<T>, otherwise: T): Promise<T> {
    try {
      return await question();
    } catch (error) {
      this.logger.warn({ err: error, integrationId: id }, fault);
      if (isNetworkFault(error)) throw tryLater();
      return otherwise;
    }
  }

  /** When the signature does not cover the body, each signature is accepted with the first body only. */
  private async refuseOtherBody(integration: Integration, events: DeliveryEvents, call: InboundCall): Promise<void> {
    if (!events.signedOnce) return;
    const signed = createHash('sha256').update(events.signedOnce(call)).digest('hex');
    const report = createHash('sha256').update(`${call.method} ${call.url}\n`).update(call.body).digest('hex');
    if (await this.store.isFirstReport(integration, signed, report)) return;
    throw new DomainError('unauthorized', 'The signature was used before, with another report');
  }

  /** A call that cannot be read is accepted: after an error the provider would repeat the same call for hours. */
  private attempt<T>({ id }: Integration, part: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.logger.warn(
        { err: error, integrationId: id, part },
        'a webhook call of a provider could not be read; it is ignored',
      );
      return undefined;
    }
  }

  /** The reason of a bounce, or a clicked link, may repeat a part of the message. */
  private async withoutSecrets(
    { environmentId }: Integration,
    { credentials }: InboundContext,
    events: DeliveryEvent[],
  ): Promise<DeliveryEvent[]> {
    if (!events.some(({ reason }) => reason)) return events;
    const { variables } = await this.variables.load(environmentId);
    const secrets = variables.flatMap(({ sealedValue, ...row }) =>
      sealedValue === null ? [] : (openVariable(this.secrets, { ...row, sealedValue }) ?? []),
    );
    return mapInSlices(events, (event) =>
      event.reason ? { ...event, reason: redactText(event.reason, credentials, secrets) } : event,
    );
  }

  private async record(integration: Integration, reported: DeliveryEvent[], now: Date): Promise<InboundEventDto[]> {
    const usable = (await mapInSlices(reported, (event) => usableEvent(event, now) ?? [])).flat();
    const byId = new Map(usable.map((event) => [event.id, event]));
    const rows = await mapInSlices([...byId.values()], (event) => toNewEvent(integration, event));
    for (const { kind } of byId.values()) this.metrics.inboundEvent(integration.providerId, kind);
    const taken = await this.store.take(integration, rows);
    const unknown = new Set(taken.filter(({ messageId }) => messageId === null).map(({ eventId }) => eventId));
    const early = rows.filter(({ eventId }) => unknown.has(eventId) && mayComeLate(byId.get(eventId)!, now));
    if (early.length > 0) {
      await pause(SECOND_LOOKUP_MS);
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

const tooMany = (what: string): DomainError =>
  new DomainError('too_large', `A call of a provider holds at most ${what}: set smaller batches at the provider`);

/** Counted before a call is verified, because some proofs are in the body. */
function refuseManyValues({ body }: InboundCall): void {
  const most = LIMITS.jsonValues;
  if (body.length <= 2 * most) return;
  const text = body.toString('latin1');
  const isRefused = /^\s*[[{]/.test(text) ? holdsMoreValuesThan(most, text) : holdsMoreFieldsThan(most, text);
  if (isRefused) throw tooMany(`${most} values`);
}

/** Of a form: its fields, and the values of escaped JSON. */
function holdsMoreFieldsThan(limit: number, text: string): boolean {
  const separator = /[&,[{]|%(?:2c|5b|7b)/gi;
  let values = 0;
  while (separator.test(text)) if ((values += 1) > limit) return true;
  return false;
}

const mayComeLate = ({ messageId, providerMessageId, at }: DeliveryEvent, now: Date): boolean =>
  (messageId ?? providerMessageId) !== undefined && now.getTime() - at!.getTime() < RECENT_MS;

/** A retry may succeed. An address that egress refuses is refused again. */
const isNetworkFault = (error: unknown): boolean => error instanceof EgressError && error.kind !== 'refused';

const tryLater = (): DomainError =>
  retryLater('unavailable', 'The call could not be checked at the moment, please repeat it', 30);

const toDto = ({ id, kind, at, providerMessageId, reason }: DeliveryEvent, applied: boolean): InboundEventDto => ({
  id,
  event: {
    status: EVENT_RECORDS[kind].responseStatus,
    date: at!.toISOString(),
    ...(providerMessageId !== undefined && { externalId: providerMessageId }),
    ...(reason !== undefined && { response: reason }),
  },
  applied,
});
