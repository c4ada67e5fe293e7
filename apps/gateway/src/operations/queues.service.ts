import { Injectable } from '@nestjs/common';
import { DomainError, groupBy, type OperatedQueueDto, PRIORITIES } from '@clarion/contracts';
import { type EnvironmentIds, QueuedRowsRepository } from '@clarion/persistence';
import { type QueueInspector, queueOfRows, QueueProducer, StepOffers } from '@clarion/queue';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class QueuesService {
  constructor(private readonly rows: QueuedRowsRepository) {}

  /** The jobs of the whole installation, beside the open rows of the environments; of all without `environmentIds`. */
  async read(environmentIds: EnvironmentIds, inspector: Pick<QueueInspector, 'read'>): Promise<OperatedQueueDto[]> {
    const jobs = inspector.read().catch(() => {
      throw queueUnavailable('its jobs cannot be counted');
    });
    const [queues, rows] = await Promise.all([jobs, this.rows.read(environmentIds)]);
    const rowsOf = groupBy(rows, ({ type }) => queueOfRows(type));
    return queues.map(({ name, waiting, delayed, active, oldestSeconds }) => {
      const own = rowsOf.get(name) ?? [];
      const oldest = own.flatMap(({ oldestDueAt }) => (oldestDueAt ? [oldestDueAt.getTime()] : []));
      const sum = (of: 'due' | 'running' | 'later'): number => own.reduce((total, row) => total + row[of], 0);
      return {
        name,
        waiting,
        delayed,
        active,
        oldestJobSeconds: oldestSeconds === null ? null : Math.round(oldestSeconds),
        dueRows: sum('due'),
        lanes: PRIORITIES.map((lane, index) => ({
          lane,
          dueRows: own.reduce((total, { dueByLane }) => total + dueByLane[index]!, 0),
        })),
        runningRows: sum('running'),
        laterRows: sum('later'),
        oldestDueRowAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)).toISOString(),
        isBounded: own.some(({ isBounded }) => isBounded),
      };
    });
  }

  /** Offers every due row again; a row with two jobs is claimed once. Without a queue no row is touched. */
  async rebuild(
    environmentIds: EnvironmentIds,
    producer: QueueProducer,
    onProgress?: (offered: number) => void,
  ): Promise<{ offeredRows: number; failedRows: number }> {
    if (!producer.isConnected) throw queueUnavailable('no job was written');
    const offers = new StepOffers(producer);
    const result = { offeredRows: 0, failedRows: 0 };
    for (let after: string = FIRST_ID; ;) {
      const rows = await this.rows.offerAgain(environmentIds, after);
      if (rows.length === 0) return result;
      const added = await offers.all(rows);
      result.offeredRows += added;
      result.failedRows += rows.length - added;
      onProgress?.(result.offeredRows);
      after = rows.at(-1)!.id;
    }
  }
}

function queueUnavailable(consequence: string): DomainError {
  const fault = `The queue does not answer, so ${consequence}. Nothing is lost: the rows hold the work.`;
  return new DomainError('unavailable', fault, {}, { 'Retry-After': '5' });
}
