import type { OperatedQueueDto } from '@clarion/contracts';
import { closestName, TimeoutError } from '@clarion/contracts/core';
import type { QueueInspector, QueueName } from '@clarion/queue';
import { command, CommandError, UsageError } from '../command';
import type { Row } from '../output';
import type { Tools } from '../tools';

function backendOf({ queueBackend }: Tools) {
  if (queueBackend) return queueBackend;
  throw new CommandError(
    'The embedded Redis is not running: start Clarion first. Nothing is lost, the rows hold the work.',
  );
}

/** Runs the work with the queues, and says in one sentence when they do not answer. */
async function inspect<T>(tools: Tools, work: (inspector: QueueInspector) => Promise<T>): Promise<T> {
  const queue = await import('@clarion/queue');
  const inspector = new queue.QueueInspector(backendOf(tools), tools.queueOptions);
  try {
    return await work(inspector);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new CommandError(
      'The queue does not answer. Nothing is lost, the rows hold the work; npm run clarion -- doctor says why.',
    );
  } finally {
    await inspector.close();
  }
}

async function serviceOf({ database }: Tools) {
  const { QueuesService } = await import('@clarion/gateway/command-line');
  const { QueuedRowsRepository } = await import('@clarion/persistence');
  return new QueuesService(new QueuedRowsRepository(database));
}

const queueRow = (row: OperatedQueueDto): Row => ({
  queue: row.name,
  'jobs waiting': row.waiting,
  delayed: row.delayed,
  active: row.active,
  'oldest job': row.oldestJobSeconds === null ? null : `${row.oldestJobSeconds} s`,
  'rows due': `${row.dueRows}${row.isBounded ? '+' : ''}`,
  ...Object.fromEntries(row.lanes.map(({ lane, dueRows }) => [lane, dueRows])),
  running: row.runningRows,
  later: row.laterRows,
  'due since': row.oldestDueRowAt,
});

/** Engines offer due rows once a second; a busy process may take them a little later. */
const OFFERED_WITHIN_MS = 5_000;

/** Whether the queues have jobs for the due rows. */
function verdictOf(rows: OperatedQueueDto[]): string[] {
  const missing = rows.filter(
    ({ waiting, delayed, active, oldestDueRowAt }) =>
      waiting + delayed + active === 0 &&
      oldestDueRowAt !== null &&
      Date.now() - Date.parse(oldestDueRowAt) > OFFERED_WITHIN_MS,
  );
  if (missing.length === 0)
    return ['Every queue with rows that are due has jobs for them. A job names up to 100 rows.'];
  return missing.map(
    ({ name, dueRows }) =>
      `The queue ${name} has no job for ${dueRows} rows that are due. Engines offer them every second, if one runs; ` +
      'npm run clarion -- queues rebuild offers them now.',
  );
}

const NOTHING_WRITTEN =
  'The queue does not answer, so no job was written. Nothing is lost, the rows hold the work; ' +
  'npm run clarion -- doctor says why.';

export const QUEUES = [
  command({
    name: 'queues',
    canWatch: true,
    about: 'jobs of each queue beside the due rows of Postgres',
    async run({ open, output, isJson }) {
      const tools = await open();
      const service = await serviceOf(tools);
      const rows = await inspect(tools, (inspector) => service.read(undefined, inspector));
      if (isJson) return output.json(rows);
      output.table(rows.map(queueRow));
      output.line();
      for (const sentence of verdictOf(rows)) output.line(sentence);
    },
  }),
  command({
    name: 'queues drain',
    arguments: ['queue'],
    about: 'remove the jobs that wait; loses nothing, because the rows are offered again',
    async run({ open, output, arguments: [wanted] }) {
      const { QUEUE_NAMES } = await import('@clarion/queue');
      const name = QUEUE_NAMES.find((known): known is QueueName => known === wanted);
      if (!name) {
        const close = closestName(wanted!, QUEUE_NAMES);
        const hint = close ? `; did you mean ${close}?` : '';
        throw new UsageError(`There is no queue "${wanted}"${hint} There are: ${QUEUE_NAMES.join(', ')}`);
      }
      const removedJobs = await inspect(await open(), (inspector) => inspector.drain(name));
      output.show([{ queue: name, removedJobs }]);
    },
  }),
  command({
    name: 'queues rebuild',
    about: 'offer all due rows to the queues again, now',
    async run({ open, output }) {
      const tools = await open();
      const { QueueProducer } = await import('@clarion/queue');
      const producer = await QueueProducer.open(backendOf(tools), tools.queueOptions);
      const progress = output.progress('rows offered');
      try {
        if (!producer.isConnected) throw new CommandError(NOTHING_WRITTEN);
        const result = await (await serviceOf(tools)).rebuild(undefined, producer, (rows) => progress.update(rows));
        progress.end();
        output.show([result]);
        if (result.failedRows === 0) return 0;
        output.note(
          `The queue did not take the jobs of ${result.failedRows} rows. Nothing is lost: engines offer them again; ` +
            'npm run clarion -- doctor says what the queue has.',
        );
        return 1;
      } finally {
        await producer.close();
      }
    },
  }),
];
