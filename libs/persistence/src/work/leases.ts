/**
 * The times and limits of the claim protocol, in one place: the repositories put them into their SQL, the pipelines
 * decide by them, and the in-memory store of the simulation uses the same values.
 *
 * A worker claims a row for the length of a lease and renews it while it works. When the lease ends without a renewal,
 * the worker counts as crashed and another one may claim the row. An offer is a hint in the queue that names a row.
 * While an offer is fresh, the sweeper does not offer the row again.
 */

/**
 * How long claimed or renewed rows belong to their process. Shorter than the longest provider call (15 s): the holder
 * renews the lease during the call. After a crash the rows wait for the rest of the lease, so it is short.
 */
export const LEASE_MS = 10_000;

/** How often a process renews its leases: two renewals may fail before a lease ends. */
export const RENEW_MS = 3_000;

/**
 * When no sweeper has reached the database for this long, the holders of claims could not renew them either. Shorter
 * than the rest of a lease that was about to be renewed, longer than the pause between two sweeps.
 */
export const AWAY_MS = 3_500;

/**
 * How long the sweeper leaves the lapsed claims of channel workers to them after such a time: they renew the claims or
 * record the outcomes of their provider calls.
 */
export const GRACE_MS = LEASE_MS;

/** How long the sweeper leaves a row to the queue after the commit that opened it. */
export const OFFER_MS = 1_000;

/** The same while the queue has jobs: the row may wait behind them. */
export const OFFER_TO_BUSY_QUEUE_MS = 5_000;

/** How long the sweeper waits before it offers the same row again. */
export const OFFER_AGAIN_MS = 15_000;

/** The same after a crash: the row waits in the memory of a worker, which may crash as well. */
export const OFFER_CRASHED_AGAIN_MS = 5_000;

/** Claims of one row that may end in a crash. The next one quarantines the row instead. */
export const CRASHES_ALLOWED = 3;

/** Rows of one environment (steps: of one channel) that may be in flight at least, however many share the cap. */
export const SMALLEST_SHARE = 500;

/** Bytes of JSON that one claim reads, and one row more; parsed in one turn, 30 ms for each megabyte. */
export const CLAIM_BYTES = 2 * 1024 * 1024;

/** Bytes in memory of the outcomes that one statement records, and one more; written in one turn, 10 ms a megabyte. */
export const RECORD_BYTES = 2 * 1024 * 1024;

/**
 * How long a step waits for an account that cannot be called, if nothing releases it: the sweeper does, as soon as
 * the account can be called or is tried again. Long, because a step that comes back in vain is claimed, rendered and
 * written again.
 */
export const ACCOUNT_WAIT_MS = 3_600_000;

/**
 * How long after the end of a pause of an account one step at a time is released to try it. Longer than a provider
 * call: by then the try has ended and the account is paused again or not, unless no worker writes that.
 */
export const ACCOUNT_TRIED_MS = 30_000;
