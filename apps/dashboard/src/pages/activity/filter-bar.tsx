import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button, SignButton } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useShortcut } from '../../ui/shortcuts';
import { workflowNamesQuery } from './activity-data';
import styles from './activity.module.css';
import type { ActivityFilters } from './search';
import { chosenFilters } from './words';

const Filters = lazy(() => import('./filters'));

type Props = {
  filters: ActivityFilters;
  isGrouped: boolean;
  onChange(change: ActivityFilters): void;
  onGroup(isGrouped: boolean): void;
};

export function FilterBar({ filters, isGrouped, onChange, onGroup }: Props) {
  const [isOpen, setOpen] = useState(false);
  const chips = chosenFilters(filters);
  useShortcut('f', 'Add a filter', (event) => {
    // The key is not typed into the field that gets the focus.
    event.preventDefault();
    setOpen(true);
  });
  // A workflow is known by its name; the address has its id.
  const { data } = useQuery({ ...workflowNamesQuery, enabled: filters.workflowId !== undefined });
  const wordOf = (label: string, text: string): string =>
    (label === 'Workflow' && data?.workflows.find(({ workflowId }) => workflowId === text)?.name) || text;
  return (
    <>
      <div className={styles['bar']}>
        <ul className={styles['chips']} aria-label="Filters that are set">
          {chips.map(({ label, text, without }) => (
            <li key={`${label} ${text}`} className={styles['chip']}>
              <span>{label}</span>
              <bdi>{wordOf(label, text)}</bdi>
              <SignButton icon="close" aria-label={`Remove ${label} ${text}`} onClick={() => onChange(without)} />
            </li>
          ))}
          <li>
            <Button className={styles['add']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <Icon name="plus" size={14} />
              Add filter
            </Button>
          </li>
          {chips.length > 0 && (
            <li>
              <Button kind="plain" onClick={() => onChange(Object.assign({}, ...chips.map(({ all }) => all)))}>
                Clear all
              </Button>
            </li>
          )}
        </ul>
        <label className={styles['toggle']}>
          <input
            type="checkbox"
            className={styles['switch']}
            checked={isGrouped}
            onChange={(event) => onGroup(event.target.checked)}
          />
          Group by reason
        </label>
      </div>
      <Suspense>{isOpen && <Filters filters={filters} onChange={onChange} />}</Suspense>
    </>
  );
}
