import type { EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { SetupLink } from '../entities';

/** A setup link with the organization of its environment, which the audit log needs. */
export type OpenSetupLink = SetupLink & { organizationId: string };

export class SetupLinkRepository extends Repository {
  /** Returns when it expires, by the clock of the database. */
  insert(link: Omit<SetupLink, 'createdAt' | 'expiresAt'>, minutes: number): Promise<Date> {
    return this.database.value<Date>(
      `INSERT INTO setup_link (id, environment_id, integration_id, purpose, details, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + $6::int * interval '1 minute') RETURNING expires_at`,
      [link.id, link.environmentId, link.integrationId, link.purpose, JSON.stringify(link.details), minutes],
    );
  }

  /** Links of any environment that have not expired. Callers have no key: the signature of a link is the proof. */
  findMany(ids: string[]): Promise<OpenSetupLink[]> {
    return this.database.rows<OpenSetupLink>(
      `SELECT l.*, e.organization_id FROM setup_link l JOIN environment e ON e.id = l.environment_id
        WHERE l.id = ANY ($1::uuid[]) AND l.expires_at > now()`,
      [ids],
    );
  }

  /** Whether this caller is the one that uses it: of several, one gets true. */
  use(environmentId: EnvironmentId, id: string): Promise<boolean> {
    return this.database.matches(
      `DELETE FROM setup_link WHERE environment_id = $1 AND id = $2 AND expires_at > now()`,
      [environmentId, id],
    );
  }
}
