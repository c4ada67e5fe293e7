import { Fragment, useEffect, useRef } from 'react';
import styles from './blocks.module.css';
import type { Choice } from './menus';

type ChoiceListProps = {
  id: string;
  label: string;
  choices: readonly Choice[];
  chosen: number;
  /** Without a filter, the choices stand under their groups. */
  hasGroups: boolean;
  place: { left: number; top: number };
  onChoose(choice: Choice): void;
};

/** The blocks or variables that fit what was typed. The keyboard stays in the text, which names the chosen one. */
export function ChoiceList({ id, label, choices, chosen, hasGroups, place, onChoose }: ChoiceListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, choices]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={styles['choices']} style={place}>
      {choices.map((choice, index) => (
        <Fragment key={choice.id}>
          {hasGroups && choice.group !== choices[index - 1]?.group && (
            <span className={styles['choiceGroup']} role="presentation">
              {choice.group}
            </span>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-label={choice.title}
            className={styles['choice']}
            // The focus stays in the text.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
          >
            <span>{choice.title}</span>
            <span className={styles['choiceHint']}>{choice.hint}</span>
          </div>
        </Fragment>
      ))}
    </div>
  );
}
