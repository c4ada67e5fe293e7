import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type CreatedWebhookEndpointDto,
  type CreateWebhookEndpointDto,
  DomainError,
  invalidField,
  LIMITS,
  type ListWebhookDeliveriesQuery,
  newId,
  type PatchWebhookEndpointDto,
  type WebhookDeliveryListDto,
  type WebhookEndpointDto,
  type WebhookEndpointListDto,
  type WebhookSecretDto,
} from '@clarion/contracts';
import {
  Database,
  type EndpointWithBacklog,
  type KeyOwner,
  type WebhookEndpoint,
  WebhookEndpointRepository,
} from '@clarion/persistence';
import { Egress, sealWebhookSecret, SecretBox } from '@clarion/platform';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { maskQuery } from '../../edge/http/masked-text';
import { numberedPage, pageEnvelope } from '../../edge/http/numbered-page';
import { toDeliveryDto, toEndpointDto } from './webhook-answers';

const SECRET_BYTES = 24;
const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly egress: Egress,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  create(owner: KeyOwner, input: CreateWebhookEndpointDto): Promise<CreatedWebhookEndpointDto> {
    this.checkUrl(input.url);
    const { environmentId } = owner;
    const [id, secret] = [newId(), newSecret()];
    const settings = {
      url: input.url,
      description: input.description ?? null,
      events: filterOf(input.events),
      channels: filterOf(input.channels),
      workflows: filterOf(input.workflows),
    };
    return this.database.transaction(async () => {
      const sealed = sealWebhookSecret(this.secrets, environmentId, id, secret);
      const endpoint = await this.endpoints.insert(environmentId, id, settings, sealed);
      if (!endpoint) {
        throw new DomainError('bad_request', `An environment has at most ${LIMITS.webhookEndpoints} webhook endpoints`);
      }
      await this.audit.record(owner, { resource: 'webhook_endpoint', id, after: auditedOf(endpoint) });
      return { ...toEndpointDto(owner, endpoint), secret };
    });
  }

  async list(owner: KeyOwner): Promise<WebhookEndpointListDto> {
    const rows = await this.endpoints.list(owner.environmentId);
    return { data: rows.map((row) => toEndpointDto(owner, row)) };
  }

  async retrieve(owner: KeyOwner, id: string): Promise<WebhookEndpointDto> {
    return toEndpointDto(owner, found(await this.endpoints.find(owner.environmentId, id), id));
  }

  patch(owner: KeyOwner, id: string, input: PatchWebhookEndpointDto): Promise<WebhookEndpointDto> {
    if (input.url !== undefined) this.checkUrl(input.url);
    const { environmentId } = owner;
    return this.database.transaction(async () => {
      const before = found(await this.endpoints.lock(environmentId, id), id);
      if (input.skipMissed) await this.endpoints.skipMissed(environmentId, id);
      const after = await this.endpoints.update(before, {
        // A page sends the address back as it saw it.
        ...(input.url !== undefined && input.url !== maskQuery(before.url) && { url: input.url }),
        ...(input.active !== undefined && { active: input.active }),
        ...(input.description !== undefined && { description: input.description }),
        ...(input.events !== undefined && { events: filterOf(input.events) }),
        ...(input.channels !== undefined && { channels: filterOf(input.channels) }),
        ...(input.workflows !== undefined && { workflows: filterOf(input.workflows) }),
      });
      const change = { before: auditedOf(before), after: auditedOf(after) };
      if (before.url !== after.url && change.before.url === change.after.url) change.after.url += ' (other values)';
      await this.audit.record(owner, { resource: 'webhook_endpoint', id, ...change });
      return toEndpointDto(owner, after);
    });
  }

  delete(owner: KeyOwner, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const before = found(await this.endpoints.lock(owner.environmentId, id), id);
      await this.endpoints.delete(owner.environmentId, id);
      await this.audit.record(owner, { resource: 'webhook_endpoint', id, before: auditedOf(before) });
    });
  }

  rotateSecret(owner: KeyOwner, id: string): Promise<WebhookSecretDto> {
    const { environmentId } = owner;
    return this.database.transaction(async () => {
      found(await this.endpoints.lock(environmentId, id), id);
      const secret = newSecret();
      const sealed = sealWebhookSecret(this.secrets, environmentId, id, secret);
      const until = (await this.endpoints.replaceSecret(environmentId, id, sealed)).toISOString();
      // The audit log shows that the secret changed, and neither of them.
      const change = { before: { secretSince: 'before' }, after: { secretSince: new Date().toISOString() } };
      await this.audit.record(owner, { resource: 'webhook_endpoint', id, ...change });
      return { secret, previousSecretUntil: until };
    });
  }

  async listDeliveries(
    owner: KeyOwner,
    id: string,
    query: ListWebhookDeliveriesQuery,
  ): Promise<WebhookDeliveryListDto> {
    const { environmentId } = owner;
    const page = numberedPage(query);
    found(await this.endpoints.find(environmentId, id), id);
    return pageEnvelope(query, await this.endpoints.listDeliveries(environmentId, id, query, page), toDeliveryDto);
  }

  /** The addresses of a host name are checked at each call. */
  private checkUrl(url: string): void {
    const fault = this.egress.faultOf(url, 'https');
    if (fault !== undefined) throw invalidField('url', `url cannot be used: ${fault}`, url);
  }
}

export function found(endpoint: EndpointWithBacklog | undefined, id: string): EndpointWithBacklog {
  if (!endpoint) throw new DomainError('not_found', `Webhook endpoint ${id} was not found`);
  return endpoint;
}

/** No filter is null: an empty list is refused, because it could mean everything or nothing. */
const filterOf = <T extends string>(values: T[] | null | undefined): T[] | null =>
  values ? [...new Set(values)] : null;

/** The settings of an endpoint; its secret and its progress are not configuration. */
const auditedOf = ({ url, description, events, channels, workflows, active, disabledReason }: WebhookEndpoint) => ({
  url: maskQuery(url),
  description,
  events,
  channels,
  workflows,
  active,
  disabledReason,
});
