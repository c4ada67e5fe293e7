import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { chosenEnvironment } from '../../session/environment';
import { stringifySearch } from '../../search';
import { Button, SignButton } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Mark, type Tone } from '../../ui/status';
import styles from './activity.module.css';
import type { ActivityFilters } from './search';

const SaveView = lazy(() => import('./save-view'));

export type View = { name: string; search: ActivityFilters & { group?: 'reason' }; tone?: Tone };

const GIVEN: View[] = [
  { name: 'All', search: {} },
  { name: 'Not delivered', search: { status: ['failed', 'in_doubt'] }, tone: 'bad' },
  { name: 'In flight', search: { status: ['in_flight'] }, tone: 'info' },
  { name: 'In doubt', search: { status: ['in_doubt'] }, tone: 'warn' },
];

const stored = (): string => `clarion.views.${chosenEnvironment() ?? 'own'}`;

function readViews(): View[] {
  try {
    return JSON.parse(localStorage.getItem(stored()) ?? '[]') as View[];
  } catch {
    return [];
  }
}

/** Each view is an address, so it can be sent to a colleague; the names are kept in this browser. */
export function SavedViews({ search }: { search: View['search'] }) {
  const [own, setOwn] = useState(readViews);
  const [isNaming, setNaming] = useState(false);
  const views = [...GIVEN, ...own];
  const current = stringifySearch(search);
  const isKnown = views.some((view) => stringifySearch(view.search) === current);
  const keep = (next: View[]): void => {
    localStorage.setItem(stored(), JSON.stringify(next));
    setOwn(next);
  };
  return (
    <nav className={styles['views']} aria-label="Saved views">
      {views.map((view) => {
        const isCurrent = stringifySearch(view.search) === current;
        return (
          <span key={view.name} className={styles['view']} data-current={isCurrent || undefined}>
            <Link to="/activity" search={view.search} aria-current={isCurrent ? 'page' : undefined}>
              {view.tone && <Mark tone={view.tone} />}
              <bdi>{view.name}</bdi>
            </Link>
            {own.includes(view) && (
              <SignButton
                icon="close"
                aria-label={`Forget the view ${view.name}`}
                onClick={() => keep(own.filter((each) => each !== view))}
              />
            )}
          </span>
        );
      })}
      {!isKnown && (
        <Button kind="plain" onClick={() => setNaming(true)}>
          <Icon name="plus" size={14} />
          Save view
        </Button>
      )}
      <Suspense>
        {isNaming && (
          <SaveView
            taken={views.map(({ name }) => name)}
            onClose={() => setNaming(false)}
            onSave={(name) => {
              keep([...own, { name, search }]);
              setNaming(false);
            }}
          />
        )}
      </Suspense>
    </nav>
  );
}
