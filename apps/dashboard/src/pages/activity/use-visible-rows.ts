import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLatest } from '../../ui/use-latest';

/** Before a row was drawn; the style sheet gives every row the same height. */
const USUAL_HEIGHT = 36;
/** Rows above and below the window, so that a fast scroll shows no gap. */
const MORE = 8;
/** Rows are drawn and removed so many at a time, so that most scrolls draw nothing. */
const STEP = 4;

type Visible = { first: number; end: number; height: number };

const isSame = (one: Visible, other: Visible): boolean =>
  one.first === other.first && one.end === other.end && one.height === other.height;

/** Which rows the window shows. The rows have one height, so their places are known without drawing them. */
export function useVisibleRows(body: RefObject<HTMLElement | null>, count: number) {
  const [visible, setVisible] = useState<Visible>({ first: 0, end: 3 * MORE, height: USUAL_HEIGHT });
  const { first, end, height } = visible;
  const latest = useLatest(visible);
  const look = (): Visible => {
    const drawn = body.current?.querySelector<HTMLElement>('[data-index]')?.getBoundingClientRect().height;
    const each = drawn || USUAL_HEIGHT;
    const top = body.current?.getBoundingClientRect().top ?? 0;
    const above = Math.max(0, Math.floor(-top / each) - MORE);
    const below = Math.ceil((window.innerHeight - top) / each) + MORE;
    return { first: above - (above % STEP), end: Math.ceil(below / STEP) * STEP, height: each };
  };
  const follow = (): void => {
    const now = look();
    if (!isSame(now, latest.current)) setVisible(now);
  };
  useEffect(() => {
    follow();
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, [count]);

  /** Scrolls no further than needed, and draws the row before it returns. */
  const show = (index: number): void => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + index * height;
    const [least, most] = [4 * USUAL_HEIGHT, window.innerHeight - 4 * USUAL_HEIGHT];
    if (top < least) window.scrollBy(0, top - least);
    else if (top > most) window.scrollBy(0, top - most);
    flushSync(follow);
  };
  const last = Math.min(end, count);
  const start = Math.min(first, last);
  return { first: start, last, before: start * height, after: (count - last) * height, show };
}
