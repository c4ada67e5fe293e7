import { autocompletion, closeCompletion, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, linter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useLayoutEffect, useRef } from 'react';
import { classes } from './classes';
import { type CodeWords, completeLiquid } from './code-completion';
import styles from './ui.module.css';
import { useLatest } from './use-latest';

export type { CodeWords } from './code-completion';
export type CodeLanguage = 'liquid-html' | 'json';

/** A fault in the text: of a variable where it is used, or else of the whole text. */
export type CodeProblem = { message: string; variableName?: string };

type CodeMirrorProps = {
  label: string;
  value: string;
  onChange(value: string): void;
  language: CodeLanguage;
  words?: CodeWords;
  problems?: readonly CodeProblem[];
  isReadOnly?: boolean;
  isInvalid: boolean;
  /** The text below the field. Names of elements outside of the shadow tree are not visible inside. */
  description?: string;
};

/** In a shadow tree CodeMirror uses constructed style sheets, which the content security policy allows. */
export default function CodeMirror(props: CodeMirrorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // A late value would put an older text over what was typed.
  const latest = useLatest(props);
  const changing = useRef(new Compartment());
  useLayoutEffect(() => {
    const { language, value } = latest.current;
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: value,
        extensions: [
          extensionsOf(language, () => latest.current.words),
          changing.current.of(attributesOf(latest.current)),
          EditorView.updateListener.of((update) => {
            // A text that comes from outside is not a change of the person.
            const isTyped = update.transactions.some((each) => each.docChanged && !each.annotation(Transaction.remote));
            if (isTyped) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  const { value, label, isReadOnly, isInvalid, description, problems } = props;
  useLayoutEffect(() => {
    const editor = view.current!;
    if (editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: Transaction.remote.of(true),
    });
  }, [value]);
  useLayoutEffect(() => {
    view.current!.dispatch({ effects: changing.current.reconfigure(attributesOf(latest.current)) });
  }, [label, isReadOnly, isInvalid, description]);
  useLayoutEffect(() => {
    const editor = view.current!;
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state.doc.toString(), problems ?? [])));
  }, [problems]);
  // Outside of the shadow tree the host is the target of each key: its class says that it is typed into.
  return <div ref={host} className={classes(styles['codeEditor'], 'cm-editor')} />;
}

function attributesOf({ label, description, isReadOnly = false, isInvalid }: CodeMirrorProps): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(description && { 'aria-description': description }),
      ...(isInvalid && { 'aria-invalid': 'true' }),
      ...(isReadOnly && { 'aria-readonly': 'true' }),
    }),
  ];
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword, tags.controlKeyword], color: 'var(--accent)' },
  { tag: [tags.attributeName, tags.propertyName, tags.variableName], color: 'var(--info)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.comment, tags.bracket, tags.punctuation, tags.processingInstruction], color: 'var(--text-quiet)' },
]);

const THEME = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: 'var(--text-base)',
    borderRadius: 'inherit',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-content': { fontFamily: 'var(--font-code)', caretColor: 'var(--text)', padding: '0.4rem 0' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.5', maxHeight: '26rem' },
  '.cm-gutters': { backgroundColor: 'transparent', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-surface) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-text)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.8' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap' },
});

function extensionsOf(language: CodeLanguage, words: () => CodeWords | undefined): Extension[] {
  const isTemplate = language !== 'json';
  return [
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    syntaxHighlighting(COLOURS),
    THEME,
    isTemplate ? liquid({ base: html({ autoCloseTags: false }) }) : json(),
    isTemplate
      ? autocompletion({ interactionDelay: 0, override: [(context) => completeLiquid(context, words())] })
      : autocompletion(),
    isTemplate ? [] : linter((view) => (view.state.doc.length === 0 ? [] : jsonFaults(view))),
    lintGutter(),
    // Tab leaves the editor, so that the keyboard is never caught in it; Escape closes the list of completions first.
    keymap.of([
      {
        key: 'Escape',
        run: (view) => completionStatus(view.state) !== null && closeCompletion(view),
      },
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ];
}

const jsonFaults = jsonParseLinter();

function diagnosticsOf(text: string, problems: readonly CodeProblem[]): Diagnostic[] {
  return problems.map(({ message, variableName }): Diagnostic => {
    const at = variableName === undefined ? -1 : text.indexOf(variableName);
    const [from, to] = at < 0 ? [0, text.length] : [at, at + variableName!.length];
    return { from, to, severity: 'error', message };
  });
}
