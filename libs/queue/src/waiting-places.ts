import type { Job } from 'bullmq';
import { laneAt, PLACES, type Share, shareOf } from '@clarion/contracts/core';
import { itemsOf, type QueueName, type QueuePayloads } from './jobs';
import type { BackendQueue } from './queue-connection';
import type { LaneTimes } from './recent-times';

/** Jobs that wait at one place, and the index of the first of them, which is the oldest. */
type WaitingPlace = { place: number; jobs: number; index: number };

/** Where jobs wait in the queue, in the order in which they are taken. */
async function waitingPlaces(queue: BackendQueue): Promise<WaitingPlace[]> {
  const counts = await queue.getCountsPerPriority(PLACES);
  let index = 0;
  return PLACES.flatMap((place) => {
    const jobs = Number(counts[place] ?? 0);
    index += jobs;
    return jobs === 0 ? [] : [{ place, jobs, index: index - jobs }];
  });
}

/** The oldest job of a place. Undefined when it was taken meanwhile. */
async function oldestOf(queue: BackendQueue, { index }: WaitingPlace): Promise<Job | undefined> {
  const [job] = await queue.getJobs('prioritized', index, index, true);
  return job;
}

/** When the oldest waiting job of each lane was added. */
export async function oldestJobs(queue: BackendQueue): Promise<LaneTimes> {
  const oldest: LaneTimes = {};
  await Promise.all(
    (await waitingPlaces(queue)).map(async (place) => {
      const job = await oldestOf(queue, place);
      const lane = laneAt(place.place);
      const known = oldest[lane];
      if (job && !(known && known.getTime() <= job.timestamp)) oldest[lane] = new Date(job.timestamp);
    }),
  );
  return oldest;
}

/** When that one of the active jobs was added, in its lane, which was taken first, unless that was too long ago. */
export async function firstTaken(queue: BackendQueue, active: number, mostMs: number): Promise<LaneTimes> {
  const [job] = active > 0 ? await queue.getJobs('active', active - 1, active - 1) : [];
  if (job?.processedOn === undefined || Date.now() - job.processedOn > mostMs) return {};
  return { [laneAt(job.opts.priority ?? job.priority)]: new Date(job.timestamp) };
}

export async function waitingBefore(queue: BackendQueue, place: number): Promise<number> {
  const counts = await queue.getCountsPerPriority(PLACES.filter((one) => one < place));
  return Object.values(counts).reduce((sum, jobs) => sum + Number(jobs), 0);
}

/** Lets the job that has the share be taken next. Returns the number of its rows; 0 if none has to wait there. */
export async function promote(queue: BackendQueue, share: Share): Promise<number> {
  const places = await waitingPlaces(queue);
  const chosen = shareOf(share, places);
  if (!chosen || chosen === places[0]) return 0;
  const job = await oldestOf(queue, chosen);
  await job?.changePriority({ priority: 0, lifo: true });
  return job ? itemsOf(job.data as QueuePayloads[QueueName]) : 0;
}
