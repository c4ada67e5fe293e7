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
import { type Command, type EditorState, Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { moveBlock } from './commands';
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
const KEYS: Record<string, Command> = {
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
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

const RULES = [
  // A path between braces becomes a pill; a filter keeps it a text, which is shown as one.
  new InputRule(/\{\{\s*([a-z]\w*(?:\.\w+)+)\s*\}\}$/i, (state, match, from, to) =>
    state.tr.replaceWith(from, to, variable(match[1]!)),
  ),
  textblockTypeInputRule(/^(#{1,3})\s$/, heading!, (match) => ({ rest: { attrs: { level: match[1]!.length } } })),
  wrappingInputRule(/^[-*]\s$/, bulletList!),
  wrappingInputRule(/^1\.\s$/, orderedList!),
];

function decorations(state: EditorState, classes: { template: string; placeholder: string }): DecorationSet {
  const found: Decoration[] = [];
  state.doc.descendants((node, pos) => {
    if (!node.isText) return;
    for (const { index, 0: whole } of node.text!.matchAll(/\{[{%][^{}]*[%}]\}/g)) {
      found.push(Decoration.inline(pos + index, pos + index + whole.length, { class: classes.template }));
    }
  });
  const { firstChild, childCount } = state.doc;
  if (childCount === 1 && firstChild!.type === paragraph && firstChild!.content.size === 0) {
    found.push(Decoration.node(0, firstChild!.nodeSize, { class: classes.placeholder }));
  }
  return DecorationSet.create(state.doc, found);
}

export const pluginsOf = (classes: { template: string; placeholder: string }): Plugin[] => [
  inputRules({ rules: RULES }),
  keymap(KEYS),
  keymap(baseKeymap),
  history(),
  dropCursor({ class: classes.template }),
  new Plugin({ props: { decorations: (state) => decorations(state, classes) } }),
];
