import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { dropCursor } from 'prosemirror-dropcursor';
import { history, redo, undo } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { Slice } from 'prosemirror-model';
import { type Command, type EditorState, Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import styles from './blocks.module.css';
import { moveBlock } from './commands';
import { pathIn, readText, TYPED_PATH, writeText } from './document';
import { toggle, variable } from './menus';
import { schema } from './schema';

const { heading, bulletList, orderedList, listItem, hardBreak, paragraph } = schema.nodes;

/** A line break inside a paragraph; behind code, a new paragraph. */
const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(hardBreak!.create()).scrollIntoView());
  return true;
});

/** At the beginning of a heading or a list, backspace first makes it a plain paragraph. */
const plainFirst: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0) return false;
  if ($from.parent.type === heading || $from.parent.type === schema.nodes['footer']) {
    dispatch?.(state.tr.setBlockType($from.pos, $from.pos, paragraph!));
    return true;
  }
  return $from.depth > 1 && $from.node(-1).type === listItem && $from.index(-1) === 0
    ? liftListItem(listItem!)(state, dispatch)
    : false;
};

/** Tab is not used: it leaves the editor, so that the keyboard is never caught in it. */
const HISTORY_KEYS: Record<string, Command> = { 'Mod-z': undo, 'Mod-y': redo, 'Shift-Mod-z': redo };

const KEYS: Record<string, Command> = {
  ...HISTORY_KEYS,
  'Mod-b': toggle('bold'),
  'Mod-i': toggle('italic'),
  'Mod-u': toggle('underline'),
  'Alt-ArrowUp': moveBlock(-1),
  'Alt-ArrowDown': moveBlock(1),
  'Shift-Enter': breakLine,
  Enter: splitListItem(listItem!),
  'Mod-]': sinkListItem(listItem!),
  'Mod-[': liftListItem(listItem!),
  Backspace: chainCommands(undoInputRule, plainFirst),
};

/** A path between braces becomes a pill; a filter keeps it a text, which is shown as one. */
const PILL_RULE = new InputRule(TYPED_PATH, (state, [braces], from, to) =>
  state.tr.replaceWith(from, to, variable(state.schema, pathIn(braces))),
);

const RULES = [
  PILL_RULE,
  textblockTypeInputRule(/^(#{1,3})\s$/, heading!, (match) => ({ rest: { attrs: { level: match[1]!.length } } })),
  wrappingInputRule(/^[-*]\s$/, bulletList!),
  wrappingInputRule(/^1\.\s$/, orderedList!),
];

function decorations({ doc }: EditorState): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, pos) => {
    if (!node.isText) return;
    for (const { index, 0: whole } of node.text!.matchAll(/\{[{%][^{}]*[%}]\}/g)) {
      found.push(Decoration.inline(pos + index, pos + index + whole.length, { class: styles['template']! }));
    }
  });
  const { firstChild, childCount } = doc;
  if (childCount === 1 && firstChild!.type === paragraph && firstChild!.content.size === 0) {
    found.push(Decoration.node(0, firstChild!.nodeSize, { class: styles['placeholder']! }));
  }
  return DecorationSet.create(doc, found);
}

const COMMON = [keymap(baseKeymap), history(), new Plugin({ props: { decorations } })];

export const BLOCK_PLUGINS: readonly Plugin[] = [
  inputRules({ rules: RULES }),
  keymap(KEYS),
  dropCursor({ class: styles['template']! }),
  ...COMMON,
];

const TEXT_PLUGINS: readonly Plugin[] = [
  inputRules({ rules: [PILL_RULE] }),
  keymap({ ...HISTORY_KEYS, Backspace: undoInputRule }),
  ...COMMON,
  new Plugin({
    props: {
      clipboardTextSerializer: ({ content }) => writeText(content),
      handlePaste(view, event) {
        const pasted = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? '';
        if (pasted === '') return false;
        const text = isLine(view.state) ? pasted.replaceAll('\n', ' ').trim() : pasted;
        view.dispatch(view.state.tr.replaceSelection(new Slice(readText(text).content, 1, 1)).scrollIntoView());
        return true;
      },
    },
  }),
];

/** What makes more than one line is not done. */
const ONE_LINE = new Plugin({ filterTransaction: ({ doc }) => doc.childCount === 1 });
const isLine = (state: EditorState): boolean => state.plugins.includes(ONE_LINE);

export const textPlugins = (hasOneLine: boolean): readonly Plugin[] =>
  hasOneLine ? [...TEXT_PLUGINS, ONE_LINE] : TEXT_PLUGINS;
