import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The times of the oldest claim and of the oldest open row, in milliseconds: reads begin there. Postgres keeps the dead
 * rows before them while any transaction is old. A sequence is written in place: it has no dead rows itself.
 */
export class OldestOpen1763293000000 implements MigrationInterface {
  readonly name = 'OldestOpen1763293000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE SEQUENCE oldest_claim MINVALUE 0 START 0`);
    await runner.query(`CREATE SEQUENCE oldest_due MINVALUE 0 START 0`);
    await runner.query(
      isClaimed(`c.id >= (SELECT (lpad(to_hex(last_value), 12, '0') || repeat('0', 20))::uuid FROM oldest_claim) AND`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(isClaimed(''));
    await runner.query(`DROP SEQUENCE oldest_claim, oldest_due`);
  }
}

const isClaimed = (bound: string): string => `
  CREATE OR REPLACE FUNCTION is_claimed(row_id uuid, row_fence int, row_claim_id uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT EXISTS (
      SELECT 1 FROM claim c
       WHERE ${bound} c.lease_until > now()
         AND (c.id = row_claim_id
              OR (row_id BETWEEN c.first_id AND c.last_id
                  AND EXISTS (SELECT 1 FROM unnest(c.work_ids, c.fences) AS held (id, fence)
                               WHERE held.id = row_id AND held.fence = row_fence)))) $$`;
