import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  mapInSlices,
  newId,
  TimeSlices,
  type TraceContext,
  type TriggerId,
  type TriggerResultDto,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  MirrorRepository,
  type NewCopy,
  type NewTrigger,
  TenantRepository,
  TriggerRepository,
} from '@clarion/persistence';
import { addLogFields, type LogFields, sealMirrorCopy, sealTriggerSecret, SecretBox } from '@clarion/platform';
import { FaultBudget } from '../edge/http/check-element';
import { inputReport } from '../edge/http/unknown-input';
import {
  type PayloadCheck,
  type TriggerableWorkflow,
  WorkflowDirectory,
} from '../authoring/workflows/workflow-directory';
import { checkEvent, type CheckedEvent, type Refusal } from './check-event';
import type { DryRunEvent } from './dry-run-subscribers';
import { ACCEPTED_BEFORE, DryRunService } from './dry-run.service';
import { TopicDirectory } from './topic-directory';
import { TriggerStore } from './trigger-store';
import { generatedTransactionId, mirroredRequest, storedPayload, toTriggerRow } from './trigger-row';
import {
  type AcceptedEvent,
  checkPermission,
  isRefusal,
  judgeEvent,
  tenantOf,
  topicKeyOf,
  type Verdict,
} from './trigger-verdict';

/** Who sent the events. `bodyBytes` decides whether single events have to be measured. */
export type TriggerRequest = {
  owner: KeyOwner;
  requestId: string;
  trace?: TraceContext;
  bodyBytes: number;
  dryRun: boolean;
  isTest: boolean;
  /** The mirror of another environment sent the events. */
  isCopy: boolean;
};

type Entry = { id: TriggerId; transactionId: string; fingerprint: string; verdict: Verdict };

/**
 * Turns events into trigger rows. Each event gets a separate verdict; the accepted ones are stored together and offered
 * to the queue after the commit. The response does not wait for the queue: the rows are the promise.
 */
@Injectable()
export class TriggerService {
  constructor(
    private readonly database: Database,
    private readonly triggers: TriggerRepository,
    private readonly mirrors: MirrorRepository,
    private readonly store: TriggerStore,
    private readonly tenants: TenantRepository,
    private readonly topics: TopicDirectory,
    private readonly workflows: WorkflowDirectory,
    private readonly secrets: SecretBox,
    private readonly dryRuns: DryRunService,
  ) {}

  /** The response is a 201 with one result per event, in the order of the events. */
  async triggerMany(request: TriggerRequest, elements: unknown[]): Promise<TriggerResultDto[]> {
    const budget = new FaultBudget();
    const checked = await mapInSlices(elements, (element) => checkEvent(element, request.bodyBytes, false, budget));
    reportUnknown(checked, (index) => `events.${index}.`);
    return this.accept(request, await this.database.beforehand(() => this.judge(request.owner, checked)));
  }

  async triggerOne(request: TriggerRequest, event: unknown): Promise<TriggerResultDto> {
    return this.acceptOne(request, event, false);
  }

  /** Triggers an event for every subscriber of the environment; the engine reads the subscribers in pages. */
  async broadcast(request: TriggerRequest, event: unknown): Promise<TriggerResultDto> {
    return this.acceptOne(request, event, true);
  }

  cancel(owner: KeyOwner, transactionId: string, isCopy: boolean): Promise<boolean> {
    const { environmentId } = owner;
    if (!owner.isMirrored || isCopy) return this.triggers.cancel(environmentId, transactionId);
    return this.database.transaction(async () => {
      const hasCanceled = await this.triggers.cancel(environmentId, transactionId);
      await this.mirrors.copyCancellation(environmentId, newId(), transactionId, hasCanceled);
      return hasCanceled;
    });
  }

