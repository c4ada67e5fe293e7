import styles from './blocks.module.css';
import { readText, writeText } from './document';
import { askForVariable } from './menus';
import { textPlugins } from './plugins';
import { type EditorProps, ProseEditor } from './prose-editor';

/** A template that is a text, of one line or several. */
export default function TextEditor(props: EditorProps<string>) {
  return (
    <ProseEditor
      {...props}
      className={styles['text']}
      plugins={textPlugins(props.isLine ?? false)}
      read={readText}
      write={({ content }) => writeText(content)}
      foot={(view) => (
        <button
          type="button"
          tabIndex={-1}
          className={styles['insert']}
          aria-label={`Insert variable: ${props.label}`}
          title="Insert variable"
          onClick={() => {
            view.focus();
            askForVariable()(view.state, view.dispatch);
          }}
        >
          {'{{ }}'}
        </button>
      )}
    />
  );
}
