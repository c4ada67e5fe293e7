import type { FindingDto } from '@clarion/contracts';
import type { DatabaseState, SchemaReport } from '@clarion/persistence';
import { finding } from './finding';

/** Above this, times of different processes are compared wrongly, such as those of leases and logs. */
const CLOCK_SKEW_MS = 1_000;

const NEARLY_FULL = 0.8;

/** Dead rows that a transaction of this age leaves behind are few at first; after an hour of load they are millions. */
const LONG_SECONDS = 5 * 60;
const TOO_LONG_SECONDS = 3600;
/** The same for what has no age: a slot or a standby that is this many transactions behind. */
const LONG_TRANSACTIONS = 1_000_000;

const MAINTENANCE_SECONDS = 3 * 3600;

type DoctorContext = {
  /** The clock of Postgres minus that of this process. */
  offsetMs: number;
  poolSize: number;
};

export function databaseFindings(state: DatabaseState, { offsetMs, poolSize }: DoctorContext): FindingDto[] {
  const gigabytes = (state.sizeBytes / 1024 ** 3).toFixed(1);
  const through = state.pooler ? ', through a connection pooler' : '';
  return [
    finding('postgres', 'ok', `Postgres ${state.version}, ${gigabytes} GiB${through}`),
    state.readOnly
      ? finding(
          'writes',
          'bad',
          state.isInRecovery ? 'This is a standby: it refuses writes' : 'The database is read-only',
          'Let DATABASE_URL lead to the primary, or promote the standby',
        )
      : finding('writes', 'ok', 'The database accepts writes'),
    ...durability(state),
    standby(state),
    connections(state, poolSize),
    vacuum(state),
    clock('clock of Postgres', offsetMs),
    ...maintenance(state),
  ];
}

export function schemaFindings(report: SchemaReport): FindingDto[] {
  const { applied, missing, unknown, incompatible, changedChecksums } = report;
  if (changedChecksums.length > 0) {
    const found = `The database ran another text of: ${changedChecksums.join(', ')}`;
    return [finding('schema', 'bad', found, 'Run the build that made this database, or restore it from a backup')];
  }
  if (missing.length > 0) {
    return [finding('schema', 'bad', `Not run yet: ${missing.join(', ')}`, 'npm run clarion -- migrate')];
  }
  if (incompatible.length > 0) {
    const found = `A newer build changed the schema: ${incompatible.join(', ')}`;
    return [finding('schema', 'bad', found, 'Run the newer build')];
  }
  const newer = unknown.length > 0 ? `, ${unknown.length} of them by a newer build, which only expanded it` : '';
  return [finding('schema', 'ok', `${applied.length} migrations, checksums as in this build${newer}`)];
}

function durability({ fsync, fullPageWrites, synchronousCommit }: DatabaseState): FindingDto[] {
  const off = [
    ...(fsync ? [] : ['fsync']),
    ...(fullPageWrites ? [] : ['full_page_writes']),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (off.length === 0) return [finding('durability', 'ok', 'A commit is on disk before it is answered')];
  const found = `Off: ${off.join(', ')}. An event that was answered with 201 can be lost when the server crashes`;
  return [finding('durability', 'bad', found, `Switch on: ${off.join(', ')}`)];
}

function standby({ standbys, keepsCommitsOnStandby, isInRecovery }: DatabaseState): FindingDto {
  if (isInRecovery) return finding('standby', 'ok', 'This server is a standby itself');
  if (keepsCommitsOnStandby) return finding('standby', 'ok', 'Commits wait for a synchronous standby');
  if (standbys.length === 0) {
    const advice = 'Keep backups; with a standby, make it synchronous (synchronous_standby_names)';
    return finding('standby', 'warn', 'No standby is connected: a lost disk loses what came after the backup', advice);
  }
  const lag = Math.max(...standbys.map(({ lagBytes }) => lagBytes));
  const found =
    `The standby is asynchronous (${standbys.length} connected, ${lag} bytes behind): an event that was answered ` +
    'with 201 can be lost at a failover';
  return finding('standby', 'warn', found, 'Set synchronous_standby_names, so that commits wait for a standby');
}

function connections({ connections: used, maxConnections }: DatabaseState, poolSize: number): FindingDto {
  const found = `${used} of ${maxConnections} connections are in use; each process opens up to ${poolSize}`;
  const free = maxConnections - used;
  if (used > maxConnections * NEARLY_FULL || free < poolSize) {
    const advice = 'Raise max_connections, lower CLARION_DATABASE_POOL, or put PgBouncer in front';
    return finding('connections', free < poolSize ? 'bad' : 'warn', found, advice);
  }
  return finding('connections', 'ok', `${found}, so ${Math.floor(free / poolSize)} more processes fit`);
}

/** A gateway runs it at its start and every hour. */
function maintenance({ missingPartitions, maintenance: last }: DatabaseState): FindingDto[] {
  const hours = last ? (last.seconds / 3600).toFixed(1) : undefined;
  const obstacles = (last?.obstacles ?? []).map(({ partition, reason }) => `${partition} (${reason})`);
  return [
    missingPartitions.length === 0
      ? finding('partitions', 'ok', 'The partitions ahead exist')
      : finding(
          'partitions',
          'warn',
          `Missing: ${missingPartitions.join(', ')}`,
          'A gateway creates them every hour: is one running? Inserts create a missing one, which is slower',
        ),
    last && last.seconds <= MAINTENANCE_SECONDS
      ? finding('maintenance', 'ok', `The last one ended ${hours} hours ago`)
      : finding(
          'maintenance',
          'warn',
          hours === undefined ? 'None has ended yet' : `The last one ended ${hours} hours ago`,
          'A gateway runs it every hour: is one running, and what does its log say?',
        ),
    obstacles.length === 0
      ? finding('retention', 'ok', 'Nothing keeps history past its retention')
      : finding(
          'retention',
          'warn',
          `History past its retention could not be dropped: ${obstacles.join('; ')}`,
          'End the transaction that it waits for; the maintenance of the next hour tries again',
        ),
  ];
}

function vacuum({ vacuumObstacles }: DatabaseState): FindingDto {
  const long = vacuumObstacles.filter(({ seconds, transactions }) =>
    seconds === null ? transactions >= LONG_TRANSACTIONS : seconds >= LONG_SECONDS,
  );
  if (long.length === 0) return finding('vacuum', 'ok', 'No long transaction keeps dead rows');
  const described = long.map(({ kind, name, seconds, transactions }) => {
    const age = seconds === null ? '' : `for ${Math.round(seconds / 60)} minutes, `;
    return `${kind} ${name} (${age}${transactions} transactions)`;
  });
  const found = `Postgres keeps dead rows: reads of open work get slower while a step is late: ${described.join('; ')}`;
  const advice =
    'End the session (pg_terminate_backend), the prepared transaction (ROLLBACK PREPARED) or the unused slot ' +
    '(pg_drop_replication_slot); run long reports on a standby without hot_standby_feedback';
  const isTooLong = long.some(({ seconds }) => seconds === null || seconds >= TOO_LONG_SECONDS);
  return finding('vacuum', isTooLong ? 'bad' : 'warn', found, advice);
}

export function clock(check: string, offsetMs: number): FindingDto {
  const found = `${Math.round(Math.abs(offsetMs))} ms ${offsetMs < 0 ? 'behind' : 'ahead of'} this host`;
  if (Math.abs(offsetMs) <= CLOCK_SKEW_MS) return finding(check, 'ok', found);
  return finding(check, 'warn', found, 'Let both hosts follow the same time servers (NTP)');
}