  private async acceptOne(request: TriggerRequest, event: unknown, isBroadcast: boolean): Promise<TriggerResultDto> {
    const checked = await mapInSlices([event], (one) => checkEvent(one, request.bodyBytes, isBroadcast));
    reportUnknown(checked, () => '');
    const [verdict] = await this.database.beforehand(() => this.judge(request.owner, checked));
    if (isRefusal(verdict!) && verdict.thrown) throw verdict.thrown;
    const [result] = await this.accept(request, [verdict!]);
    return result!;
  }

  /** Reads what the verdicts need before anything is written: one statement each for workflows and tenants. */
  private async judge(owner: KeyOwner, given: (CheckedEvent | Refusal)[]): Promise<Verdict[]> {
    const checked = given.map((item) => checkPermission(owner, item));
    const events = checked.filter((item): item is CheckedEvent => !isRefusal(item));
    const tenants = events.flatMap(({ event }) => tenantOf(event) ?? []);
    const topics = new Set(
      events.flatMap(({ recipients }) => recipients.recipients.flatMap((to) => topicKeyOf(to) ?? [])),
    );
    const [workflows, knownTenants, facts] = await Promise.all([
      this.workflows.find(owner.environmentId, [...new Set(events.map(({ event }) => event.name))]),
      this.tenants.findIdentifiers(owner.environmentId, tenants),
      this.topics.find(owner.environmentId, topics),
    ]);
    const unknown = new Set(events.map(({ event }) => event.name).filter((name) => !workflows.has(name)));
    const nearest = await this.workflows.nearest(owner.environmentId, [...unknown]);
    const payloadChecks = await this.checkPayloads(owner, events, workflows);
    return mapInSlices(checked, (item): Verdict => {
      if (isRefusal(item)) return item;
      const tenant = tenantOf(item.event);
      return judgeEvent(item, {
        workflow: workflows.get(item.event.name),
        tenantExists: tenant === undefined || knownTenants.has(tenant),
        payloadCheck: payloadChecks?.get(item),
        topics: facts,
        mayRaisePriority: owner.scope !== 'trigger' || owner.allowRaisedPriority,
        nearestWorkflow: nearest.get(item.event.name),
      });
    });
  }

  /** Validates all payloads in the render processes in one batch. Undefined when no workflow validates payloads. */
  private async checkPayloads(
    owner: KeyOwner,
    events: CheckedEvent[],
    workflows: Map<string, TriggerableWorkflow>,
  ): Promise<Map<CheckedEvent, PayloadCheck | undefined> | undefined> {
    const validating = new Set<string>();
    for (const [name, workflow] of workflows) {
      if (this.workflows.schemaOf(workflow) !== undefined) validating.add(name);
    }
    if (validating.size === 0) return undefined;
    const checked = events.filter(({ event }) => validating.has(event.name));
    const checks = await this.workflows.checkPayloads(
      owner.environmentId,
      checked.map(({ event }) => ({ workflow: workflows.get(event.name)!, payload: event.payload ?? {} })),
    );
    return new Map(checked.map((item, index) => [item, checks[index]]));
  }

  private async accept(request: TriggerRequest, verdicts: Verdict[]): Promise<TriggerResultDto[]> {
    const entries = verdicts.map((verdict): Entry => {
      const id = newId<TriggerId>();
      return {
        id,
        transactionId: givenTransactionId(verdict) ?? generatedTransactionId(id),
        fingerprint: verdict.fingerprint ?? '',
        verdict,
      };
    });
    if (request.dryRun) return this.explain(request.owner, entries);
    addLogFields(transactionsOf(entries));
    const firstUses = await this.storeAccepted(request, entries);
    return entries.map((entry) => resultOf(entry, firstUses.get(entry.transactionId)));
  }

