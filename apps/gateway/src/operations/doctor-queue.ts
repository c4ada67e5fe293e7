import type { FindingDto } from '@clarion/contracts';
import type { BackendFacts } from '@clarion/queue';
import { clock } from './doctor-database';
import { finding } from './finding';

const NEARLY_FULL = 0.8;

export function queueFindings(facts: BackendFacts): FindingDto[] {
  if (facts.kind === 'postgres') {
    const { schemaVersion: version, neededSchemaVersion: needed } = facts;
    if (version === needed) return [finding('queue', 'ok', `The queue is on Postgres, schema version ${version}`)];
    const found = `The schema of the queue has version ${version ?? 'none'}, needed is ${needed}`;
    return [finding('queue', 'bad', found, 'Start an engine: it brings the schema of the queue up to date')];
  }
  return facts.primaries.flatMap((server) => {
    const { version, replicas, maxmemoryPolicy, usedMemoryBytes, maxmemoryBytes, aof, clockSkewMs } = server;
    const memory = `${Math.round(usedMemoryBytes / 1024 ** 2)} MiB of ${Math.round(maxmemoryBytes / 1024 ** 2)} MiB`;
    return [
      finding('queue', 'ok', `Redis ${version}, ${facts.form}, ${replicas} replicas`),
      maxmemoryPolicy === 'noeviction'
        ? finding('eviction', 'ok', 'Redis evicts nothing')
        : finding(
            'eviction',
            'bad',
            `Redis may drop jobs (maxmemory-policy ${maxmemoryPolicy})`,
            'CONFIG SET maxmemory-policy noeviction, and the same in the configuration file',
          ),
      maxmemoryBytes > 0 && usedMemoryBytes > maxmemoryBytes * NEARLY_FULL
        ? finding('memory of Redis', 'warn', `${memory} are in use`, 'Raise maxmemory; the queue stops when it is full')
        : finding('memory of Redis', 'ok', maxmemoryBytes > 0 ? `${memory} are in use` : 'No limit is set'),
      finding(
        'persistence of Redis',
        'ok',
        aof ? 'Redis keeps an append-only file' : 'No append-only file: after a restart the rows rebuild the queue',
      ),
      ...(clockSkewMs === undefined ? [] : [clock('clock of Redis', clockSkewMs)]),
    ];
  });
}
