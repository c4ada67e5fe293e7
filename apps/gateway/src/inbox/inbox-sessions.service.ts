import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  canonicalJson,
  contextEntries,
  type ContextEntry,
  contextKey,
  DomainError,
  fieldErrors,
  type InboxSessionDto,
  isJsonObject,
  type JsonObject,
  LIMITS,
  type OpenInboxDto,
  type OpenWidgetDto,
  SEVERITIES,
  type Severity,
  type UnreadCountDto,
  type WidgetSessionDto,
} from '@clarion/contracts';
import {
  ContextRepository,
  Database,
  type InboxEnvironment,
  type Integration,
  IntegrationRepository,
  type Subscriber,
  type SubscriberInput,
  SubscriberRepository,
} from '@clarion/persistence';
import { openIntegration, SecretBox } from '@clarion/platform';
import { contextFault } from '../contexts/context-fault';
import { withoutNulls } from '../http/page';
import { TenantRates } from '../http/tenant-rates';
import { SubscriberPreferencesService } from '../preferences/subscriber-preferences.service';
import { InboxCreations } from './inbox-creations';
import { InboxSignatures } from './inbox-signatures';
import { InboxTokens } from './inbox-tokens';
import { type Inbox, InboxService } from './inbox.service';

const HOURS_PER_DAY = 24;

/** What the hashes of a request prove. */
type Proof = { subscriber: boolean; context: boolean };

