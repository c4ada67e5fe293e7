import { Injectable } from '@nestjs/common';
import {
  type AttachmentReference,
  canonicalJson,
  DomainError,
  type EnvironmentId,
  isJsonObject,
  type JsonObject,
  newId,
  type TraceContext,
  type TriggerEventDto,
  type TriggerResultDto,
  type TriggerStatus,
  type TriggerId,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  type NewTrigger,
  SubscriberRepository,
  TenantRepository,
  TriggerRepository,
} from '@clarion/persistence';
import { addLogFields, type LogFields, Metrics, sealTriggerSecret, SecretBox, sha256Hex } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import { recipientOverrides } from '@clarion/rules';
import { FaultBudget } from '../http/check-element';
import { inputReport } from '../http/unknown-input';
import { type PayloadCheck, type TriggerableWorkflow, WorkflowDirectory } from '../workflows/workflow-directory';
import { type FileFault, filesOf, type GivenFile } from './attachments';
import { checkEvent, type CheckedEvent, type Refusal } from './check-event';
import { ACCEPTED_BEFORE, DryRunService } from './dry-run.service';
import type { DryRunEvent } from './dry-run-subscribers';
import type { Recipients } from './recipients';

/** More tell a caller nothing. */
const NAMED_OVERRIDES = 10;

/** Who posted, and how much: the body's size decides whether single events have to be weighed. */
export type TriggerRequest = {
  owner: KeyOwner;
  requestId: string;
  trace?: TraceContext;
  bodyBytes: number;
  dryRun: boolean;
};

type Accepted = CheckedEvent & { workflow: TriggerableWorkflow; payload: JsonObject; files?: GivenFile[] };
type Verdict = Accepted | Refusal;

/** One event on its way into the table, whatever became of it. */
type Entry = { id: TriggerId; transactionId: string; fingerprint: string; verdict: Verdict };

/**
 * From posted events to committed rows. Each event is judged on its own; what passes is stored together in one statement,
 * and only then is the queue told, in one job. The answer does not wait for the queue: the rows are the promise.
 */
@Injectable()
export class TriggerService {
  constructor(
    private readonly database: Database,
    private readonly triggers: TriggerRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly tenants: TenantRepository,
    private readonly workflows: WorkflowDirectory,
    private readonly producer: QueueProducer,
    private readonly secrets: SecretBox,
    private readonly dryRuns: DryRunService,
    private readonly metrics: Metrics,
  ) {}

  /** Bulk: HTTP stays 201, every event has its own result, in the order of the events. */
  async triggerMany(request: TriggerRequest, elements: unknown[]): Promise<TriggerResultDto[]> {
    const budget = new FaultBudget();
    const checked = elements.map((element) => checkEvent(element, request.bodyBytes, false, budget));
    reportUnknown(checked, (index) => `events.${index}.`);
    return this.accept(request, await this.database.beforehand(() => this.judge(request.owner, checked)));
  }

  async triggerOne(request: TriggerRequest, event: unknown): Promise<TriggerResultDto> {
    return this.acceptOne(request, checkEvent(event, request.bodyBytes, false));
  }

  /** Every subscriber of the environment; the engine walks them. */
  async broadcast(request: TriggerRequest, event: unknown): Promise<TriggerResultDto> {
    return this.acceptOne(request, checkEvent(event, request.bodyBytes, true));
  }

  cancel(owner: KeyOwner, transactionId: string): Promise<boolean> {
    return this.triggers.cancel(owner.environmentId, transactionId);
  }

  private async acceptOne(request: TriggerRequest, checked: CheckedEvent | Refusal): Promise<TriggerResultDto> {
    reportUnknown([checked], () => '');
    const [verdict] = await this.database.beforehand(() => this.judge(request.owner, [checked]));
    if (isRefusal(verdict!) && verdict.thrown) throw verdict.thrown;
    const [result] = await this.accept(request, [verdict!]);
    return result!;
  }

