import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Before a row was drawn; the style sheet gives every row the same height. */
const USUAL_HEIGHT = 36;
/** Rows above and below the window, so that a fast scroll shows no gap. */
const MORE = 8;

type Visible = { first: number; end: number; height: number };

/** Which rows the window shows. The rows have one height, so their places are known without drawing them. */
export function useVisibleRows(body: RefObject<HTMLElement | null>, count: number) {
  const [{ first, end, height }, setVisible] = useState<Visible>({ first: 0, end: 3 * MORE, height: USUAL_HEIGHT });
  const look = (): Visible => {
    const drawn = body.current?.querySelector<HTMLElement>('[data-index]')?.getBoundingClientRect().height;
    const each = drawn || USUAL_HEIGHT;
    const top = body.current?.getBoundingClientRect().top ?? 0;
    const above = Math.max(0, Math.floor(-top / each) - MORE);
    return { first: above, end: Math.ceil((window.innerHeight - top) / each) + MORE, height: each };
  };
  useEffect(() => {
    const follow = (): void =>
      setVisible((before) => {
        const now = look();
        return now.first === before.first && now.end === before.end && now.height === before.height ? before : now;
      });
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
    flushSync(() => setVisible(look()));
  };
  const last = Math.min(end, count);
  const start = Math.min(first, last);
  return { first: start, last, before: start * height, after: (count - last) * height, show };
}
