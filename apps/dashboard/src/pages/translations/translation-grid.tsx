import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { languageOf } from '../../api/locales';
import type { Texts } from './data';
import { missingIn, type Row, type RowGroup, sentInstead } from './grid';
import { TextCell } from './text-cell';
import styles from './translations.module.css';

type GridProps = {
  groups: RowGroup[];
  all: RowGroup[];
  locales: string[];
  defaultLocale: string;
  isReadOnly: boolean;
  failures: Failures;
  onSave(change: TextChange): void;
};

/** A text of one key in one locale. `was` is the text that the person saw. */
export type TextChange = Texts & { key: string; was: string; text: string };

/** What could not be saved, by its place. */
export type Failures = Record<string, { text: string; message: string }>;

export const placeOf = ({ resourceType, resourceId, locale, key }: Texts & { key: string }): string =>
  [resourceType, resourceId, locale, key].join(' ');

type Place = { row: number; column: number };

/** Keys by locales. The arrow keys move, Enter edits. */
export function TranslationGrid({ groups, all, locales, defaultLocale, isReadOnly, failures, onSave }: GridProps) {
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<Place>();
  const rows = groups.flatMap((group) => group.rows);
  const total = all.reduce((sum, group) => sum + group.rows.length, 0);
  const go = (place: Place, { edit = false } = {}): void => {
    setActive(place);
    setEditing(edit ? place : undefined);
    // At once: later it could take the focus from a text that is being edited by then.
    if (!edit) table.current?.querySelector<HTMLElement>(`[data-place="${place.row} ${place.column}"]`)?.focus();
  };
  const save = (place: Place, row: Row, text: string, goesOn: boolean): void => {
    const locale = locales[place.column]!;
    const was = row.texts[locale] ?? '';
    if (text !== was) onSave({ ...row.resource, locale, key: row.key, was, text });
    const next = goesOn ? nextMissing(rows, locales, place) : undefined;
    go(next ?? place, { edit: next !== undefined });
  };
  let index = -1;
  return (
    <div className={styles['frame']}>
      <table
        ref={table}
        role="grid"
        aria-label="Translations"
        className={styles['grid']}
        style={{ minWidth: `${9 + 12 * locales.length}rem` }}
        onKeyDown={(event) => {
          const moves: Record<string, [number, number]> = {
            ArrowDown: [1, 0],
            ArrowUp: [-1, 0],
            ArrowRight: [0, 1],
            ArrowLeft: [0, -1],
          };
          const by = moves[event.key];
          if (!(event.target as Element).matches('[data-place]')) return;
          if (event.key === 'Enter' && !isReadOnly) {
            event.preventDefault();
            return go(active, { edit: true });
          }
          if (!by) return;
          event.preventDefault();
          go({
            row: Math.min(Math.max(active.row + by[0], 0), rows.length - 1),
            column: Math.min(Math.max(active.column + by[1], 0), locales.length - 1),
          });
        }}
      >
        <thead>
          <tr>
            <th scope="col">Key</th>
            {locales.map((locale) => (
              <LocaleHead
                key={locale}
                locale={locale}
                isDefault={locale === defaultLocale}
                missing={missingIn(all, locale)}
                total={total}
              />
            ))}
          </tr>
        </thead>
        {groups.map(({ resource, name, rows: keys }) => (
          <tbody key={`${resource.resourceType} ${resource.resourceId}`}>
            <tr>
              <th scope="rowgroup" colSpan={locales.length + 1} className={styles['groupHead']}>
                <Link to="/translations" search={{ type: resource.resourceType, id: resource.resourceId }}>
                  {name}
                </Link>{' '}
                <small>
                  {resource.resourceType}, {keys.length === 1 ? '1 text' : `${keys.length} texts`}
                </small>
              </th>
            </tr>
            {keys.map((row) => {
              index += 1;
              const place = index;
              return (
                <tr key={row.key}>
                  <th scope="row">
                    <code>{row.key}</code>
                  </th>
                  {locales.map((locale, column) => (
                    <TextCell
                      key={locale}
                      label={`${row.key}, ${locale}`}
                      text={row.texts[locale]}
                      failure={failures[placeOf({ ...row.resource, locale, key: row.key })]}
                      source={locale === defaultLocale ? undefined : row.texts[defaultLocale]}
                      instead={sentInstead(row, locale, defaultLocale)}
                      place={`${place} ${column}`}
                      isActive={active.row === place && active.column === column}
                      isEditing={editing?.row === place && editing.column === column}
                      isReadOnly={isReadOnly}
                      onEdit={() => go({ row: place, column }, { edit: true })}
                      onSave={(text, goesOn) => save({ row: place, column }, row, text, goesOn)}
                      onCancel={() => go({ row: place, column })}
                    />
                  ))}
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
      <p className={styles['legend']}>
        <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd> move
        {!isReadOnly && (
          <>
            <kbd>Enter</kbd> edits, <kbd>Tab</kbd> goes on to the next missing text
          </>
        )}
      </p>
    </div>
  );
}

type LocaleHeadProps = { locale: string; isDefault: boolean; missing: number; total: number };

function LocaleHead({ locale, isDefault, missing, total }: LocaleHeadProps) {
  return (
    <th scope="col">
      <span className={styles['locale']}>
        <strong>{locale}</strong> <span className="quiet">{languageOf(locale)}</span>
        <span className={missing > 0 ? styles['lacks'] : 'quiet'}>
          {missing > 0 ? `${missing} missing` : isDefault ? 'Default' : 'Complete'}
        </span>
      </span>
      <span className={styles['bar']} aria-hidden="true" data-lacks={missing > 0 || undefined}>
        <span style={{ width: `${total === 0 ? 100 : (100 * (total - missing)) / total}%` }} />
      </span>
    </th>
  );
}

/** The next cell without a text: first in the same locale, then in the next ones. */
function nextMissing(rows: readonly Row[], locales: readonly string[], { row, column }: Place): Place | undefined {
  const places = locales.flatMap((locale, at) =>
    rows.flatMap(({ texts }, index) => (texts[locale] === undefined ? [{ row: index, column: at }] : [])),
  );
  const isAfter = (place: Place): boolean => place.column > column || (place.column === column && place.row > row);
  return places.find(isAfter);
}