  /** All that takes a look into the database, before anything is written: one statement each for unknown workflows, tenants and unusual ids. */
  private async judge(owner: KeyOwner, given: (CheckedEvent | Refusal)[]): Promise<Verdict[]> {
    const checked = given.map((item) => permitted(owner, item));
    const events = checked.filter((item): item is CheckedEvent => !isRefusal(item));
    const tenants = events.flatMap(({ event }) => tenantOf(event) ?? []);
    const unusualIds = events.flatMap(({ recipients }) => recipients.unusualIds);
    const [workflows, knownTenants, existing] = await Promise.all([
      this.workflows.find(owner.environmentId, [...new Set(events.map(({ event }) => event.name))]),
      this.tenants.findIdentifiers(owner.environmentId, tenants),
      this.existingIds(owner, unusualIds),
    ]);
    const checks = await this.checkPayloads(owner, events, workflows);
    return checked.map((item): Verdict => {
      if (isRefusal(item)) return item;
      const { event } = item;
      const workflow = workflows.get(event.name);
      if (!workflow) return { ...noWorkflow(), event };
      const check = checks?.get(item);
      if (check && !check.valid) return { ...badPayload(check.errors, workflow.payloadSchema), event };
      const payload = check?.payload ?? event.payload ?? {};
      const tenant = tenantOf(event);
      const obstacle = obstacleOf(workflow, tenant === undefined || knownTenants.has(tenant));
      if (obstacle) return { status: obstacle, messages: [], event };
      const files = filesOf(payload);
      if (files && 'thrown' in files) return badFile(files, event);
      const recipients = keepExisting(item.recipients, existing);
      if (recipients.recipients.length === 0)
        return { status: 'invalid_recipients', messages: recipients.faults, event };
      return { event, recipients, workflow, payload, files };
    });
  }

  /** In the render threads, all events in one go. Undefined when no workflow asks for it, which costs nothing. */
  private async checkPayloads(
    owner: KeyOwner,
    events: CheckedEvent[],
    workflows: Map<string, TriggerableWorkflow>,
  ): Promise<Map<CheckedEvent, PayloadCheck | undefined> | undefined> {
    const asking = new Set<string>();
    for (const [name, workflow] of workflows) if (this.workflows.schemaOf(workflow) !== undefined) asking.add(name);
    if (asking.size === 0) return undefined;
    const checked = events.filter(({ event }) => asking.has(event.name));
    const checks = await this.workflows.checkPayloads(
      owner.environmentId,
      checked.map(({ event }) => ({ workflow: workflows.get(event.name)!, payload: event.payload ?? {} })),
    );
    return new Map(checked.map((item, index) => [item, checks[index]]));
  }

  /** An id outside the usual alphabet is accepted when such a subscriber exists: nobody who was created is unreachable. */
  private async existingIds(owner: KeyOwner, ids: string[]): Promise<Set<string>> {
    return new Set((await this.subscribers.findMany(owner.environmentId, ids)).map(({ subscriberId }) => subscriberId));
  }

  private async accept(request: TriggerRequest, verdicts: Verdict[]): Promise<TriggerResultDto[]> {
    const entries = verdicts.map((verdict): Entry => {
      const id = newId<TriggerId>();
      return {
        id,
        transactionId: givenTransactionId(verdict) ?? `txn_${id}`,
        fingerprint: verdict.event ? fingerprintOf(verdict.event) : '',
        verdict,
      };
    });
    if (request.dryRun) return this.explain(request.owner, entries);
    addLogFields(transactionsOf(entries));
    const firstUses = await this.store(request, entries);
    return entries.map((entry) => resultOf(entry, firstUses.get(entry.transactionId)));
  }

  /** What `accept` would answer and do, without doing it. */
  private async explain(owner: KeyOwner, entries: Entry[]): Promise<TriggerResultDto[]> {
    const given = entries.flatMap(({ verdict }) => verdict.event?.transactionId ?? []);
    const firstUses =
      given.length === 0 ? new Map<string, string>() : await this.triggers.findTransactions(owner.environmentId, given);
    const fresh = new Map<Entry, DryRunEvent>();
    for (const entry of entries) {
      const { verdict, transactionId, fingerprint } = entry;
      if (isRefusal(verdict) || firstUses.has(transactionId)) continue;
      firstUses.set(transactionId, fingerprint);
      const { event, workflow, recipients } = verdict;
      fresh.set(entry, {
        workflow,
        recipients: recipients.recipients,
        payload: payloadOf(verdict).payload,
        overrides: event.overrides ?? null,
        actor: event.actor ?? null,
        tenant: tenantOf(event) ?? null,
        context: event.context ?? null,
      });
    }
    const explained = await this.dryRuns.explain(owner.environmentId, [...fresh.values()]);
    const dryRunOf = new Map([...fresh.keys()].map((entry, index) => [entry, explained[index]!]));
    return entries.map((entry) => {
      const { transactionId, ...result } = resultOf(entry, firstUses.get(entry.transactionId));
      return {
        ...result,
        // One that nobody named is made anew for every event, so this one will never be seen again.
        ...(givenTransactionId(entry.verdict) !== undefined && { transactionId }),
        ...(result.status === 'processed' && { dryRun: dryRunOf.get(entry) ?? ACCEPTED_BEFORE }),
      };
    });
  }

