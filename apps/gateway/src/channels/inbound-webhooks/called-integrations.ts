import { Injectable } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import { DomainError, isId } from '@clarion/contracts';
import { type Integration, IntegrationRepository } from '@clarion/persistence';

/** Ids are random, so one that is called before it exists was invented. */
const UNKNOWN_MS = 5_000;
const REMEMBERED = 10_000;
const LOOKED_UP_AT_ONCE = 20;

type Called = { environmentId: string; id: string };

/** The integration that a call of a provider names. Anyone can call, so it is found before the body is read. */
@Injectable()
export class CalledIntegrations {
  private readonly unknown = new Map<string, number>();
  /** By lower-case ids. All lookups together use one connection at a time. */
  private readonly lookups: Batcher<Called, Integration | undefined>;

  constructor(integrations: IntegrationRepository) {
    this.lookups = new Batcher({
      maxItems: LOOKED_UP_AT_ONCE,
      maxWaitMs: 0,
      concurrency: 1,
      run: async (called) => {
        const found = await integrations.findCalled(called);
        return called.map(({ environmentId, id }) =>
          found.find((row) => row.id === id && row.environmentId === environmentId),
        );
      },
    });
  }

  /** The response does not show whether the integration is unknown, deleted or belongs to another environment. */
  async find(environmentId: string, integrationId: string): Promise<Integration> {
    const name = `${environmentId} ${integrationId}`.toLowerCase();
    const isNamed = isId(environmentId) && isId(integrationId) && (this.unknown.get(name) ?? 0) < performance.now();
    const row =
      isNamed &&
      (await this.lookups.add({ environmentId: environmentId.toLowerCase(), id: integrationId.toLowerCase() }));
    if (row) return row;
    if (isNamed) {
      if (this.unknown.size >= REMEMBERED) this.unknown.clear();
      this.unknown.set(name, performance.now() + UNKNOWN_MS);
    }
    throw new DomainError('not_found', 'There is no such integration');
  }
}
