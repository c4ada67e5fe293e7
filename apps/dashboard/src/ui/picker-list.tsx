import styles from './form-parts.module.css';
import { Icon } from './icon';
import { Picker, type PickerProps } from './picker';

type PickerListProps = Omit<PickerProps, 'value' | 'onChange' | 'isFree' | 'isAdding'> & {
  values: readonly string[];
  onChange(values: string[]): void;
};

/** Several things that exist: a field that adds one, and below it those that are chosen. */
export function PickerList({ values, onChange, ...field }: PickerListProps) {
  return (
    <div className="stack">
      <Picker
        {...field}
        isAdding
        value=""
        onChange={(value) => value !== '' && !values.includes(value) && onChange([...values, value])}
      />
      {values.length > 0 && (
        <ul className={styles['chips']} aria-label={`${field.label} that are chosen`}>
          {values.map((value) => (
            <li key={value}>
              <code>{value}</code>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => onChange(values.filter((each) => each !== value))}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
