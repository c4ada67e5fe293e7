import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './ui.module.css';

export type Tab<T extends string> = { id: T; label: string; content(): ReactNode };

/** Tabs with the keys that people expect: arrows, Home and End. Only the selected one is drawn. */
export function Tabs<T extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children = (list, panel) => (
    <>
      {list}
      {panel}
    </>
  ),
}: {
  label: string;
  tabs: readonly Tab<T>[];
  selected: T;
  onSelect(id: T): void;
  /** Where the names and the selected tab stand. */
  children?(list: ReactNode, panel: ReactNode): ReactNode;
}) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    tabs.findIndex(({ id }) => id === selected),
  );
  const move = (event: KeyboardEvent): void => {
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  return children(
    <div ref={list} className={styles['tabs']} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, label: name }, place) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-tab={id}
          id={`${base}-${id}`}
          className={styles['tab']}
          aria-selected={place === index}
          aria-controls={`${base}-panel`}
          tabIndex={place === index ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {name}
        </button>
      ))}
    </div>,
    <div
      id={`${base}-panel`}
      className={styles['stack']}
      role="tabpanel"
      aria-labelledby={`${base}-${tabs[index]!.id}`}
    >
      {tabs[index]!.content()}
    </div>,
  );
}
