import type { ConfigurationsDto, CredentialsDto, EnvironmentId } from '@clarion/contracts';
import type { Channel, Dialect, IntegrationHealth, ProviderId } from '@clarion/contracts/core';
import type { Integration } from '@clarion/persistence';
import { openIntegration, type SecretBox } from '@clarion/platform';
import { providerFor } from '@clarion/providers';
import type { Candidate } from '@clarion/rules';
import { CircuitBreaker } from './circuit-breaker';
import type { Integrations } from './ports';

/** An integration ready to be used: secrets open, health watched. */
export type Account = Candidate & {
  environmentId: EnvironmentId;
  name: string;
  credentials: CredentialsDto;
  configurations: ConfigurationsDto;
  /** Of the environment; without one the installation's counts. */
  dialect?: Dialect;
  /** Stored credentials that do not decrypt. */
  unreadable: string[];
  /** How many messages one call to the provider carries. */
  perCall: number;
  breaker: CircuitBreaker;
};

const REMEMBERED = 1_000;
/** More would make one lane as wide as all that a worker holds. */
const MOST_PER_CALL = 100;
const perCall = (id: ProviderId): number => Math.min(providerFor(id)?.batch?.size ?? 1, MOST_PER_CALL);

/**
 * The active integrations of each environment. Every claimed step says what state they are in (a stamp), so that a change
 * counts from the next step on and nothing is asked in between. Breakers outlive the changes.
 */
export class IntegrationDirectory {
  private readonly known = new Map<string, { stamp: string | null; accounts: Account[] }>();
  private readonly breakers = new Map<string, { breaker: CircuitBreaker; written: string }>();

  constructor(
    private readonly store: Integrations,
    private readonly secrets: SecretBox,
    private readonly now: () => number,
    private readonly onError: (error: unknown) => void,
  ) {}

  async load(steps: { environmentId: EnvironmentId; settingsStamp: string | null }[]): Promise<void> {
    const stale = new Map<EnvironmentId, string | null>();
    for (const { environmentId, settingsStamp } of steps) {
      const known = this.known.get(environmentId);
      if (!known || known.stamp !== settingsStamp) stale.set(environmentId, settingsStamp);
    }
    await Promise.all(
      [...stale].map(async ([environmentId, stamp]) => {
        const rows = await this.store.listActive(environmentId);
        this.known.delete(environmentId);
        this.known.set(environmentId, { stamp, accounts: rows.map((row) => this.toAccount(row)) });
      }),
    );
    while (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value!);
  }

  accounts(environmentId: EnvironmentId, channel: Channel): Account[] {
    return (this.known.get(environmentId)?.accounts ?? []).filter((account) => account.channel === channel);
  }

  private toAccount(row: Integration & { dialect?: Dialect | null }): Account {
    const opened = openIntegration(this.secrets, row);
    return {
      id: row.id,
      environmentId: row.environmentId,
      identifier: row.identifier,
      name: row.name,
      providerId: row.providerId as ProviderId,
      channel: row.channel,
      active: row.active,
      primary: row.primary,
      priority: row.priority,
      conditions: row.conditions,
      health: row.health,
      credentials: opened.credentials,
      configurations: opened.configurations,
      ...(row.dialect && { dialect: row.dialect }),
      unreadable: opened.unreadable.credentials,
      perCall: perCall(row.providerId as ProviderId),
      breaker: this.breakerOf(row),
    };
  }

  private breakerOf({ id, environmentId, health }: Integration): CircuitBreaker {
    const known = this.breakers.get(id);
    const text = JSON.stringify(health);
    if (known) {
      // Not our own word coming back.
      if (text !== known.written) known.breaker.adopt(health);
      known.written = text;
      return known.breaker;
    }
    const entry = {
      written: text,
      breaker: new CircuitBreaker(this.now, (changed: IntegrationHealth | null) => {
        entry.written = JSON.stringify(changed);
        this.store.setHealth(environmentId, id, changed).catch(this.onError);
      }),
    };
    if (health) entry.breaker.adopt(health);
    this.breakers.set(id, entry);
    return entry.breaker;
  }
}
