import type { ConfigurationsDto, CredentialsDto, EnvironmentId } from '@clarion/contracts';
import { type Channel, type Dialect, type ProviderId, pick } from '@clarion/contracts/core';
import { type Integration, type SendingSettings, withSandboxOutbox } from '@clarion/persistence';
import { openIntegration, type SecretBox } from '@clarion/platform';
import { providerFor } from '@clarion/providers';
import { callsProvider, type Candidate, type SandboxRule, sandboxRuleOf } from '@clarion/rules';
import { CircuitBreaker } from './circuit-breaker';
import type { Integrations, StoredIntegration } from '../ports';

/** An active integration with decrypted credentials and its circuit breaker. */
export type Account = Candidate & {
  environmentId: EnvironmentId;
  name: string;
  credentials: CredentialsDto;
  configurations: ConfigurationsDto;
  /** The dialect of the environment; absent when the default of the installation applies. */
  dialect?: Dialect;
  /** Names of stored credentials that cannot be decrypted. */
  unreadable: string[];
  perCall: number;
  breaker: CircuitBreaker;
  pause: Pause;
  /** Set in a sandbox: its provider is not called, or only for one address. */
  sandbox?: SandboxRule;
};

export type BreakerChange = {
  opened: boolean;
  environmentId: EnvironmentId;
  integrationId: string;
  providerId: ProviderId;
  reason?: string;
};

/** Whether messages of an integration have to wait. Changes while messages wait for the account. */
export type Pause = { holdId: string | null };

type KnownEnvironment = { turn: number; stamp: string | null; settings: SendingSettings; accounts: Account[] };

const MAX_ENVIRONMENTS = 1_000;
/** With more, one lane could hold all steps of a worker. */
const MOST_PER_CALL = 100;
const perCall = (id: ProviderId): number => Math.min(providerFor(id)?.batch?.size ?? 1, MOST_PER_CALL);

/** Claimed steps carry a stamp of the integrations, so a change applies from the next step on without a query. */
export class IntegrationDirectory {
  private readonly known = new Map<string, KnownEnvironment>();
  private turns = 0;
  private readonly breakers = new Map<string, { breaker: CircuitBreaker; written: string }>();
  private readonly pauses = new Map<string, Pause>();

  constructor(
    private readonly store: Integrations,
    private readonly secrets: SecretBox,
    private readonly now: () => number,
    private readonly onError: (error: unknown) => void,
    private readonly onBreaker: (change: BreakerChange) => void,
  ) {}

  async load(steps: { environmentId: EnvironmentId; settingsStamp: string | null }[]): Promise<void> {
    const stale = new Map<EnvironmentId, string | null>();
    const turn = (this.turns += 1);
    for (const { environmentId, settingsStamp } of steps) {
      const known = this.known.get(environmentId);
      if (!known || known.stamp !== settingsStamp) stale.set(environmentId, settingsStamp);
    }
    await Promise.all(
      [...stale].map(async ([environmentId, stamp]) => {
        const [rows, settings] = await Promise.all([
          this.store.listActive(environmentId),
          this.store.sendingSettings(environmentId),
        ]);
        // A later read may have been answered earlier: what it knows is newer, for example that this is a sandbox now.
        if ((this.known.get(environmentId)?.turn ?? 0) > turn) return;
        this.known.delete(environmentId);
        const sending = withSandboxOutbox(environmentId, settings, rows);
        this.known.set(environmentId, {
          turn,
          stamp,
          settings,
          accounts: sending.map((row) => this.toAccount(row, settings)),
        });
      }),
    );
    while (this.known.size > MAX_ENVIRONMENTS) this.known.delete(this.known.keys().next().value!);
  }

  /** Reads which integrations are on hold, for messages that already wait for an account. */
  async readHolds(): Promise<void> {
    const asked = [...this.pauses].map(([id, pause]) => ({ id, pause, before: pause.holdId }));
    const held = await this.store.heldIntegrations([...this.known.keys()]);
    const holdOf = new Map(held.map(({ integrationId, holdId }) => [integrationId, holdId]));
    for (const { id, pause, before } of asked) {
      // What was loaded while the answer was on its way is newer.
      if (pause.holdId === before) pause.holdId = holdOf.get(id) ?? null;
    }
  }

  accounts(environmentId: EnvironmentId, channel: Channel): Account[] {
    return (this.known.get(environmentId)?.accounts ?? []).filter((account) => account.channel === channel);
  }

  /** Whether steps of a channel without an account wait for one; otherwise they fail. */
  holdsWithoutIntegration(environmentId: EnvironmentId): boolean {
    return this.known.get(environmentId)?.settings.withoutIntegration === 'hold';
  }

  /** Undefined for an environment that was not loaded. */
  settingsOf(environmentId: EnvironmentId): SendingSettings | undefined {
    return this.known.get(environmentId)?.settings;
  }

  private toAccount(row: StoredIntegration, settings: SendingSettings): Account {
    const opened = openIntegration(this.secrets, row);
    const sandbox = sandboxRuleOf(settings, row);
    // Where the provider is not called, its credentials, its health and its limit decide about no message.
    const isCalled = callsProvider(sandbox);
    return {
      ...pick(row, 'id', 'environmentId', 'identifier', 'name'),
      providerId: row.providerId as ProviderId,
      ...pick(row, 'channel', 'active', 'primary', 'priority', 'conditions'),
      health: isCalled ? row.health : null,
      credentials: opened.credentials,
      configurations: isCalled ? opened.configurations : { ...opened.configurations, rateLimit: 0 },
      ...(row.dialect && { dialect: row.dialect }),
      unreadable: isCalled ? opened.unreadable.credentials : [],
      perCall: perCall(row.providerId as ProviderId),
      breaker: isCalled ? this.breakerOf(row) : new CircuitBreaker(this.now, () => undefined),
      pause: this.pauseOf(row),
      ...(sandbox && { sandbox }),
    };
  }

  private pauseOf({ id, holdId = null }: StoredIntegration): Pause {
    const pause = this.pauses.get(id) ?? { holdId };
    pause.holdId = holdId;
    this.pauses.set(id, pause);
    return pause;
  }

  private breakerOf({ id, environmentId, providerId, health }: Integration): CircuitBreaker {
    const known = this.breakers.get(id);
    const text = JSON.stringify(health);
    if (known) {
      // A health that this breaker wrote is not adopted again.
      if (text !== known.written) known.breaker.adopt(health);
      known.written = text;
      return known.breaker;
    }
    const entry = {
      written: text,
      breaker: new CircuitBreaker(this.now, (changed, before) => {
        // A breaker that stays open after a failed probe has not changed, and a pause is a wish of the provider.
        const [wasOpen, isOpen] = [before?.state === 'open', changed?.state === 'open'];
        if (wasOpen !== isOpen) {
          const reason = changed?.reason;
          this.onBreaker({ opened: isOpen, environmentId, integrationId: id, providerId, ...(reason && { reason }) });
        }
        entry.written = JSON.stringify(changed);
        this.store.setHealth(environmentId, id, changed).catch(this.onError);
      }),
    };
    if (health) entry.breaker.adopt(health);
    this.breakers.set(id, entry);
    return entry.breaker;
  }
}
