import type { CSSProperties, ReactNode } from 'react';
import styles from './ui.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'info' | 'held';

const cut = { fill: 'none', stroke: 'var(--surface)', strokeWidth: 1.6, strokeLinecap: 'round' } as const;
const ring = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const;

/** A shape for each tone, so that colour is never the only sign. */
const SHAPES: Record<Tone, ReactNode> = {
  good: (
    <>
      <circle cx="7" cy="7" r="6.5" />
      <path d="m4.2 7.2 2 2 3.6-4" {...cut} />
    </>
  ),
  bad: (
    <>
      <path d="M4.3.5h5.4l3.8 3.8v5.4l-3.8 3.8H4.3L.5 9.7V4.3z" />
      <path d="m4.9 4.9 4.2 4.2m0-4.2L4.9 9.1" {...cut} />
    </>
  ),
  warn: (
    <>
      <path d="M7 .6 13.6 13H.4z" />
      <path d="M7 5.2v3.2m0 2v.1" {...cut} />
    </>
  ),
  calm: (
    <>
      <circle cx="7" cy="7" r="5.7" {...ring} />
      <path d="M4.6 7h4.8" {...ring} />
    </>
  ),
  info: (
    <>
      <circle cx="7" cy="7" r="5.7" {...ring} />
      <path d="M7 4v3l2 1.4" {...ring} />
    </>
  ),
  held: (
    <>
      <rect x="0.5" y="0.5" width="13" height="13" rx="3" />
      <path d="M5.2 4.2v5.6m3.6-5.6v5.6" {...cut} />
    </>
  ),
};

/** The shape of a tone in its colour. The words beside it say the same, or the label where there are none. */
export function Mark({ tone, size, label }: { tone: Tone; size?: number; label?: string }) {
  return (
    <svg
      viewBox="0 0 14 14"
      fill="currentColor"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className={styles['mark']}
      style={{ color: `var(--${tone}-mark)`, ...(size && { width: size, height: size }) }}
    >
      {SHAPES[tone]}
    </svg>
  );
}

/** The fill and the edge of a tone. */
export const surfaceStyle = (tone: Tone): CSSProperties => ({
  background: `var(--${tone}-surface)`,
  borderColor: `var(--${tone}-line)`,
});

/** Its words too. */
export const toneStyle = (tone: Tone): CSSProperties => ({ ...surfaceStyle(tone), color: `var(--${tone})` });

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles['badge']} style={toneStyle(tone)}>
      <Mark tone={tone} />
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

export const outcomeTone = (outcome: Outcome): Tone => OUTCOMES[outcome].tone;

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { tone, word } = OUTCOMES[outcome];
  return <Badge tone={tone}>{word}</Badge>;
}
