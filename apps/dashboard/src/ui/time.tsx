const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

type TimeProps = { at: string; relative?: boolean; before?: string; after?: string };

/** A time in the zone of the reader, with the words around it. The zone and UTC are in the title. */
export function Time({ at, relative = false, before, after }: TimeProps) {
  const date = new Date(at);
  return (
    <>
      {before}
      <time dateTime={at} title={`${LONG.format(date)}\n${date.toISOString()} (UTC)`}>
        {relative ? ago(date) : SHORT.format(date)}
      </time>
      {after}
    </>
  );
}

/** `4 s ago`, `in 14 s`: short enough for a column. */
function ago(date: Date): string {
  const seconds = Math.round((date.getTime() - Date.now()) / 1_000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['s', 1];
  const figure = `${Math.round(Math.abs(seconds) / size)} ${unit}`;
  return seconds === 0 ? 'now' : seconds < 0 ? `${figure} ago` : `in ${figure}`;
}

/** A duration with as much detail as a person reads: `850 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  const [large, small, unit, smallUnit] =
    ms < 3_600_000
      ? ([60_000, 1_000, 'min', 's'] as const)
      : ms < 86_400_000
        ? ([3_600_000, 60_000, 'h', 'min'] as const)
        : ([86_400_000, 3_600_000, 'd', 'h'] as const);
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${unit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`;
}

const NUMBER = new Intl.NumberFormat();
export const formatNumber = (value: number): string => NUMBER.format(value);

const PLURALS = new Intl.PluralRules('en');

/** A count with its noun: `1 step`, `214 steps`. */
export const plural = (count: number, one: string, other = `${one}s`): string =>
  `${formatNumber(count)} ${PLURALS.select(count) === 'one' ? one : other}`;
