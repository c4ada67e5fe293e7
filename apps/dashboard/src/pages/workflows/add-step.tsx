import { Menu } from '@base-ui/react/menu';
import { classes } from '../../ui/classes';
import buttons from '../../ui/ui.module.css';
import type { StepType, StepTypes } from './draft';
import styles from './workflows.module.css';

type AddStepProps = {
  types: StepTypes;
  /** A small sign between two steps. */
  isBetween?: boolean;
  onAdd(type: StepType): void;
};

/** A menu of the step types: channels first, then the steps that the engine runs. */
export function AddStep({ types, isBetween = false, onAdd }: AddStepProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        className={classes(buttons['button'], isBetween ? styles['insert'] : styles['addLast'])}
        aria-label="Add step"
        title={isBetween ? 'Add step here' : undefined}
      >
        {isBetween ? <span aria-hidden="true">+</span> : '+ Add step'}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start">
          <Menu.Popup className={styles['menu']}>
            {[...types.data].map(({ type, title, description }) => (
              <Menu.Item
                key={type}
                className={styles['menuItem']}
                label={title}
                aria-label={title}
                onClick={() => onAdd(type)}
              >
                <span>{title}</span>
                <span className="quiet">{description}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
