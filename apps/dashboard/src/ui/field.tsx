import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './ui.module.css';

type FieldProps = { label: string; hint?: ReactNode; error?: string; isRequired?: boolean };

type Described = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

/** A labelled control with its hint and its error; the children get the attributes that connect them. */
export function Field({
  label,
  hint,
  error,
  isRequired,
  children,
}: FieldProps & { children(described: Described): ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id} data-required={isRequired || undefined}>
        {label}
      </label>
      {children({ id, ...(error && { 'aria-invalid': true }), ...(described && { 'aria-describedby': described }) })}
      {hint && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles['fault']}>
          {error}
        </span>
      )}
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, 'isRequired'> & { value: string; onChange(value: string): void } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'value' | 'onChange'
  >;

export function TextField({ label, hint, error, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} isRequired={rest.required}>
      {(described) => (
        <input
          {...rest}
          {...described}
          className={styles['control']}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = FieldProps & { value: string; onChange(value: string): void; rows?: number; isCode?: boolean };

export function TextArea({ label, hint, error, isRequired, value, onChange, rows = 4, isCode = false }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired}>
      {(described) => (
        <textarea
          {...described}
          rows={rows}
          value={value}
          spellCheck={!isCode}
          className={styles['control']}
          style={isCode ? { fontFamily: 'var(--font-code)' } : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export type Option<T extends string> = { value: T; label: string };

type SelectProps<T extends string> = FieldProps & {
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
  disabled?: boolean;
};

export function Select<T extends string>({
  label,
  hint,
  error,
  isRequired,
  value,
  options,
  onChange,
  disabled = false,
}: SelectProps<T>) {
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired}>
      {(described) => (
        <select
          {...described}
          className={styles['control']}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckBoxProps = { label: ReactNode; checked: boolean; onChange(checked: boolean): void; disabled?: boolean };

export function CheckBox({ label, checked, onChange, disabled = false }: CheckBoxProps) {
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
