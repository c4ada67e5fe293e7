/*
 * Where reads of open work and of claims begin. Both end in about the order of their times, and Postgres keeps the dead
 * rows of those that ended while any transaction of the server is old, such as that of a backup. A read without a lower
 * bound visits all of them. The sweeper moves the bounds up each second. They are sequences, which are written in place
 * and have no dead rows themselves.
 *
 * A row may get a time before the bound: a delay until a time that has passed, a claim by a clock that is more than a
 * minute behind, a restored backup. While there are few dead rows, the sweeper reads without a bound and moves it back;
 * while there are many, it does so every five minutes, so that no row is forgotten.
 */

/** Fewer dead rows than this cost nothing that matters. */
export const FEW_DEAD_ROWS = 50_000;
/** How many dead rows the table of open work has. */
export const DEAD_ROWS = `pg_stat_get_dead_tuples('work'::regclass)`;

/** Statements commit later than the times that they write, and the ids of claims have the times of other clocks. */
const SETTLED_MS = 60_000;

type Bound = 'oldest_claim' | 'oldest_due';

const TABLES = { oldest_claim: 'claim', oldest_due: 'work' };

const milliseconds = (bound: Bound): string => `(SELECT last_value FROM ${bound})`;

/** The first two seconds of every five minutes: the sweeper reads once a second. */
const IS_TIME_FOR_ALL = `floor(extract(epoch FROM now()))::bigint % 300 < 2`;

/** For the sweeper: no bound while that costs little, and now and then. */
const carefully = (bound: Bound): string => `(
  SELECT CASE WHEN pg_stat_get_dead_tuples('${TABLES[bound]}'::regclass) < ${FEW_DEAD_ROWS} OR ${IS_TIME_FOR_ALL}
              THEN 0 ELSE last_value END
    FROM ${bound})`;

const sinceClaim = (time: string): string => `c.id >= (lpad(to_hex(${time}), 12, '0') || repeat('0', 20))::uuid`;
const sinceDue = (time: string): string => `w.due_at >= to_timestamp(${time} / 1000.0)`;

/** The claims `c` that can be live. */
export const CAN_BE_LIVE = sinceClaim(milliseconds('oldest_claim'));
/** The rows `w` that can be open. */
export const CAN_BE_OPEN = sinceDue(milliseconds('oldest_due'));

/** The same for the sweeper. */
export const MAY_BE_LIVE = sinceClaim(carefully('oldest_claim'));
export const MAY_BE_OPEN = sinceDue(carefully('oldest_due'));

/** Moves a bound to the time of the oldest, in milliseconds or NULL, as SQL. */
export const moveBound = (bound: Bound, oldest: string): string => `setval('${bound}', greatest(0, least(${oldest},
  floor(extract(epoch FROM now()) * 1000)::bigint - ${SETTLED_MS})))`;
