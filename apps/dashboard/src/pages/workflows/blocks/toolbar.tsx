import { Menu } from '@base-ui/react/menu';
import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { classes } from '../../../ui/classes';
import buttons from '../../../ui/ui.module.css';
import menu from '../workflows.module.css';
import styles from './blocks.module.css';
import { BLOCK_CHOICES, toggle } from './menus';
import { schema } from './schema';

const MARKS = [
  { mark: 'bold', name: 'Bold', sign: 'B', keys: 'Control+B Meta+B' },
  { mark: 'italic', name: 'Italic', sign: 'I', keys: 'Control+I Meta+I' },
  { mark: 'underline', name: 'Underline', sign: 'U', keys: 'Control+U Meta+U' },
] as const;

export function Toolbar({ view, state }: { view: EditorView; state: EditorState }) {
  const run = (command: ReturnType<typeof toggle>): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  return (
    <div className={styles['toolbar']} role="group" aria-label="Format">
      <Menu.Root>
        <Menu.Trigger className={buttons['button']}>Add block</Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="start">
            <Menu.Popup className={menu['menu']} finalFocus={() => view.dom}>
              {BLOCK_CHOICES.map((choice) => (
                <Menu.Item
                  key={choice.id}
                  className={classes(menu['menuItem'], styles['choice'])}
                  label={choice.title}
                  aria-label={choice.title}
                  onClick={() => run(choice.run(undefined))}
                >
                  <span>{choice.title}</span>
                  <span className={styles['choiceHint']}>{choice.hint}</span>
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <button
        type="button"
        className={styles['tool']}
        onClick={() => run(BLOCK_CHOICES.find(({ id }) => id === 'variable')!.run(undefined))}
      >
        {'{{ }}'} Variable
      </button>
      {MARKS.map(({ mark, name, sign, keys }) => (
        <button
          key={mark}
          type="button"
          className={styles['tool']}
          data-mark={mark}
          aria-label={name}
          aria-keyshortcuts={keys}
          aria-pressed={isMarked(state, mark)}
          onClick={() => run(toggle(mark))}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}

function isMarked({ selection, storedMarks, doc }: EditorState, mark: string): boolean {
  const type = schema.marks[mark]!;
  const { from, to, $from, empty } = selection;
  return empty ? (storedMarks ?? $from.marks()).some((each) => each.type === type) : doc.rangeHasMark(from, to, type);
}
