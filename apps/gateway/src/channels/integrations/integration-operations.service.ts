import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type IntegrationCheckDto,
  type IntegrationDto,
  type IntegrationHealthListDto,
  type IntegrationUsageDto,
  invalidField,
  isDemoProvider,
  isId,
  LIMITS,
  PRIMARY_CHANNELS,
} from '@clarion/contracts';
import {
  Database,
  HoldRepository,
  type Integration,
  IntegrationRepository,
  type KeyOwner,
  WorkflowRepository,
} from '@clarion/persistence';
import { Egress, SecretBox } from '@clarion/platform';
import { checkCredentials, describeProvider } from '@clarion/providers';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { withoutNulls } from '../../edge/http/page';
import { askProvider } from './ask-provider';
import { open } from './integration-secrets';
import { IntegrationsService } from './integrations.service';

/** Names of workflows in the usage of an integration, and workflows that are counted. */
const SHOWN_WORKFLOWS = 20;
const COUNTED_WORKFLOWS = 1_000;

/** What people ask and do about a stored integration: does it work, what uses it, how was it, when is it used. */
@Injectable()
export class IntegrationOperations {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly holds: HoldRepository,
    private readonly workflows: WorkflowRepository,
    private readonly secrets: SecretBox,
    private readonly egress: Egress,
    private readonly audit: AuditLog,
    private readonly service: IntegrationsService,
  ) {}

  /** Tries out the stored credentials. A rejection is an answer, not an error. */
  check(owner: KeyOwner, id: string): Promise<IntegrationCheckDto> {
    return this.database.beforehand(() => this.tryOut(owner, id));
  }

  private async tryOut(owner: KeyOwner, id: string): Promise<IntegrationCheckDto> {
    const row = await this.find(owner, id);
    const { displayName } = describeProvider(row.providerId);
    const { credentials, unreadable } = open(this.secrets, row);
    const faults = [
      ...unreadable.credentials.map((field) => `${field} cannot be decrypted: send it again`),
      ...faultsOf(row, credentials),
    ];
    if (faults.length > 0) return { ok: false, asked: false, message: `${faults.join('; ')}.` };
    const result = await askProvider(this.egress, row.providerId, credentials);
    if (!result) {
      const message = `The credentials are complete. ${displayName} has no call that tries them out.`;
      return { ok: true, asked: false, message };
    }
    return result.ok
      ? { ok: true, asked: true, message: `${displayName} accepts the credentials.` }
      : { ok: false, asked: true, message: result.message };
  }

  async usage(owner: KeyOwner, id: string): Promise<IntegrationUsageDto> {
    const { environmentId } = owner;
    const row = await this.find(owner, id);
    const [subscribers, active, workflows, hold] = await Promise.all([
      this.integrations.countSubscribers(environmentId, id, LIMITS.countCap + 1),
      this.integrations.listActive(environmentId),
      this.workflows.namesWithStep(environmentId, row.channel, COUNTED_WORKFLOWS),
      this.holds.findTarget(environmentId, 'integration', id),
    ]);
    const others = active.filter(({ channel, id: other }) => channel === row.channel && other !== id);
    return {
      subscribers,
      lastOfChannel: row.active && others.length === 0,
      workflows: workflows.length,
      workflowNames: workflows.slice(0, SHOWN_WORKFLOWS),
      waitingSteps: hold?.waiting ?? 0,
    };
  }

  async health(owner: KeyOwner, id: string): Promise<IntegrationHealthListDto> {
    const row = await this.find(owner, id);
    return withoutNulls({ current: row.health ?? undefined, history: row.healthHistory }) as IntegrationHealthListDto;
  }

  /** Puts all active integrations of one channel into the given order. */
  async setOrder(owner: KeyOwner, ids: string[]): Promise<IntegrationDto[]> {
    await this.database.transaction(async () => {
      await this.integrations.lock(owner.environmentId);
      const rows = await this.integrations.list(owner.environmentId);
      const first = rows.find(({ id }) => id === ids[0]);
      if (!first) throw invalidField('ids', 'ids must begin with the id of an integration', ids[0] ?? '');
      const { channel } = first;
      if (!PRIMARY_CHANNELS.includes(channel)) {
        throw invalidField('ids', `ids must be integrations of ${PRIMARY_CHANNELS.join(' or ')}`, ids[0]!);
      }
      const ordered = rows.filter((row) => row.channel === channel && row.active && !isDemoProvider(row.providerId));
      const isComplete =
        ids.every(isId) &&
        new Set(ids).size === ids.length &&
        ids.length === ordered.length &&
        ordered.every(({ id }) => ids.includes(id));
      if (!isComplete) {
        const all = ordered.map(({ id }) => id).join(', ');
        throw invalidField(
          'ids',
          `ids must be all active integrations of ${channel}, each once: ${all}`,
          ids.join(', '),
        );
      }
      await this.integrations.setOrder(owner.environmentId, ids);
      await this.integrations.reorder(owner.environmentId, channel, first.id);
      const after = await this.integrations.list(owner.environmentId);
      for (const before of ordered) {
        const changed = { ...before, ...placeOf(after.find(({ id }) => id === before.id)!) };
        await this.audit.record(owner, { resource: 'integration', id: before.id, before, after: changed });
      }
    });
    return this.service.list(owner);
  }

  private async find(owner: KeyOwner, id: string): Promise<Integration> {
    const row = await this.integrations.find(owner.environmentId, id);
    if (!row) throw new DomainError('not_found', `Entity with id ${id} not found`);
    return row;
  }
}

const placeOf = ({ primary, priority }: Integration): Pick<Integration, 'primary' | 'priority'> => ({
  primary,
  priority,
});

function faultsOf({ providerId }: Integration, credentials: object): string[] {
  const { missing, invalid } = checkCredentials(providerId, credentials);
  return [
    ...missing.map((field) => `${field} is missing`),
    ...invalid.map(({ field, reason }) => `${field} ${reason}`),
  ];
}
