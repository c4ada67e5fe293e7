import { Injectable } from '@nestjs/common';
import { DomainError, type EnvironmentId, isId } from '@clarion/contracts';
import { type Integration, IntegrationRepository } from '@clarion/persistence';

/** Ids are random, so one that is called before it exists was invented. */
const UNKNOWN_MS = 5_000;
const REMEMBERED = 10_000;

/** The integration that a call of a provider names. Anyone can call, so it is found before the body is read. */
@Injectable()
export class CalledIntegrations {
  private readonly unknown = new Map<string, number>();

  constructor(private readonly integrations: IntegrationRepository) {}

  /** The response does not show whether the integration is unknown, deleted or belongs to another environment. */
  async find(environmentId: string, integrationId: string): Promise<Integration> {
    const name = `${environmentId} ${integrationId}`.toLowerCase();
    const isNamed = isId(environmentId) && isId(integrationId) && (this.unknown.get(name) ?? 0) < performance.now();
    const row =
      isNamed &&
      (await this.integrations.find(environmentId.toLowerCase() as EnvironmentId, integrationId.toLowerCase()));
    if (row) return row;
    if (isNamed) {
      if (this.unknown.size >= REMEMBERED) this.unknown.clear();
      this.unknown.set(name, performance.now() + UNKNOWN_MS);
    }
    throw new DomainError('not_found', 'There is no such integration');
  }
}
