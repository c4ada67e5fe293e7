import type { Node } from 'prosemirror-model';
import { type EditorState, NodeSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { Button } from '../../../ui/button';
import type { CodeWords } from '../../../ui/code-mirror';
import { Field, Select, TextField } from '../../../ui/field';
import { Icon } from '../../../ui/icon';
import { Picker } from '../../../ui/picker';
import { pathChoices } from '../use-words';
import styles from './blocks.module.css';
import { type BlockAt, blocksAt, deleteBlock, moveBlock } from './commands';
import { attrsOf, schema, textOf, withAttrs } from './schema';
import TextEditor from './text-editor';

/** One setting of a kind of block. `variable` is the flag that makes the value the name of a variable. */
type Setting = {
  name: string;
  label: string;
  hint?: string;
  kind?: 'number' | 'path' | 'template';
  variable?: string;
};

const ADDRESS = 'An address, or a variable such as {{ payload.url }}.';
const PICTURE: Setting[] = [
  { name: 'src', label: 'Image address', hint: ADDRESS, kind: 'template', variable: 'isSrcVariable' },
  {
    name: 'alt',
    label: 'Alternative text',
    hint: 'What the picture shows, for those who do not see it.',
    kind: 'template',
  },
  { name: 'width', label: 'Width', hint: 'In pixels; empty for its own.', kind: 'number' },
  { name: 'externalLink', label: 'Opens', hint: ADDRESS, kind: 'template' },
];
const LIST: Setting[] = [
  {
    name: 'each',
    label: 'List',
    hint: 'The path of a list, such as payload.items. Inside, current is the item.',
    kind: 'path',
  },
];

const SETTINGS: Record<string, Setting[]> = {
  button: [
    { name: 'text', label: 'Button text', kind: 'template', variable: 'isTextVariable' },
    { name: 'url', label: 'Button address', hint: ADDRESS, kind: 'template', variable: 'isUrlVariable' },
    { name: 'buttonColor', label: 'Colour', hint: 'Such as #1d4ed8; empty for the usual one.' },
  ],
  image: PICTURE,
  logo: PICTURE,
  inlineImage: PICTURE,
  repeat: LIST,
  for: LIST,
  section: [{ name: 'backgroundColor', label: 'Background', hint: 'A colour such as #f3f4f6.' }],
  spacer: [{ name: 'height', label: 'Height', hint: 'In pixels.', kind: 'number' }],
  variable: [
    { name: 'id', label: 'Variable', kind: 'path' },
    { name: 'fallback', label: 'Otherwise', hint: 'The text when there is no value.' },
  ],
};

const ALIGNED: Record<string, string> = {
  paragraph: 'textAlign',
  heading: 'textAlign',
  footer: 'textAlign',
  button: 'alignment',
  image: 'alignment',
};

const KINDS: Record<string, string> = {
  paragraph: 'Text',
  bulletList: 'List',
  orderedList: 'Numbered list',
  listItem: 'Item',
  htmlCodeBlock: 'HTML',
  codeBlock: 'Code',
  horizontalRule: 'Divider',
  inlineImage: 'Image',
  for: 'Repeat',
  opaque: 'Block',
};

const kindOf = ({ type: { name } }: Node): string => KINDS[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

const MOVES = [
  ['Move block up', 'Alt+ArrowUp', 'up', -1],
  ['Move block down', 'Alt+ArrowDown', 'down', 1],
] as const;

type PanelProps = { view: EditorView; state: EditorState; words: CodeWords };

export function BlockPanel({ view, state, words }: PanelProps) {
  const blocks = blocksAt(state);
  const [innermost] = blocks;
  const { selection } = state;
  const inline = selection instanceof NodeSelection && selection.node.isInline ? selection : undefined;
  const link = linkAt(state);
  if (!innermost) return null;
  const set = (pos: number, node: Node, changes: Record<string, unknown>): void =>
    view.dispatch(keepSelection(view.state, view.state.tr.setNodeMarkup(pos, undefined, withAttrs(node, changes))));
  const run = (command: ReturnType<typeof moveBlock>): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const withSettings: { node: Node; pos: number }[] = [
    ...(inline ? [{ node: inline.node, pos: inline.from }] : []),
    ...blocks,
  ];
  return (
    <section className={styles['panel']} aria-label="Block">
      <div className={styles['panelHead']}>
        <strong>{inline ? kindOf(inline.node) : kindOf(innermost.node)}</strong>
        <Alignment block={innermost} onChange={(changes) => set(innermost.pos, innermost.node, changes)} />
        <span className={styles['panelActions']}>
          {MOVES.map(([title, keys, icon, by]) => (
            <Button
              key={icon}
              aria-label={title}
              title={title}
              aria-keyshortcuts={keys}
              onClick={() => run(moveBlock(by))}
            >
              <Icon name={icon} size={14} />
            </Button>
          ))}
          <Button onClick={() => run(deleteBlock)}>Delete block</Button>
        </span>
      </div>
      {withSettings.map(
        ({ node, pos }) =>
          SETTINGS[node.type.name] && (
            <div key={pos} className={styles['settings']}>
              {SETTINGS[node.type.name]!.map((setting) => (
                <SettingField
                  key={setting.name}
                  setting={setting}
                  node={node}
                  words={words}
                  onChange={(changes) => set(pos, node, changes)}
                />
              ))}
            </div>
          ),
      )}
      {link && (
        <div className={styles['settings']}>
          <TextField
            label="Link address"
            hint="Where the chosen words lead. Empty for no link."
            value={link.href}
            onChange={(href) => {
              const type = schema.marks['link']!;
              const { from, to } = link;
              const tr = view.state.tr.removeMark(from, to, type);
              if (href !== '') tr.addMark(from, to, type.create({ rest: { attrs: { href } } }));
              view.dispatch(keepSelection(view.state, tr));
            }}
          />
        </div>
      )}
    </section>
  );
}

/** A change of the attributes of a node that is chosen as a whole would unselect it. */
function keepSelection(state: EditorState, tr: EditorState['tr']): EditorState['tr'] {
  return state.selection instanceof NodeSelection
    ? tr.setSelection(NodeSelection.create(tr.doc, state.selection.from))
    : tr;
}

type SettingProps = {
  setting: Setting;
  node: Node;
  words: CodeWords;
  onChange(changes: Record<string, unknown>): void;
};

function SettingField({ setting, node, words, onChange }: SettingProps) {
  const { name, label, hint, kind, variable } = setting;
  const attrs = attrsOf(node);
  const given = attrs[name];
  const isVariable = variable !== undefined && attrs[variable] === true && typeof given === 'string' && given !== '';
  const value = typeof given === 'number' ? String(given) : textOf(node, name);
  const field = { label, hint, value, onChange: (typed: string) => onChange({ [name]: typed }) };
  if (kind === 'path') return <Picker {...field} isFree choices={pathChoices(words)} />;
  if (kind === 'number') {
    return (
      <TextField
        {...field}
        inputMode="numeric"
        onChange={(typed) => onChange({ [name]: /^\d+$/.test(typed) ? Number(typed) : typed })}
      />
    );
  }
  if (kind !== 'template') return <TextField {...field} autoComplete="off" />;
  return (
    <Field label={label} hint={hint}>
      {() => (
        <TextEditor
          label={label}
          isLine
          isReadOnly={false}
          isInvalid={false}
          description={hint}
          words={words}
          value={isVariable ? `{{ ${value} }}` : value}
          // What is typed is a text, in which variables have braces.
          onChange={(typed) => onChange({ [name]: typed, ...(isVariable && { [variable]: false }) })}
        />
      )}
    </Field>
  );
}

const ALIGNMENTS = [
  { value: '', label: 'As usual' },
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'Centre' },
  { value: 'right', label: 'Right' },
] as const;

function Alignment({ block, onChange }: { block: BlockAt; onChange(changes: Record<string, unknown>): void }) {
  const name = ALIGNED[block.node.type.name];
  if (name === undefined) return null;
  const value = textOf(block.node, name);
  return (
    <Select
      label="Alignment"
      value={ALIGNMENTS.some((each) => each.value === value) ? value : ''}
      options={ALIGNMENTS}
      onChange={(align) => onChange({ [name]: align || null })}
    />
  );
}

/** The link at the cursor, or the chosen words that may become one. */
function linkAt({ selection, doc }: EditorState): { from: number; to: number; href: string } | undefined {
  const { $from, from, to, empty } = selection;
  const type = schema.marks['link']!;
  if (selection instanceof NodeSelection || !$from.parent.isTextblock || $from.parent.type.spec.code) return undefined;
  const hrefOf = (node: Node | null | undefined): string | undefined => {
    const mark = node?.marks.find((each) => each.type === type);
    const href = (mark?.attrs['rest'] as { attrs?: { href?: unknown } } | undefined)?.attrs?.href;
    return mark ? String(href ?? '') : undefined;
  };
  if (!empty) return { from, to, href: hrefOf(doc.nodeAt(from)) ?? '' };
  const { index, offset } = $from.parent.childBefore($from.parentOffset);
  const node = $from.parent.maybeChild(index);
  const href = hrefOf(node);
  if (href === undefined) return undefined;
  const start = $from.start() + offset;
  return { from: start, to: start + node!.nodeSize, href };
}
