import type { Node } from 'prosemirror-model';
import { EditorState, type Plugin } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { CodeWords } from '../../../ui/code-mirror';
import { classes } from '../../../ui/classes';
import { useLatest } from '../../../ui/use-latest';
import styles from './blocks.module.css';
import { ChoiceList } from './choice-list';
import { askedAt, BLOCK_CHOICES, type Choice, fitting, variableChoices } from './menus';
import { nodeViews } from './node-views';

export type EditorProps<Value> = {
  label: string;
  value: Value;
  words: CodeWords;
  isReadOnly: boolean;
  isInvalid: boolean;
  isLine?: boolean;
  description?: string;
  onChange(value: Value): void;
};

type ProseEditorProps<Value> = EditorProps<Value> & {
  className?: string;
  plugins: readonly Plugin[];
  read(value: Value): Node;
  write(doc: Node): Value;
  /** What stands above and below what is edited. */
  head?(view: EditorView, state: EditorState): ReactNode;
  foot?(view: EditorView, state: EditorState): ReactNode;
};

/** Text with variables as pills. Two braces add a variable; where there are blocks, a slash adds a block. */
export function ProseEditor<Value>(props: ProseEditorProps<Value>) {
  const { value, words, isReadOnly, head, foot } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useLatest(props);
  const written = useRef(JSON.stringify(value));
  const [state, setState] = useState<EditorState>();
  /** The place of a menu that was closed with Escape. */
  const [closed, setClosed] = useState<number>();
  const [active, setActive] = useState(0);
  const listId = useId();
  const asked = state && askedAt(state);
  const choices = asked ? fitting(asked.kind === 'blocks' ? BLOCK_CHOICES : variableChoices(words), asked.query) : [];
  const isOpen = asked !== undefined && asked.from !== closed && choices.length > 0 && !isReadOnly;
  const chosen = Math.min(active, choices.length - 1);
  const menu = useLatest({ isOpen, choices, chosen, asked });
  const run = (choice: Choice): void => {
    choice.run(menu.current.asked)(view.current!.state, view.current!.dispatch, view.current!);
    setActive(0);
    view.current!.focus();
  };

  useLayoutEffect(() => {
    const editor = new EditorView(host.current, {
      state: EditorState.create({
        doc: latest.current.read(latest.current.value),
        plugins: [...latest.current.plugins],
      }),
      nodeViews,
      editable: () => !latest.current.isReadOnly,
      attributes: () => attributesOf(latest.current, menu.current, listId),
      dispatchTransaction(transaction) {
        const next = editor.state.apply(transaction);
        editor.updateState(next);
        setState(next);
        if (!transaction.docChanged || transaction.getMeta('given') === true) return;
        const changed = latest.current.write(next.doc);
        written.current = JSON.stringify(changed);
        latest.current.onChange(changed);
      },
      handleKeyDown(_, event) {
        const { isOpen: isShown, choices: shown, chosen: at } = menu.current;
        if (!isShown || event.altKey || event.ctrlKey || event.metaKey) return false;
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by !== undefined) setActive((at + by + shown.length) % shown.length);
        else if (event.key === 'Enter') run(shown[at]!);
        else if (event.key === 'Escape') setClosed(menu.current.asked!.from);
        else return false;
        return true;
      },
    });
    view.current = editor;
    setState(editor.state);
    return () => editor.destroy();
    // The view lives as long as the component; it reads what changes from the references.
  }, [listId]);
  // A value that comes from outside, such as an undo of the workflow or the version of another person.
  useLayoutEffect(() => {
    const given = JSON.stringify(value);
    if (given === written.current) return;
    written.current = given;
    const editor = view.current!;
    const { doc, tr } = editor.state;
    editor.dispatch(tr.replaceWith(0, doc.content.size, latest.current.read(value).content).setMeta('given', true));
  }, [value]);
  // The attributes follow what is shown.
  useLayoutEffect(() => view.current!.setProps({}), [props.label, props.isReadOnly, props.isInvalid, isOpen, chosen]);

  return (
    <div className={classes(styles['editor'], props.className)} data-invalid={props.isInvalid || undefined}>
      {state && !isReadOnly && head?.(view.current!, state)}
      <div className={styles['page']}>
        <div ref={host} className={styles['content']} />
        {isOpen && (
          <ChoiceList
            id={listId}
            label={asked.kind === 'blocks' ? 'Blocks' : 'Variables'}
            choices={choices}
            chosen={chosen}
            hasGroups={asked.kind === 'blocks' && asked.query === ''}
            place={placeOf(view.current!, asked.from)}
            onChoose={run}
          />
        )}
      </div>
      {state && !isReadOnly && foot?.(view.current!, state)}
    </div>
  );
}

function attributesOf(
  { label, description, isReadOnly, isInvalid, isLine = false }: EditorProps<unknown>,
  { isOpen, chosen }: { isOpen: boolean; chosen: number },
  listId: string,
): Record<string, string> {
  return {
    role: 'textbox',
    'aria-label': label,
    'aria-multiline': String(!isLine),
    ...(description && { 'aria-description': description }),
    ...(isInvalid && { 'aria-invalid': 'true' }),
    ...(isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }),
    ...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${chosen}` }),
  };
}

function placeOf(view: EditorView, at: number): { left: number; top: number } {
  const box = view.dom.parentElement!.getBoundingClientRect();
  const { left, bottom } = view.coordsAtPos(Math.min(at, view.state.doc.content.size));
  return { left: Math.max(0, Math.min(left - box.left, box.width - 288)), top: bottom - box.top + 4 };
}
