import type { FindingDto } from '@clarion/contracts';
import { backendFault, type BackendFacts, inspectBackend, type QueueBackend } from '@clarion/queue';
import { clock } from './doctor-database';
import { finding } from './finding';

const NEARLY_FULL = 0.8;

type ExaminedQueue = {
  /** Undefined while the embedded Redis is not running. */
  queueBackend: QueueBackend | undefined;
  queuePrefix: string;
  /** Whether texts may name hosts: the command line shows them, the API does not. */
  showsHosts: boolean;
};

/** What stops the start of a process is one bad finding: the facts of such a server would look fine beside it. */
export async function queueFindings({ queueBackend, queuePrefix, showsHosts }: ExaminedQueue): Promise<FindingDto[]> {
  if (!queueBackend) return [finding('queue', 'warn', 'The embedded Redis is not running', 'Start Clarion')];
  const bad = (found: string, advice: string): FindingDto[] => [
    finding('queue', 'bad', showsHosts ? found : withoutHosts(found), advice),
  ];
  const errors: NodeJS.ErrnoException[] = [];
  const fault = await backendFault(queueBackend, { prefix: queuePrefix, onError: (error) => void errors.push(error) });
  if (fault !== undefined) return bad(fault, 'Correct REDIS_URL or the server: no process starts with it');
  const [error] = errors;
  if (error) {
    // An error about several addresses of one name has only a code.
    const found = `Redis does not answer: ${error.message || error.code}`;
    return bad(found, 'Start Redis, or correct REDIS_URL and the network; work is kept in Postgres until it answers');
  }
  return factFindings(await inspectBackend(queueBackend, queuePrefix));
}

/** Errors of the network and redirections of Redis name hosts as well, with a port or after the lookup of a name. */
const withoutHosts = (text: string): string =>
  text
    .replace(/(\[[\da-f:.]+\]|(?<![\w.:-])[\w.:-]+):\d{1,5}\b/gi, '(host)')
    .replace(/(getaddrinfo \w+) \S+/g, '$1 (host)');

function factFindings(facts: BackendFacts): FindingDto[] {
  if (facts.kind === 'postgres') {
    const { schemaVersion: version, neededSchemaVersion: needed } = facts;
    if (version === needed) return [finding('queue', 'ok', `The queue is on Postgres, schema version ${version}`)];
    const found = `The schema of the queue has version ${version ?? 'none'}, needed is ${needed}`;
    return [finding('queue', 'bad', found, 'Start an engine: it brings the schema of the queue up to date')];
  }
  return facts.primaries.flatMap((server) => {
    const { version, replicas, usedMemoryBytes, maxmemoryBytes, aof, clockSkewMs } = server;
    const memory = `${Math.round(usedMemoryBytes / 1024 ** 2)} MiB of ${Math.round(maxmemoryBytes / 1024 ** 2)} MiB`;
    return [
      finding('queue', 'ok', `Redis ${version}, ${facts.form}, ${replicas} replicas, evicts nothing`),
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