/** Opens inbox sessions: the step from an anonymous page to the token of one subscriber. */
@Injectable()
export class InboxSessionsService {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly contexts: ContextRepository,
    private readonly preferences: SubscriberPreferencesService,
    private readonly inboxes: InboxService,
    private readonly signatures: InboxSignatures,
    private readonly creations: InboxCreations,
    private readonly rates: TenantRates,
    private readonly tokens: InboxTokens,
    private readonly secrets: SecretBox,
  ) {}

  /** `address` is where the request comes from. */
  open(environment: InboxEnvironment, input: OpenInboxDto, address: string): Promise<InboxSessionDto> {
    return this.database.asTenant(environment.id, async () =>
      this.describe(environment, await this.admit(environment, input, address), input),
    );
  }

  /** The same for older clients. */
  openWidget(
    environment: InboxEnvironment,
    { applicationIdentifier, hmacHash, ...subscriber }: OpenWidgetDto,
    address: string,
  ): Promise<WidgetSessionDto> {
    const input = { applicationIdentifier, subscriber, subscriberHash: hmacHash ?? undefined };
    return this.database.asTenant(environment.id, async () => {
      const inbox = await this.admit(environment, input, address);
      const { id: _id, subscriberId, firstName, lastName, email } = inbox.subscriber;
      const { environmentId, organizationId } = inbox;
      const profile = withoutNulls({ _id, subscriberId, organizationId, environmentId, firstName, lastName, email });
      return { token: this.issueFor(inbox), profile };
    });
  }

  /** Checks the proofs of the request, and creates the subscriber and the contexts where they are missing. */
  private async admit(environment: InboxEnvironment, input: OpenInboxDto, address: string): Promise<Inbox> {
    this.rates.require(environment.id, 'inbox');
    const contexts = contextsOf(input.context);
    const proof = await this.prove(environment, input);
    const subscriber = await this.subscriberOf(environment, input.subscriber, proof.subscriber, address);
    await this.ensureContexts(environment, contexts, proof.context, address);
    const { id: environmentId, organizationId } = environment;
    return { environmentId, organizationId, subscriber, contextKeys: contexts.map(contextKey) };
  }

  private issueFor({ environmentId, subscriber, contextKeys }: Inbox): string {
    const { id: subscriberRowId, subscriberId } = subscriber;
    return this.tokens.issue({ environmentId, subscriberRowId, subscriberId, contextKeys });
  }

  /** Throws if the environment requires hashes and one of them is missing or wrong. */
  private async prove(environment: InboxEnvironment, input: OpenInboxDto): Promise<Proof> {
    const { subscriber, subscriberHash, context, contextHash } = input;
    const integration = await this.integrations.findInApp(environment.id);
    if (!integration) throw new DomainError('not_found', 'The environment has no active in-app integration');
    const isRequired = this.requiresHash(integration);
    if (!isRequired && subscriberHash === undefined && contextHash === undefined) {
      return { subscriber: false, context: false };
    }
    const isSigned = await this.signatures.checksFor(environment.id);
    const proof = {
      // The same key signs contexts, so an id that reads like one proves nothing.
      subscriber: !isContextText(subscriber.subscriberId) && isSigned(subscriber.subscriberId, subscriberHash),
      context: context !== undefined && isSigned(canonicalJson(context), contextHash),
    };
    if (isRequired && !proof.subscriber) throw wrongHash('subscriberHash', 'the subscriberId');
    if (isRequired && hasContext(context) && !proof.context) throw wrongHash('contextHash', 'the context');
    return proof;
  }

  /** A setting that cannot be read counts as set, because a session without a hash would then be open to everyone. */
  private requiresHash(integration: Integration): boolean {
    const { credentials, unreadable } = openIntegration(this.secrets, integration);
    return credentials.hmac === true || unreadable.credentials.includes('hmac');
  }

  /** Creates a missing subscriber. The profile of an existing one changes only if the backend signed the request. */
  private async subscriberOf(
    { id }: InboxEnvironment,
    given: SubscriberInput,
    isProven: boolean,
    address: string,
  ): Promise<Subscriber> {
    const known = await this.subscribers.find(id, given.subscriberId);
    if (known) return isProven && differs(known, given) ? this.subscribers.upsert(id, given) : known;
    if (!isProven) this.creations.check('subscribers', id, address);
    const created = await this.subscribers.insert(id, given);
    return created ?? (await this.subscribers.find(id, given.subscriberId)) ?? this.subscribers.upsert(id, given);
  }

  /**
   * As a trigger does. The session works without them, so a limit only leaves them out. Templates read the data of a
   * context, so only a backend may give it.
   */
  private async ensureContexts(
    { id: environmentId }: InboxEnvironment,
    contexts: ContextEntry[],
    isProven: boolean,
    address: string,
  ): Promise<void> {
    if (contexts.length === 0) return;
    if (!isProven && !this.creations.mayCreate('contexts', environmentId, address)) return;
    await this.contexts.ensureMany(
      contexts.map(({ type, id, data }) => ({
        environmentId,
        type,
        contextId: id,
        ...(isProven && { data }),
      })),
    );
  }

  private async describe(
    environment: InboxEnvironment,
    inbox: Inbox,
    { defaultSchedule }: OpenInboxDto,
  ): Promise<InboxSessionDto> {
    let { schedule } = await this.preferences.global(inbox);
    if (!schedule && defaultSchedule) ({ schedule } = await this.preferences.changeGlobal(inbox, {}, defaultSchedule));
    const unreadCount = await this.countUnread(inbox);
    return {
      token: this.issueFor(inbox),
      applicationIdentifier: environment.identifier,
      totalUnreadCount: unreadCount.total,
      unreadCount,
      removeNovuBranding: true,
      maxSnoozeDurationHours: LIMITS.snoozeDays * HOURS_PER_DAY,
      isDevelopmentMode: environment.kind !== 'production',
      ...(schedule && { schedule }),
      contextKeys: inbox.contextKeys,
    };
  }

  private async countUnread(inbox: Inbox): Promise<UnreadCountDto> {
    const unread = { read: false, snoozed: false };
    const filters = [unread, ...SEVERITIES.map((severity) => ({ ...unread, severity: [severity] }))];
    const [total, ...rest] = (await this.inboxes.count(inbox, filters)).map(({ count }) => count);
    const severity = Object.fromEntries(SEVERITIES.map((name, index) => [name, rest[index]!]));
    return { total: total!, severity: severity as Record<Severity, number> };
  }
}

/** An empty object means no context, as clients send it. */
const hasContext = (context: JsonObject | undefined): boolean => Object.keys(context ?? {}).length > 0;

function isContextText(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    return isJsonObject(JSON.parse(text) as unknown);
  } catch {
    return false;
  }
}

function contextsOf(context: JsonObject | undefined): ContextEntry[] {
  if (!hasContext(context)) return [];
  const errors = contextFault(context);
  if (errors) throw new DomainError('unprocessable', 'Validation Error', { errors });
  return contextEntries(context!);
}

const differs = (known: Subscriber, given: SubscriberInput): boolean =>
  Object.entries(given).some(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, known[field as keyof SubscriberInput]),
  );

function wrongHash(field: string, text: string): DomainError {
  const message =
    `${field} must be the HMAC-SHA256 of ${text} under an API key of the environment, in hexadecimal digits: ` +
    'the in-app integration has hmac switched on';
  return new DomainError('bad_request', message, fieldErrors(field, message));
}
