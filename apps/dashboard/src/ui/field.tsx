import {
  type CSSProperties,
  type InputHTMLAttributes,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import parts from './form-parts.module.css';
import { Alert, messageOf } from './page';
import styles from './ui.module.css';
import { useLatest } from './use-latest';

type FieldProps = { label: string; hint?: ReactNode; error?: string; isRequired?: boolean };

type Described = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

/** A labelled control with its hint and its error; the children get the attributes that connect them. */
export function Field(props: FieldProps & { children(described: Described): ReactNode }) {
  const { label, hint, error, isRequired, children } = props;
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

export function TextArea({ value, onChange, rows = 4, isCode = false, ...field }: TextAreaProps) {
  return (
    <Field {...field}>
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

export function Select<T extends string>(props: SelectProps<T>) {
  const { value, options, onChange, disabled = false, ...field } = props;
  return (
    <Field {...field}>
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

/** A form that is sent by a script. After an error it keeps what was typed and shows what the gateway said. */
export function Form({ onSubmit, error, children }: { onSubmit(): void; error?: Error | null; children: ReactNode }) {
  return (
    <form
      className="stack"
      noValidate={false}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error && <Alert tone="bad">{messageOf(error)}</Alert>}
    </form>
  );
}

type NameOf<T, Value> = { [Name in keyof T]: T[Name] extends Value ? Name : never }[keyof T] & string;

/** The properties of fields and boxes that edit the values of an object by their names. */
export const editorOf = <T extends object>(
  values: T,
  onChange: (change: Partial<T>) => void,
  faults: Readonly<Record<string, string | undefined>> = {},
) => {
  const set = (name: string) => (value: unknown) => onChange({ [name]: value } as Partial<T>);
  return {
    field: <Name extends NameOf<T, string>>(name: Name) => ({
      value: values[name],
      onChange: set(name) as (value: T[Name]) => void,
      error: faults[name],
    }),
    box: (name: NameOf<T, boolean>) => ({ checked: values[name] === true, onChange: set(name) }),
  };
};

/** The values of a form, with the properties of the fields that edit them. */
export function useFields<T extends object>(first: T | (() => T)) {
  const [values, setValues] = useState(first);
  const change = (changes: Partial<T>): void => setValues((before) => ({ ...before, ...changes }));
  const field = <Name extends NameOf<T, string>>(name: Name, faults?: Readonly<Record<string, string | undefined>>) =>
    editorOf(values, change, faults).field(name);
  return { values, change, field };
}

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
    <fieldset className={parts['group']}>
      <legend>{legend}</legend>
      {hint && <p className={parts['hint']}>{hint}</p>}
      <div className={parts['choices']}>
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

type ColumnsProps = { least?: string; children: ReactNode };

/** Fields beside each other where the window is wide enough: each is at least so wide. */
export function Columns({ least = '16rem', children }: ColumnsProps) {
  return (
    <div className={parts['columns']} style={{ '--least': least } as CSSProperties}>
      {children}
    </div>
  );
}

const TYPING_PAUSE_MS = 250;

type SearchBoxProps = { label: string; placeholder: string; value: string; onSearch(text: string): void };

/** A search field whose text goes into the address after a short pause in typing. */
export function SearchBox({ label, placeholder, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const latest = useLatest(onSearch);
  // The address changed by other means, such as the back button.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      latest.current(text);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, latest]);
  return (
    <TextField
      label={label}
      type="search"
      autoComplete="off"
      placeholder={placeholder}
      value={text}
      onChange={setText}
    />
  );
}
