import { Injectable } from '@nestjs/common';
import {
  IN_DOUBT_POLICIES,
  isDemoProvider,
  PROVIDER_IDS,
  type ProviderDto,
  type ProviderEventsDto,
  type ProviderFieldDto,
  type ProviderId,
  type ProviderListDto,
} from '@clarion/contracts';
import { Config } from '@clarion/platform';
import { type DescribedField, describedFieldsOf, describeProvider, providerFor } from '@clarion/providers';

const EVENTS_PATH = '/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}';

const EVENT_FIELDS: ProviderFieldDto[] = [
  {
    name: 'inboundWebhookEnabled',
    label: 'Accept delivery events',
    type: 'boolean',
    required: false,
    secret: false,
    hint: 'the provider reports whether a message was delivered, bounced or opened',
  },
  {
    name: 'inboundWebhookSigningKey',
    label: 'Signing key of the delivery events',
    type: 'text',
    required: false,
    secret: true,
    hint: 'proves that a report comes from the provider',
  },
];

const IN_DOUBT_FIELD: ProviderFieldDto = {
  name: 'inDoubt',
  label: 'Message in doubt',
  type: 'choice',
  required: false,
  secret: false,
  options: [...IN_DOUBT_POLICIES],
  hint: 'what happens to a message that may have been sent before a worker died',
};

const RATE_LIMIT_FIELD: ProviderFieldDto = {
  name: 'rateLimit',
  label: 'Messages a second',
  type: 'number',
  required: false,
  secret: false,
  hint: 'the most that all workers together send; more wait; 0 is no limit',
};

@Injectable()
export class ProviderCatalogue {
  constructor(private readonly config: Config) {}

  list(): ProviderListDto {
    return { data: PROVIDER_IDS.map((id) => this.describe(id)) };
  }

  private describe(id: ProviderId): ProviderDto {
    const { channel, displayName, evidence, idempotency } = describeProvider(id);
    const provider = providerFor(id);
    const names = provider?.overrides.names ?? [];
    const events = provider?.events;
    return {
      id,
      channel,
      displayName,
      builtIn: channel === 'in_app' || isDemoProvider(id),
      credentials: describedFieldsOf(id).map(toFieldDto),
      configurations: [...(events ? EVENT_FIELDS : []), ...(provider ? [IN_DOUBT_FIELD, RATE_LIMIT_FIELD] : [])],
      check: provider?.check !== undefined,
      batchSize: provider?.batch?.size ?? 1,
      ...(idempotency !== undefined && { duplicateDetection: idempotency }),
      ...(events && { deliveryEvents: this.eventsOf(displayName, events.proof, events.keyInUrl === true) }),
      overrides: names === 'any' ? ['*'] : [...names],
      evidence,
    };
  }

  private eventsOf(displayName: string, proof: string, keyInUrl: boolean): ProviderEventsDto {
    const baseUrl = this.config.CLARION_PUBLIC_URL;
    return {
      proof: proof.replaceAll('`', ''),
      keyInUrl,
      path: keyInUrl ? `${EVENTS_PATH}?token={inboundWebhookSigningKey}` : EVENTS_PATH,
      ...(baseUrl && { baseUrl }),
      help: [
        'Switch on "Accept delivery events" in this integration.',
        keyInUrl
          ? 'Choose a long random signing key and store it here. It is part of the address.'
          : `Store the signing key that ${displayName} shows for its webhooks.`,
        `Give ${displayName} the address as the webhook for delivery events.`,
        `Each report is checked: ${proof.replaceAll('`', '')}. Hard bounces and complaints suppress the address.`,
      ],
    };
  }
}

const toFieldDto = (field: DescribedField): ProviderFieldDto => ({ ...field, label: labelOf(field.name) });

/** `accountSid` as `Account SID`: the words of a name, with known abbreviations in capitals. */
function labelOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').split(' ');
  const text = words
    .map((word) => (ABBREVIATIONS.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const ABBREVIATIONS = new Set(['api', 'id', 'sid', 'url', 'uid', 'tls', 'ip', 'io', 'hmac']);