  /** Stores what was accepted; returns, by transactionId, the fingerprint of the event that used it first. */
  private async store(request: TriggerRequest, entries: Entry[]): Promise<Map<string, string>> {
    const { environmentId } = request.owner;
    const rows = new Map<string, NewTrigger>();
    const refusedIds: string[] = [];
    for (const entry of entries) {
      if (!isRefusal(entry.verdict)) {
        // Within one call, too, the first event of a transactionId counts.
        if (rows.has(entry.transactionId)) continue;
        rows.set(entry.transactionId, this.toRow(environmentId, entry, entry.verdict));
      } else if (entry.verdict.event?.transactionId) refusedIds.push(entry.transactionId);
    }
    const stored = rows.size === 0 ? [] : await this.triggers.insertMany(environmentId, [...rows.values()], request);
    const fresh = stored.filter((row) => row.stored).map((row) => rows.get(row.transactionId)!);
    if (fresh.length > 0) {
      const triggerIds = fresh.map(({ id }) => id);
      this.database.afterCommit(() => {
        this.metrics.acceptTriggers(environmentId, triggerIds.length);
        void this.producer.enqueue('trigger', { v: 1, triggerIds }, { environmentId });
      });
    }
    // An event that was accepted before answers the same again, also when its workflow has been switched off since.
    const recalled = refusedIds.length === 0 ? [] : await this.triggers.findTransactions(environmentId, refusedIds);
    return new Map([
      ...recalled,
      ...stored.map(({ transactionId, fingerprint }) => [transactionId, fingerprint] as const),
    ]);
  }

  private toRow(environmentId: EnvironmentId, entry: Entry, verdict: Accepted): NewTrigger {
    const { id } = entry;
    const { event, workflow, recipients } = verdict;
    const seal = (text: string): string => sealTriggerSecret(this.secrets, environmentId, id, text);
    return {
      id,
      transactionId: entry.transactionId,
      fingerprint: entry.fingerprint,
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      recipients: recipients.recipients.map((recipient) => sealChannels(recipient, seal)),
      ...payloadOf(verdict),
      overrides: event.overrides,
      controls: event.controls,
      actor: isJsonObject(event.actor) ? sealChannels(event.actor, seal) : event.actor,
      tenant: tenantOf(event),
      context: event.context,
    };
  }
}

/** Whether this key may say what the event says. */
function permitted(
  { scope, allowRecipientOverrides }: KeyOwner,
  checked: CheckedEvent | Refusal,
): CheckedEvent | Refusal {
  if (isRefusal(checked) || scope !== 'trigger' || allowRecipientOverrides) return checked;
  const { event, unknown } = checked;
  const paths = recipientOverrides(event.overrides ?? undefined).slice(0, NAMED_OVERRIDES);
  return paths.length === 0 ? checked : { ...forbiddenOverrides(paths), event, unknown };
}

function forbiddenOverrides(paths: string[]): Refusal {
  const messages = paths.map(
    (path) => `${path}: a key of the scope "trigger" may not change sender or recipients in this environment`,
  );
  const errors = Object.fromEntries(paths.map((path, index) => [path, { messages: [messages[index]!] }]));
  return { status: 'error', messages, thrown: new DomainError('forbidden', messages[0]!, { errors }) };
}

/**
 * A webhook URL or a device token opens somebody's phone: what a recipient brings along is stored encrypted, bound to the
 * trigger, like the credentials that subscribers keep.
 */
function sealChannels(recipient: JsonObject, seal: (text: string) => string): JsonObject {
  if (!Array.isArray(recipient['channels'])) return recipient;
  const channels = recipient['channels'].map((channel) =>
    isJsonObject(channel) ? { ...channel, credentials: seal(JSON.stringify(channel['credentials'])) } : channel,
  );
  return { ...recipient, channels };
}

