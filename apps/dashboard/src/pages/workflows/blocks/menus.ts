import { toggleMark } from 'prosemirror-commands';
import type { Node, Schema } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import type { CodeWords } from '../../../ui/code-mirror';
import { insertBlock, turnInto } from './commands';
import { labelOf } from './labels';
import { schema } from './schema';

export type Asked = { kind: 'blocks' | 'variables'; from: number; to: number; query: string };

export type Choice = { id: string; title: string; hint: string; group: string; run(asked: Range): Command };
type Range = { from: number; to: number } | undefined;

/** Two braces ask for a variable; a slash at the beginning of a word asks for a block, where there are blocks. */
export function askedAt({ selection, doc, schema: own }: EditorState): Asked | undefined {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return undefined;
  const before = doc.textBetween($from.start(), $from.pos, undefined, '￼');
  const slash = own === schema ? /(?:^|\s)\/([\p{L} ]{0,20})$/u.exec(before) : null;
  const braces = /\{\{\s*([\w.-]*)$/.exec(before);
  const found = braces ?? slash;
  if (!found) return undefined;
  const length = braces ? found[0].length : found[1]!.length + 1;
  return { kind: braces ? 'variables' : 'blocks', from: $from.pos - length, to: $from.pos, query: found[1]! };
}

const node = (type: string, attrs?: Record<string, unknown>, content?: Node | Node[]): Node =>
  schema.nodes[type]!.create({ rest: attrs ? { attrs } : {} }, content);
const paragraph = (): Node => node('paragraph');

const text =
  (type: string, attrs?: Record<string, unknown>) =>
  (asked: Range): Command =>
    turnInto(schema.nodes[type]!, attrs, asked);
const block =
  (make: () => Node) =>
  (asked: Range): Command =>
    insertBlock(make(), asked);

export const askForVariable =
  (asked?: Range): Command =>
  (state, dispatch) => {
    const { from, to } = asked ?? state.selection;
    dispatch?.(state.tr.insertText('{{', from, to).scrollIntoView());
    return true;
  };

const TEXTS = 'Texts';
const BLOCKS = 'Blocks';
const LOGIC = 'Logic';

export const BLOCK_CHOICES: readonly Choice[] = [
  { id: 'paragraph', title: 'Text', hint: 'a paragraph', group: TEXTS, run: text('paragraph') },
  { id: 'heading-1', title: 'Heading 1', hint: 'the title', group: TEXTS, run: text('heading', { level: 1 }) },
  { id: 'heading-2', title: 'Heading 2', hint: 'of a part', group: TEXTS, run: text('heading', { level: 2 }) },
  { id: 'heading-3', title: 'Heading 3', hint: 'smaller', group: TEXTS, run: text('heading', { level: 3 }) },
  { id: 'footer', title: 'Footer', hint: 'small print', group: TEXTS, run: text('footer') },
  {
    id: 'button',
    title: 'Button',
    hint: 'opens an address',
    group: BLOCKS,
    run: block(() => node('button', { text: 'Open', url: '', alignment: 'left' })),
  },
  {
    id: 'image',
    title: 'Image',
    hint: 'by its address',
    group: BLOCKS,
    run: block(() => node('image', { src: '', alt: '' })),
  },
  {
    id: 'list',
    title: 'List',
    hint: 'with bullets',
    group: BLOCKS,
    run: block(() => node('bulletList', undefined, node('listItem', undefined, paragraph()))),
  },
  {
    id: 'numbered',
    title: 'Numbered list',
    hint: '1, 2, 3',
    group: BLOCKS,
    run: block(() => node('orderedList', undefined, node('listItem', undefined, paragraph()))),
  },
  {
    id: 'quote',
    title: 'Quote',
    hint: 'with a bar',
    group: BLOCKS,
    run: block(() => node('blockquote', undefined, paragraph())),
  },
  { id: 'divider', title: 'Divider', hint: 'a line', group: BLOCKS, run: block(() => node('horizontalRule')) },
  {
    id: 'space',
    title: 'Space',
    hint: 'empty height',
    group: BLOCKS,
    run: block(() => node('spacer', { height: 16 })),
  },
  {
    id: 'section',
    title: 'Section',
    hint: 'with a background',
    group: BLOCKS,
    run: block(() => node('section', { backgroundColor: '#f3f4f6' }, paragraph())),
  },
  {
    id: 'columns',
    title: 'Columns',
    hint: 'two, side by side',
    group: BLOCKS,
    run: block(() =>
      node(
        'columns',
        undefined,
        [1, 2].map(() => node('column', undefined, paragraph())),
      ),
    ),
  },
  {
    id: 'repeat',
    title: 'Repeat',
    hint: 'for each item of a list',
    group: LOGIC,
    run: block(() => node('repeat', { each: '' }, paragraph())),
  },
  { id: 'html', title: 'HTML', hint: 'code of your own', group: LOGIC, run: block(() => node('htmlCodeBlock')) },
  {
    id: 'variable',
    title: 'Insert variable',
    hint: '{{',
    group: LOGIC,
    run: askForVariable,
  },
];

/** A variable as the renderer knows it: a node, but in documents a value of the environment is a text. */
export const variable = (own: Schema, id: string): Node =>
  own === schema && id.startsWith('env.')
    ? own.text(`{{ ${id} }}`)
    : own.nodes['variable']!.create({ rest: { attrs: { id } } });

export const variableChoices = ({ variables }: CodeWords): Choice[] =>
  variables.map(({ name, description }) => ({
    id: name,
    title: name,
    hint: description,
    group: '',
    run: (asked) => (state, dispatch) => {
      const { from, to } = asked ?? state.selection;
      const tr = state.tr.replaceWith(from, to, variable(state.schema, name));
      dispatch?.(tr.scrollIntoView());
      return true;
    },
  }));

const MOST_SHOWN = 40;

/** The choices with a word that begins with what was typed, in their order; the name itself comes first. */
export function fitting(choices: readonly Choice[], query: string): Choice[] {
  const asked = query.trim().toLowerCase();
  const isFirst = ({ title }: Choice): boolean => title.toLowerCase().startsWith(asked);
  const isOther = ({ title, id }: Choice): boolean =>
    `${title} ${labelOf(id)}`
      .toLowerCase()
      .split(/[\s.]+/)
      .some((word) => word.startsWith(asked));
  const first = choices.filter(isFirst);
  return [...first, ...choices.filter((choice) => !isFirst(choice) && isOther(choice))].slice(0, MOST_SHOWN);
}

export const toggle = (mark: string): Command => toggleMark(schema.marks[mark]!, { rest: {} });
