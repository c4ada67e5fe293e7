import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Choice, Choices } from '../api/choices';
import { SignButton } from './button';
import { Field } from './field';
import parts from './form-parts.module.css';
import styles from './ui.module.css';
import { usePause } from './use-pause';

const TYPING_PAUSE_MS = 150;
/** The height of a list in a dialog, and what it leaves free to the edge of the window. */
const MOST_PIXELS = 224;
const EDGE_PIXELS = 8;

export type PickerProps = {
  label: string;
  hint?: string;
  error?: string;
  placeholder?: string;
  value: string;
  choices: Choices;
  /** The text may also be something that does not exist yet, or a part of what is searched. */
  isFree?: boolean;
  /** Each choice is added to others, so a name counts when it is chosen or left, and not while it is typed. */
  isAdding?: boolean;
  required?: boolean;
  autoFocus?: boolean;
  onChange(value: string): void;
};

/** A combobox for something that exists: typing searches by name and id, the keyboard stays in the field. */
export function Picker({ label, hint, error, value, choices, onChange, ...rest }: PickerProps) {
  const { isFree = false, isAdding = false, ...input } = rest;
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  // Where any text may stand, no choice is taken by Enter before an arrow key chose it.
  const first = isFree ? -1 : 0;
  const [place, setPlace] = useState(first);
  const [picked, setPicked] = useState<Choice>();
  const text = (typed ?? '').trim();
  const asked = usePause(isOpen ? text : value, TYPING_PAUSE_MS);
  const { data: found = [], isPlaceholderData } = useQuery({
    queryKey: ['choices', choices.kind, asked],
    queryFn: () => choices.find(asked),
    enabled: isOpen || value !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const isCurrent = asked === text && !isPlaceholderData;
  const exact = isOpen && isCurrent && text !== '' ? found.find((choice) => isSame(choice, text)) : undefined;
  const named = [picked, ...found].find((choice) => choice?.value === value);
  const current = Math.min(place, found.length - 1);

  // The field may have moved with what was drawn.
  useLayoutEffect(() => {
    if (list.current) Object.assign(list.current.style, placeIn(field.current));
  });
  const pick = (choice: Choice): void => {
    setPicked(choice);
    setTyped(undefined);
    setOpen(false);
    if (choice.value !== value) onChange(choice.value);
  };
  /** What was typed counts without Enter when it names something, and always where any text may stand. */
  const typedValue = exact?.value ?? (isFree && typed !== undefined && asked === text ? text : undefined);
  const settled = isAdding ? undefined : typedValue;
  useEffect(() => {
    if (settled !== undefined && settled !== value) onChange(settled);
  });
  const leave = (): void => {
    const left = exact?.value ?? text;
    if (typed !== undefined && (text === '' || isFree) && left !== value) onChange(left);
    // A name that was typed in full counts, also if the answer comes later.
    else if (exact) pick(exact);
    else if (text !== '' && !isCurrent)
      void choices.find(text).then((all) => all.filter((choice) => isSame(choice, text)).forEach(pick));
    setTyped(undefined);
    setOpen(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      setPlace(isOpen ? Math.max(0, current + (event.key === 'ArrowDown' ? 1 : -1)) : 0);
    } else if (event.key === 'Enter' && isOpen) {
      const choice = isCurrent || isFree ? found[current] : undefined;
      if (choice) pick(choice);
      // Enter came before the answer: the first one of it counts.
      else if (!isCurrent && !isFree) void choices.find(text).then(([first]) => first && pick(first));
      else leave();
    } else if (event.key === 'Escape' && isOpen) {
      setTyped(undefined);
      setOpen(false);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Field label={label} hint={hint} error={error} isRequired={input.required}>
      {(described) => (
        <div className={styles['picker']}>
          <input
            {...input}
            {...described}
            ref={field}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen && found.length > 0}
            aria-controls={isOpen && found.length > 0 ? `${described.id}-list` : undefined}
            aria-activedescendant={isOpen && current >= 0 ? `${described.id}-${current}` : undefined}
            autoComplete="off"
            className={styles['control']}
            value={typed ?? named?.label ?? value}
            onClick={({ currentTarget }) => {
              // The words of a choice are not what is typed on.
              if (!isOpen) currentTarget.select();
              setOpen(true);
            }}
            onChange={(event) => {
              setTyped(event.target.value);
              setPlace(first);
              setOpen(true);
            }}
            onBlur={leave}
            onKeyDown={press}
          />
          {isOpen && found.length > 0 && (
            <div id={`${described.id}-list`} role="listbox" aria-label={label} className={styles['choices']} ref={list}>
              {found.map((choice, index) => (
                <div
                  key={choice.value}
                  id={`${described.id}-${index}`}
                  role="option"
                  aria-selected={index === current}
                  // The focus stays in the field.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => pick(choice)}
                >
                  {choice.label}
                </div>
              ))}
            </div>
          )}
          {isOpen && isCurrent && found.length === 0 && !isFree && (
            <span role="status" className={styles['hint']}>
              Nothing has this name or id.
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

/** A dialog hides what reaches over its edge, so the list lies above the dialog there. */
function placeIn(field: HTMLInputElement | null): CSSProperties {
  if (!field?.closest('dialog')) return {};
  const { left, width, top, bottom } = field.getBoundingClientRect();
  const below = window.innerHeight - bottom;
  const isAbove = below < Math.min(top, MOST_PIXELS);
  return {
    position: 'fixed',
    insetInline: 'auto',
    left: `${left}px`,
    width: `${width}px`,
    top: isAbove ? 'auto' : `${bottom}px`,
    bottom: isAbove ? `${window.innerHeight - top}px` : 'auto',
    maxHeight: `${Math.min(isAbove ? top : below, MOST_PIXELS) - EDGE_PIXELS}px`,
  };
}

const isSame = ({ value, label }: Choice, text: string): boolean =>
  value === text || label.toLowerCase() === text.toLowerCase();

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
        <ul className={parts['chips']} aria-label={`${field.label} that are chosen`}>
          {values.map((value) => (
            <li key={value}>
              <code>{value}</code>
              <SignButton
                icon="close"
                aria-label={`Remove ${value}`}
                onClick={() => onChange(values.filter((each) => each !== value))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
