import type { QueueName } from '@clarion/queue';
import { command, CommandError, UsageError } from '../command';
import { nearest } from '../nearest';
import type { Tools } from '../tools';

/** The queue backend of the installation. */
function backendOf({ queueBackend }: Tools) {
  if (queueBackend) return queueBackend;
  throw new CommandError(
    'The embedded Redis is not running: start Clarion first. Nothing is lost, the rows hold the work.',
  );
}

async function inspectorOf(tools: Tools) {
  const { QueueInspector } = await import('@clarion/queue');
  return new QueueInspector(backendOf(tools), tools.queueOptions);
}

async function serviceOf({ database }: Tools) {
  const { QueuesService } = await import('@clarion/gateway/command-line');
  const { QueuedRowsRepository } = await import('@clarion/persistence');
  return new QueuesService(new QueuedRowsRepository(database));
}

export const QUEUES = [
  command({
    name: 'queues',
    canWatch: true,
    about: 'jobs of each queue beside the due rows of Postgres',
    async run({ open, output }) {
      const tools = await open();
      const inspector = await inspectorOf(tools);
      try {
        const rows = await (await serviceOf(tools)).read(undefined, inspector);
        output.show(rows.map((row) => ({ ...row })));
      } finally {
        await inspector.close();
      }
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
        const close = nearest(wanted!, QUEUE_NAMES);
        const hint = close ? `; did you mean ${close}?` : '';
        throw new UsageError(`There is no queue "${wanted}"${hint} There are: ${QUEUE_NAMES.join(', ')}`);
      }
      const inspector = await inspectorOf(await open());
      try {
        output.show([{ queue: name, removedJobs: await inspector.drain(name) }]);
      } finally {
        await inspector.close();
      }
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
        const result = await (await serviceOf(tools)).rebuild(undefined, producer, (rows) => progress.update(rows));
        progress.end();
        output.show([result]);
        return result.failedRows === 0 ? 0 : 1;
      } finally {
        await producer.close();
      }
    },
  }),
];
