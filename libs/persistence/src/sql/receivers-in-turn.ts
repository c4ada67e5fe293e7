/**
 * A CTE `due` with the receivers (webhook endpoints, mirrors) that a process leases next, $3 at most. Organizations
 * take turns, and one gets half of the free places: a tenant with many receivers that answer slowly delays no other.
 */
export function receiversInTurn(receiver: { from: string; id: string; hasWork: string }): string {
  const { from, id, hasWork } = receiver;
  const [alias] = id.split('.');
  return `
WITH ranked AS MATERIALIZED (
  SELECT ${id} AS id,
         row_number() OVER (PARTITION BY v.organization_id ORDER BY ${alias}.served_at NULLS FIRST) AS place
    FROM ${from} JOIN environment v ON v.id = ${alias}.environment_id WHERE ${hasWork}
), due AS (
  SELECT ${id} AS id FROM ${from} JOIN ranked r ON r.id = ${id} WHERE r.place <= greatest($3 / 2, 1) AND ${hasWork}
   ORDER BY r.place, ${alias}.served_at NULLS FIRST LIMIT $3 FOR UPDATE OF ${alias} SKIP LOCKED
)`;
}
