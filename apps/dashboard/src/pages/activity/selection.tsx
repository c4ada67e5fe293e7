import { Button } from '../../ui/button';
import { plural } from '../../ui/time';
import styles from './activity.module.css';

export type SelectionState = { ids: ReadonlySet<string>; isEverything: boolean };

type Props = {
  selection: SelectionState;
  /** Every loaded row is selected, and more match. */
  canSelectMore: boolean;
  onSelection(selection: SelectionState): void;
  onAction(action: 'replay' | 'cancel'): void;
};

export function Selection({ selection, canSelectMore, onSelection, onAction }: Props) {
  const { ids, isEverything } = selection;
  if (ids.size === 0 && !isEverything) return null;
  return (
    <div className={styles['selection']} role="region" aria-label="Selection">
      <span aria-live="polite">
        {isEverything ? 'All that match are selected' : `${plural(ids.size, 'notification')} selected`}
      </span>
      {canSelectMore && !isEverything && (
        <Button onClick={() => onSelection({ ids, isEverything: true })}>Select all that match</Button>
      )}
      <Button onClick={() => onAction('replay')}>Replay</Button>
      <Button kind="plain" onClick={() => onSelection({ ids: new Set(), isEverything: false })}>
        Clear selection
      </Button>
      <Button kind="danger" className={styles['apart']} onClick={() => onAction('cancel')}>
        Cancel sending
      </Button>
    </div>
  );
}
