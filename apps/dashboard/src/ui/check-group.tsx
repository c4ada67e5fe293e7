import type { ReactNode } from 'react';
import { CheckBox, type Option } from './field';
import styles from './form-parts.module.css';

type CheckGroupProps<T extends string> = {
  legend: string;
  hint?: ReactNode;
  options: readonly Option<T>[];
  chosen: readonly T[];
  onChange(chosen: T[]): void;
};

/** Several of a few known values. They stay in the order of the options. */
export function CheckGroup<T extends string>({ legend, hint, options, chosen, onChange }: CheckGroupProps<T>) {
  return (
    <fieldset className={styles['group']}>
      <legend>{legend}</legend>
      {hint && <p className={styles['hint']}>{hint}</p>}
      <div className={styles['choices']}>
        {options.map(({ value, label }) => (
          <CheckBox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={(isChosen) =>
              onChange(
                options.flatMap((each) =>
                  (each.value === value ? isChosen : chosen.includes(each.value)) ? each.value : [],
                ),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Fields beside each other where the window is wide enough. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>;
}
