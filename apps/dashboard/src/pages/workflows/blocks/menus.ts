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

type Row = [id: string, title: string, hint: string, run: Choice['run']];

const list = (type: string) => block(() => node(type, undefined, node('listItem', undefined, paragraph())));
const columns = (): Node[] => [1, 2].map(() => node('column', undefined, paragraph()));

const GROUPS: Record<string, Row[]> = {
  Texts: [
    ['paragraph', 'Text', 'a paragraph', text('paragraph')],
    ['heading-1', 'Heading 1', 'the title', text('heading', { level: 1 })],
    ['heading-2', 'Heading 2', 'of a part', text('heading', { level: 2 })],
    ['heading-3', 'Heading 3', 'smaller', text('heading', { level: 3 })],
    ['footer', 'Footer', 'small print', text('footer')],
  ],
  Blocks: [
    ['button', 'Button', 'opens an address', block(() => node('button', { text: 'Open', url: '', alignment: 'left' }))],
    ['image', 'Image', 'by its address', block(() => node('image', { src: '', alt: '' }))],
    ['list', 'List', 'with bullets', list('bulletList')],
    ['numbered', 'Numbered list', '1, 2, 3', list('orderedList')],
    ['quote', 'Quote', 'with a bar', block(() => node('blockquote', undefined, paragraph()))],
    ['divider', 'Divider', 'a line', block(() => node('horizontalRule'))],
    ['space', 'Space', 'empty height', block(() => node('spacer', { height: 16 }))],
    [
      'section',
      'Section',
      'with a background',
      block(() => node('section', { backgroundColor: '#f3f4f6' }, paragraph())),
    ],
    ['columns', 'Columns', 'two, side by side', block(() => node('columns', undefined, columns()))],
  ],
  Logic: [
    ['repeat', 'Repeat', 'for each item of a list', block(() => node('repeat', { each: '' }, paragraph()))],
    ['html', 'HTML', 'code of your own', block(() => node('htmlCodeBlock'))],
    ['variable', 'Insert variable', '{{', askForVariable],
  ],
};

export const BLOCK_CHOICES: readonly Choice[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([id, title, hint, run]) => ({ id, title, hint, group, run })),
);

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
