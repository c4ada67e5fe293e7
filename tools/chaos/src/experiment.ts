import { type Fault, summarizeFaults } from './checker';
import type { Random } from './random';
import type { Row } from './report';
import type { World, WorldOptions } from './world';

/** One figure of an experiment. Figures that depend on the speed of the machine are judged in the full form only. */
export type Figure = { what: string; reached: boolean; isTiming?: boolean };

export type Finding = {
  /** What was done, and how often. */
  done: string;
  figures: Figure[];
  faults: Fault[];
};

export type Trial = {
  /** The deployment that experiments share. Each ends its faults before the next begins. */
  world(): Promise<World>;
  /** A deployment of another form, which the experiment stops. */
  ownWorld(options: Omit<WorldOptions, 'historyFile'>): Promise<World>;
  random: Random;
  /** A number of the full form, scaled to the minutes of this run. */
  times(full: number, least: number): number;
  progress(text: string): void;
};

export type Experiment = {
  t: string;
  title: string;
  /** The figure asked for. */
  asked: string;
  /** How long the full form takes, in minutes. */
  minutes: number;
  /** Why it cannot run on this machine. */
  missing?: () => string | undefined;
  run(trial: Trial): Promise<Finding>;
};

/** What an experiment takes however small it is, in minutes: preparing, waiting for leases, reading the records. */
const FIXED_MINUTES = 0.4;

/** The factor that makes these experiments take so many minutes together, at most 1: the full form. */
export function scaleOf(experiments: readonly Experiment[], minutes: number): number {
  const full = experiments.reduce((sum, experiment) => sum + experiment.minutes, 0);
  const left = minutes - FIXED_MINUTES * experiments.length;
  return Math.min(1, Math.max(0.01, left / full));
}

/** The verdict about a finding: every figure reached, and no fault. */
export function rowOf({ t, title, asked }: Experiment, { done, figures, faults }: Finding, seconds: number): Row {
  const isPassed = faults.length === 0 && figures.every(({ reached }) => reached);
  return {
    t,
    title,
    done,
    asked,
    reached: figures.map(({ what }) => what).join('; '),
    verdict: isPassed ? 'pass' : 'fail',
    notes: [
      ...figures.filter(({ reached }) => !reached).map(({ what }) => `missed: ${what}`),
      ...summarizeFaults(faults),
    ],
    seconds,
  };
}

/** Two figures of almost every experiment, from the faults that the checker found. */
export function correctness(faults: readonly Fault[]): Figure[] {
  const count = (...kinds: string[]): number => faults.filter(({ kind }) => kinds.includes(kind)).length;
  const lost = count(
    'lost event',
    'open step',
    'missing step',
    'missing call',
    'missing message',
    'digest without event',
  );
  const doubled = count('doubled event', 'doubled call', 'event in two digests', 'unknown call', 'changed key');
  return [
    { what: `${lost} lost`, reached: lost === 0 },
    { what: `${doubled} doubled without a flag`, reached: doubled === 0 },
  ];
}
