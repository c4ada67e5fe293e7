import type { ReactNode } from 'react';
import { classes } from './classes';
import styles from './ui.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'info';

/** A shape for each tone, so that colour is never the only sign. */
const SHAPES: Record<Tone, ReactNode> = {
  good: <circle cx="6" cy="6" r="5" />,
  bad: <path d="M6 0.5 11.5 6 6 11.5 0.5 6z" />,
  warn: <path d="M6 0.5 11.7 11H0.3z" />,
  calm: <path d="M1 4.5h10v3H1z" />,
  info: <path d="M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6z" />,
};

/** A word with the shape and colour of its tone. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes(styles['badge'], styles[tone])}>
      <svg viewBox="0 0 12 12" fill="currentColor" aria-hidden="true">
        {SHAPES[tone]}
      </svg>
      {children}
    </span>
  );
}

const OUTCOMES = {
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'calm', word: 'Skipped' },
  in_flight: { tone: 'info', word: 'In flight' },
  in_doubt: { tone: 'warn', word: 'In doubt' },
} as const;

export type Outcome = keyof typeof OUTCOMES;
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];
export const outcomeWord = (outcome: Outcome): string => OUTCOMES[outcome].word;

/** The outcome of a notification or a step. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { tone, word } = OUTCOMES[outcome];
  return <Badge tone={tone}>{word}</Badge>;
}
