import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { CodeWords } from '../../../ui/code-mirror';
import { useLatest } from '../../../ui/use-latest';
import styles from './blocks.module.css';
import { BlockPanel } from './block-panel';
import { ChoiceList } from './choice-list';
import type { EmailDocument } from './body-value';
import { readDocument, writeDocument } from './document';
import { askedAt, BLOCK_CHOICES, type Choice, fitting, variableChoices } from './menus';
import { nodeViews } from './node-views';
import { pluginsOf } from './plugins';
import { Toolbar } from './toolbar';

type BlockEditorProps = {
  label: string;
  value: EmailDocument;
  words: CodeWords;
  isReadOnly: boolean;
  isInvalid: boolean;
  description?: string;
  onChange(value: EmailDocument): void;
};

const CLASSES = { template: styles['template']!, placeholder: styles['placeholder']! };

/** The blocks of an email. A slash adds a block, two braces a variable, Alt with an arrow key moves a block. */
export default function BlockEditor(props: BlockEditorProps) {
  const { value, words } = props;
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
  const isOpen = asked !== undefined && asked.from !== closed && choices.length > 0 && !props.isReadOnly;
  const chosen = Math.min(active, choices.length - 1);
  const menu = useLatest({ isOpen, choices, chosen, asked });
  const run = (choice: Choice): void => {
    choice.run(menu.current.asked)(view.current!.state, view.current!.dispatch, view.current!);
    setActive(0);
    view.current!.focus();
  };

  useLayoutEffect(() => {
    const editor = new EditorView(host.current, {
      state: EditorState.create({ doc: readDocument(latest.current.value), plugins: pluginsOf(CLASSES) }),
      nodeViews,
      editable: () => !latest.current.isReadOnly,
      attributes: () => attributesOf(latest.current, menu.current, listId),
      dispatchTransaction(transaction) {
        const next = editor.state.apply(transaction);
        editor.updateState(next);
        setState(next);
        if (!transaction.docChanged || transaction.getMeta('given') === true) return;
        const document = writeDocument(next.doc);
        written.current = JSON.stringify(document);
        latest.current.onChange(document);
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
    editor.dispatch(tr.replaceWith(0, doc.content.size, readDocument(value).content).setMeta('given', true));
  }, [value]);
  // The attributes follow what is shown.
  useLayoutEffect(() => view.current!.setProps({}), [props.label, props.isReadOnly, props.isInvalid, isOpen, chosen]);

  return (
    <div className={styles['editor']} data-invalid={props.isInvalid || undefined}>
      {state && !props.isReadOnly && <Toolbar view={view.current!} state={state} />}
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
      {state && !props.isReadOnly && <BlockPanel view={view.current!} state={state} words={words} />}
    </div>
  );
}

function attributesOf(
  { label, description, isReadOnly, isInvalid }: BlockEditorProps,
  { isOpen, chosen }: { isOpen: boolean; chosen: number },
  listId: string,
): Record<string, string> {
  return {
    role: 'textbox',
    'aria-label': label,
    'aria-multiline': 'true',
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
