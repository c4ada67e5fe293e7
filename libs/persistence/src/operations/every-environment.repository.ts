import type { EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Environment } from '../entities';

/** The environments of all organizations: for the operator only. */
export class EveryEnvironmentRepository extends Repository {
  list(): Promise<Environment[]> {
    return this.database.asSystem(() =>
      this.database.rows<Environment>(
        `SELECT * FROM environment WHERE deleted_at IS NULL ORDER BY organization_id, id`,
      ),
    );
  }

  async find(id: EnvironmentId): Promise<Environment | undefined> {
    const [row] = await this.database.asSystem(() =>
      this.database.rows<Environment>(`SELECT * FROM environment WHERE id = $1 AND deleted_at IS NULL`, [id]),
    );
    return row;
  }
}
