import type { Node, NodeType } from 'prosemirror-model';
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import { schema } from './schema';

/** A block at the cursor: the node and its position. `depth` is that of its parent. */
export type BlockAt = { node: Node; pos: number; depth: number };

/** The blocks around the cursor, the innermost first; a node that is chosen as a whole comes before all. */
export function blocksAt({ selection }: EditorState): BlockAt[] {
  const { $from } = selection;
  const around: BlockAt[] = [];
  if (selection instanceof NodeSelection && selection.node.isBlock) {
    around.push({ node: selection.node, pos: selection.from, depth: $from.depth });
  }
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    around.push({ node: $from.node(depth), pos: $from.before(depth), depth: depth - 1 });
  }
  return around;
}

/** Moves the innermost block that has a neighbour in this direction. */
export const moveBlock =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    for (const { node, pos } of blocksAt(state)) {
      const $pos = state.doc.resolve(pos);
      const neighbour = $pos.parent.maybeChild($pos.index() + by);
      if (!neighbour) continue;
      const target = by < 0 ? pos - neighbour.nodeSize : pos + neighbour.nodeSize;
      const { selection } = state;
      const tr = state.tr.delete(pos, pos + node.nodeSize).insert(target, node);
      tr.setSelection(
        selection instanceof NodeSelection
          ? NodeSelection.create(tr.doc, selection.from - pos + target)
          : TextSelection.create(tr.doc, selection.anchor - pos + target, selection.head - pos + target),
      );
      dispatch?.(tr.scrollIntoView());
      return true;
    }
    return false;
  };

/** Deletes the innermost block; the last one of the document becomes an empty paragraph. */
export const deleteBlock: Command = (state, dispatch) => {
  const [block] = blocksAt(state);
  if (!block) return false;
  let { pos } = block;
  let end = pos + block.node.nodeSize;
  // A container without content is deleted with its last block.
  for (
    let $pos = state.doc.resolve(pos);
    $pos.depth > 0 && $pos.parent.childCount === 1;
    $pos = state.doc.resolve(pos)
  ) {
    end = $pos.after();
    pos = $pos.before();
  }
  const isAll = state.doc.childCount === 1 && pos === 0;
  const tr = isAll ? state.tr.replaceWith(pos, end, schema.nodes['paragraph']!.create()) : state.tr.delete(pos, end);
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(pos, tr.doc.content.size)))).scrollIntoView());
  return true;
};

/** Puts a block in place of the range that was typed: instead of an empty paragraph, else behind the paragraph. */
export const insertBlock =
  (block: Node, range?: { from: number; to: number }): Command =>
  (state, dispatch) => {
    const tr = state.tr;
    if (range) tr.delete(range.from, range.to);
    const $from = tr.doc.resolve(tr.mapping.map(range?.from ?? state.selection.from));
    const isReplaced = $from.parent.isTextblock && $from.parent.content.size === 0;
    const pos = $from.depth === 0 ? $from.pos : isReplaced ? $from.before() : $from.after();
    if (isReplaced) tr.replaceWith(pos, $from.after(), block);
    else tr.insert(pos, block);
    const after = pos + block.nodeSize;
    // There is always a place to write on behind a block that cannot be written into.
    if (block.isAtom && after === tr.doc.content.size) tr.insert(after, schema.nodes['paragraph']!.create());
    tr.setSelection(block.isAtom ? NodeSelection.create(tr.doc, pos) : Selection.near(tr.doc.resolve(pos + 1)));
    dispatch?.(tr.scrollIntoView());
    return true;
  };

/** Changes the paragraph into another block of text, without the range that was typed to ask for it. */
export const turnInto =
  (type: NodeType, attrs?: Record<string, unknown>, range?: { from: number; to: number }): Command =>
  (state, dispatch) => {
    if (!state.selection.$from.parent.isTextblock) return false;
    const tr = state.tr;
    if (range) tr.delete(range.from, range.to);
    const { from, to } = tr.selection;
    dispatch?.(tr.setBlockType(from, to, type, { rest: attrs ? { attrs } : {} }).scrollIntoView());
    return true;
  };
