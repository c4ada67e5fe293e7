const MADE_BY_GATEWAY = '^txn_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/**
 * The transactions of an environment with these transactionIds, as SQL: `transaction_id` and `trigger_id`.
 * `transactionIds` is SQL of a text array. An id that a caller chose has a row in `transaction`. An id that the gateway
 * made contains the id of its trigger and has no row; the trigger confirms it. LIMIT lets Postgres plan nothing but one
 * lookup per id, which also skips the partitions of other weeks.
 */
export const selectTransactions = (transactionIds: string, environment = '$1'): string => `
  SELECT x.transaction_id, x.trigger_id FROM transaction x
   WHERE x.environment_id = ${environment} AND x.transaction_id = ANY (${transactionIds})
   UNION
  SELECT made.transaction_id, made.trigger_id
    FROM (SELECT given.id AS transaction_id,
                 CASE WHEN given.id ~ '${MADE_BY_GATEWAY}' THEN substring(given.id FROM 5)::uuid END AS trigger_id
            FROM unnest(${transactionIds}) AS given (id) OFFSET 0) made
   CROSS JOIN LATERAL (
     SELECT 1 FROM trigger t
      WHERE t.id = made.trigger_id AND t.environment_id = ${environment}
        AND t.transaction_id = made.transaction_id LIMIT 1) known`;

/** The ids of the triggers of these transactions, as SQL of an array. */
export const triggersOf = (transactionIds: string, environment?: string): string =>
  `ARRAY(SELECT named.trigger_id FROM (${selectTransactions(transactionIds, environment)}) named)`;
