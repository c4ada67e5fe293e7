import type { RenderChild } from './render-child';
import type { Progress } from './render-protocol';
import { COMPOSED, placed, type Task } from './render-tasks';
import type { PlacedText } from './templates';

export type Process = {
  child: RenderChild;
  /** False until the process has loaded its code; it gets no jobs before. */
  isReady: boolean;
  /** True while the process loads more code for its batch. */
  isLoading: boolean;
  /** True once the process has run a job of a slow environment. */
  hasBeenSlow: boolean;
  /** The batch in progress, how many of its tasks are answered, and when the process started on the next one. */
  tasks: Task[];
  answered: number;
  since: number;
  /** Whether the process reports which text it works on, and the one that it reported, or else the next one. */
  reports: boolean;
  running?: RunningText;
  /** True when the process was told that other environments wait. */
  mustYield: boolean;
  /** The number of tasks that were answered or begun, now and at the last check; and the checks since it changed. */
  steps: number;
  seenSteps: number;
  checks: number;
  /** Its processor time at the first of these checks. */
  usedMs?: number;
  idle?: NodeJS.Timeout;
};

export type RunningText = { task: Task; text: PlacedText };

export const newProcess = (child: RenderChild): Process => ({
  child,
  isReady: false,
  isLoading: false,
  hasBeenSlow: false,
  tasks: [],
  answered: 0,
  since: 0,
  reports: false,
  mustYield: false,
  steps: 0,
  seenSteps: 0,
  checks: 0,
});

export function onAnswered(process: Process): void {
  const task = process.reports ? process.tasks[process.answered] : undefined;
  process.running = task && { task, text: task.texts[0] ?? COMPOSED };
  process.steps += 1;
  process.since = performance.now();
}

export function onProgress(process: Process, { job, ...place }: Progress): void {
  const task = process.tasks[job]!;
  if (task !== process.running?.task) {
    process.steps += 1;
    process.since = performance.now();
  }
  process.running = { task, text: placed(task, place) };
}
