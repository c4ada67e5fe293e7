/** Each environment with open rows, found by skipping through the index instead of reading it. */
export const walk = (columns: string[], from: string, first: string): string => `
  (SELECT ${columns.join(', ')} FROM ${from} WHERE ${first} ORDER BY ${columns.join(', ')} LIMIT 1)
  UNION ALL
  SELECT next.* FROM lanes l CROSS JOIN LATERAL (
    SELECT ${columns.join(', ')} FROM ${from}
     WHERE ${first} AND (${columns.join(', ')}) > (${columns.map((column) => `l.${column}`).join(', ')})
     ORDER BY ${columns.join(', ')} LIMIT 1) next`;

/** Whether a live claim holds the row of `work` with this alias, as SQL. Tenants may ask it too. */
export const isClaimed = (work: string): string => `is_claimed(${work}.id, ${work}.fence, ${work}.claim_id)`;

/**
 * The same for statements of the service about many rows: Postgres reads the live claims once and looks up each row.
 */
export const isClaimedOfMany = (work: string): string => `
  ((${work}.id, ${work}.fence) IN (
     SELECT held.id, held.fence FROM claim c CROSS JOIN LATERAL unnest(c.work_ids, c.fences) AS held (id, fence)
      WHERE c.lease_until > now())
   OR (${work}.claim_id IS NOT NULL AND ${work}.claim_id IN (SELECT c.id FROM claim c WHERE c.lease_until > now())))`;