  /** The results of `accept` with a dry run of each accepted event, without any effect. */
  private async explain(owner: KeyOwner, entries: Entry[]): Promise<TriggerResultDto[]> {
    const given = entries.flatMap(({ verdict }) => verdict.event?.transactionId ?? []);
    const firstUses =
      given.length === 0 ? new Map<string, string>() : await this.triggers.findTransactions(owner.environmentId, given);
    const dryRunEvents = new Map<Entry, DryRunEvent>();
    for (const entry of entries) {
      const { verdict, transactionId, fingerprint } = entry;
      if (isRefusal(verdict) || firstUses.has(transactionId)) continue;
      firstUses.set(transactionId, fingerprint);
      const { event, workflow, recipients } = verdict;
      dryRunEvents.set(entry, {
        workflow,
        recipients: recipients.recipients,
        payload: storedPayload(verdict).payload,
        overrides: event.overrides ?? null,
        actor: event.actor ?? null,
        tenant: tenantOf(event) ?? null,
        context: event.context ?? null,
        ttl: event.ttl,
      });
    }
    const explained = await this.dryRuns.explain(owner.environmentId, [...dryRunEvents.values()]);
    const dryRunOf = new Map([...dryRunEvents.keys()].map((entry, index) => [entry, explained[index]!]));
    return entries.map((entry) => {
      const { transactionId, ...result } = resultOf(entry, firstUses.get(entry.transactionId));
      return {
        ...result,
        // A generated transactionId differs in every call, so the caller cannot use it.
        ...(givenTransactionId(entry.verdict) !== undefined && { transactionId }),
        ...(result.status === 'processed' && { dryRun: dryRunOf.get(entry) ?? ACCEPTED_BEFORE }),
      };
    });
  }

  /** Stores the accepted events. Returns, by transactionId, the fingerprint of the event that used it first. */
  private async storeAccepted(request: TriggerRequest, entries: Entry[]): Promise<Map<string, string>> {
    const { environmentId, isMirrored } = request.owner;
    const isMirroring = isMirrored && !request.isCopy;
    const rows = new Map<string, NewTrigger>();
    const refusedIds: string[] = [];
    const slices = new TimeSlices();
    for (const entry of entries) {
      await slices.rest();
      if (!isRefusal(entry.verdict)) {
        // The first event of a transactionId counts, also within one call.
        if (rows.has(entry.transactionId)) continue;
        const seal = (text: string): string => sealTriggerSecret(this.secrets, environmentId, entry.id, text);
        const row = toTriggerRow(entry, entry.verdict, seal);
        const copy = isMirroring ? this.copyOf(environmentId, entry, entry.verdict) : undefined;
        rows.set(entry.transactionId, { ...row, ...(copy && { copy }), ...(request.isTest && { isTest: true }) });
      } else if (entry.verdict.event?.transactionId) refusedIds.push(entry.transactionId);
    }
    const stored = rows.size === 0 ? [] : await this.store.store({ environmentId, ...request }, [...rows.values()]);
    // An event that was accepted before has the same result again, also when its workflow is inactive now.
    const recalled = refusedIds.length === 0 ? [] : await this.triggers.findTransactions(environmentId, refusedIds);
    return new Map([
      ...recalled,
      ...stored.map(({ transactionId, fingerprint }) => [transactionId, fingerprint] as const),
    ]);
  }

  private copyOf(environmentId: EnvironmentId, { id, transactionId }: Entry, accepted: AcceptedEvent): NewCopy {
    const { kind, body } = mirroredRequest(accepted, transactionId);
    return { kind, body: sealMirrorCopy(this.secrets, environmentId, id, body) };
  }
}

/** The ids for the log: a single one under the usual name, several as a list. */
function transactionsOf(entries: Entry[]): LogFields {
  const [transactionId, ...others] = entries.map((entry) => entry.transactionId);
  return others.length === 0 ? { transactionId } : { transactionIds: [transactionId, ...others] };
}

/** Reports unknown fields of the events. Throws when the caller asked to refuse them. */
function reportUnknown(checked: (CheckedEvent | Refusal)[], prefixOf: (index: number) => string): void {
  const report = inputReport();
  for (const [index, { unknown }] of checked.entries()) if (unknown) report?.add(unknown, prefixOf(index));
  report?.settle();
}

const givenTransactionId = (verdict: Verdict): string | undefined =>
  verdict.event?.transactionId ?? (isRefusal(verdict) ? verdict.transactionId : undefined);

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