/** The files of an event go into rows of their own; the payload keeps what there is to say about them. */
function payloadOf({ payload, files }: Accepted): Pick<NewTrigger, 'payload' | 'attachments'> {
  if (!files) return { payload };
  const attachments = files.map((file) => ({ id: newId(), ...file }));
  const references = attachments.map(({ content, ...file }): AttachmentReference => ({
    ...file,
    size: content.length,
  }));
  return { payload: { ...payload, attachments: references }, attachments };
}

/** For the log: one id as everywhere else, several in a list. */
function transactionsOf(entries: Entry[]): LogFields {
  const [transactionId, ...others] = entries.map((entry) => entry.transactionId);
  return others.length === 0 ? { transactionId } : { transactionIds: [transactionId, ...others] };
}

/** Names what the events hold that has no meaning; refuses the call when the caller asked for that. */
function reportUnknown(checked: (CheckedEvent | Refusal)[], prefixOf: (index: number) => string): void {
  const report = inputReport();
  for (const [index, { unknown }] of checked.entries()) if (unknown) report?.add(unknown, prefixOf(index));
  report?.settle();
}

const givenTransactionId = (verdict: Verdict): string | undefined =>
  verdict.event?.transactionId ?? (isRefusal(verdict) ? verdict.transactionId : undefined);

function isRefusal(verdict: CheckedEvent | Refusal): verdict is Refusal {
  return 'status' in verdict;
}

function resultOf({ transactionId, fingerprint, verdict }: Entry, firstUse: string | undefined): TriggerResultDto {
  if (firstUse !== undefined && firstUse === fingerprint) {
    const notes = isRefusal(verdict) ? [] : verdict.recipients.faults;
    return { acknowledged: true, status: 'processed', ...(notes.length > 0 && { error: notes }), transactionId };
  }
  if (isRefusal(verdict) && (firstUse === undefined || !verdict.event)) {
    const { status, messages } = verdict;
    return { acknowledged: true, status, ...(messages.length > 0 && { error: messages }), transactionId };
  }
  const message = `transactionId "${transactionId}" was used before with a different event`;
  return { acknowledged: true, status: 'error', error: [message], transactionId };
}

/** In the order of the interface: tenant, activity, steps. Undefined when nothing stands in the way. */
function obstacleOf(workflow: TriggerableWorkflow, tenantKnown: boolean): TriggerStatus | undefined {
  if (!tenantKnown) return 'no_tenant_found';
  if (!workflow.active) return 'trigger_not_active';
  if (workflow.stepCount === 0) return 'no_workflow_steps_defined';
  if (workflow.activeStepCount === 0) return 'no_workflow_active_steps_defined';
  return undefined;
}

function noWorkflow(): Refusal {
  const messages = ['workflow_not_found'];
  return {
    status: 'error',
    messages,
    thrown: new DomainError('unprocessable', 'workflow_not_found', { errors: { name: { messages } } }),
  };
}

function badPayload(faults: { field: string; message: string }[], schema: JsonObject | null): Refusal {
  const messages = faults.map(({ field, message }) => `${field}: ${message}`);
  const thrown = new DomainError('bad_request', `Payload validation failed: ${messages.join('; ')}`, {
    type: 'PAYLOAD_VALIDATION_ERROR',
    errors: faults,
    ...(schema && { schema }),
  });
  return { status: 'error', messages, thrown };
}

const badFile = ({ message, thrown }: FileFault, event: TriggerEventDto): Refusal => ({
  status: 'error',
  messages: [message],
  thrown,
  event,
});

function keepExisting(recipients: Recipients, existing: Set<string>): Recipients {
  const unknown = new Set(recipients.unusualIds.filter((id) => !existing.has(id)));
  if (unknown.size === 0) return recipients;
  return {
    ...recipients,
    recipients: recipients.recipients.filter((recipient) => !unknown.has(recipient['subscriberId'] as string)),
    faults: [...recipients.faults, ...[...unknown].map((id) => `to: "${id}" is not a valid subscriberId`)],
  };
}

function tenantOf({ tenant }: TriggerEventDto): string | undefined {
  return (isJsonObject(tenant) ? tenant['identifier'] : tenant) as string | undefined;
}

/** The event as it was meant, whatever the order of its keys; the transactionId itself is not part of it. */
function fingerprintOf({ name, to, payload, overrides, actor, tenant, context, controls }: TriggerEventDto): string {
  return sha256Hex(
    canonicalJson([name, to, payload ?? {}, overrides, actor, tenant, context, ...(controls ? [controls] : [])]),
  );
}
