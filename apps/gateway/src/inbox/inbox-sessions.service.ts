import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  canonicalJson,
  contextEntries,
  type ContextEntry,
  contextKey,
  DomainError,
  fieldErrors,
  inboxSignaturesOf,
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
  IntegrationRepository,
  type Subscriber,
  type SubscriberInput,
  SubscriberRepository,
} from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { contextFault } from '../audience/contexts/context-fault';
import { withoutNulls } from '../edge/http/page';
import { TenantRates } from '../edge/http/tenant-rates';
import { SubscriberPreferencesService } from '../audience/preferences/subscriber-preferences.service';
import { InboxCreations } from './inbox-creations';
import { InboxSignatures } from './inbox-signatures';
import { InboxTokens } from '../edge/auth/inbox-tokens';
import { type Inbox, inboxOf, InboxService } from './inbox.service';
import { requiresHash } from './requires-hash';

const HOURS_PER_DAY = 24;

/** A session: its inbox, and what signed it. */
type Opened = { inbox: Inbox; signer: string | null };

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
      const opened = await this.admit(environment, input, address);
      const { inbox } = opened;
      const { id: _id, subscriberId, firstName, lastName, email } = inbox.subscriber;
      const { environmentId, organizationId } = inbox;
      const profile = withoutNulls({ _id, subscriberId, organizationId, environmentId, firstName, lastName, email });
      return { token: this.issueFor(opened), profile };
    });
  }

  private async admit(environment: InboxEnvironment, input: OpenInboxDto, address: string): Promise<Opened> {
    this.rates.require(environment.id, 'inbox');
    const contexts = contextsOf(input.context);
    const signer = await this.signerOf(environment, input);
    const isSigned = signer !== null;
    const subscriber = await this.subscriberOf(environment, input.subscriber, isSigned, address);
    if (isSigned) await this.ensureContexts(environment, contexts);
    const { id: environmentId, organizationId } = environment;
    const contextKeys = contexts.map(contextKey);
    return { inbox: inboxOf(signer, { environmentId, organizationId, subscriber, contextKeys }), signer };
  }

  private issueFor({ inbox: { environmentId, subscriber, contextKeys }, signer }: Opened): string {
    const { id: subscriberRowId, subscriberId } = subscriber;
    return this.tokens.issue({ environmentId, subscriberRowId, subscriberId, contextKeys, signer });
  }

  /**
   * What signed the request; null without a valid hash. A session is signed as a whole: the subscriber, and the
   * contexts if there are any. Throws if the environment requires signatures and one of them is missing or wrong.
   */
  private async signerOf(environment: InboxEnvironment, input: OpenInboxDto): Promise<string | null> {
    const { subscriber, subscriberHash, context, contextHash } = input;
    const integration = await this.integrations.findInApp(environment.id);
    if (!integration) throw new DomainError('not_found', 'The environment has no active in-app integration');
    const isRequired = inboxSignaturesOf(environment) === 'required' || requiresHash(this.secrets, integration);
    if (!isRequired && subscriberHash === undefined) return null;
    const signerOf = await this.signatures.checksFor(environment.id);
    // The same key signs contexts, so an id that reads like one proves nothing.
    const isForeign = isContextText(subscriber.subscriberId);
    const signer = isForeign ? undefined : signerOf(subscriber.subscriberId, subscriberHash);
    const isWhole = !hasContext(context) || signerOf(canonicalJson(context!), contextHash) === signer;
    if (isRequired && !signer) throw wrongHash('subscriberHash', 'the subscriberId');
    if (isRequired && !isWhole) throw wrongHash('contextHash', 'the context');
    return isWhole ? (signer ?? null) : null;
  }

  /** Creates a missing subscriber. Its profile is set and changed only if the backend signed the request. */
  private async subscriberOf(
    { id }: InboxEnvironment,
    given: SubscriberInput,
    isSigned: boolean,
    address: string,
  ): Promise<Subscriber> {
    const known = await this.subscribers.find(id, given.subscriberId);
    if (known) return isSigned && differs(known, given) ? this.subscribers.upsert(id, given) : known;
    if (!isSigned) this.creations.check(id, address);
    // Otherwise a stranger could give a later subscriber an address, and get its messages.
    const first = isSigned ? given : { subscriberId: given.subscriberId };
    const created = await this.subscribers.insert(id, first);
    return created ?? (await this.subscribers.find(id, given.subscriberId)) ?? this.subscribers.upsert(id, first);
  }

  /** As a trigger does. Templates read the data of a context, so only a backend may give it. */
  private async ensureContexts({ id: environmentId }: InboxEnvironment, contexts: ContextEntry[]): Promise<void> {
    if (contexts.length === 0) return;
    await this.contexts.ensureMany(
      contexts.map(({ type, id, data }) => ({ environmentId, type, contextId: id, data })),
    );
  }

  private async describe(
    environment: InboxEnvironment,
    opened: Opened,
    { defaultSchedule }: OpenInboxDto,
  ): Promise<InboxSessionDto> {
    const { inbox } = opened;
    const schedule = inbox.isSigned ? await this.scheduleOf(inbox, defaultSchedule) : undefined;
    const unreadCount = await this.countUnread(inbox);
    return {
      token: this.issueFor(opened),
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

  private async scheduleOf(inbox: Inbox, given: OpenInboxDto['defaultSchedule']): Promise<InboxSessionDto['schedule']> {
    const { schedule } = await this.preferences.global(inbox);
    if (schedule || !given) return schedule;
    return (await this.preferences.changeGlobal(inbox, {}, given)).schedule;
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
    `${field} must be the HMAC-SHA256 of ${text} in hexadecimal digits, under the inbox secret of the environment or ` +
    'one of its API keys with the scope full and without allowedAddresses: the environment requires signatures';
  return new DomainError('bad_request', message, fieldErrors(field, message));
}
