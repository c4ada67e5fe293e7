import { BlockPanel } from './block-panel';
import type { EmailDocument } from './body-value';
import { readDocument, writeDocument } from './document';
import { BLOCK_PLUGINS } from './plugins';
import { type EditorProps, ProseEditor } from './prose-editor';
import { Toolbar } from './toolbar';

/** The blocks of an email. Alt with an arrow key moves a block. */
export default function BlockEditor(props: EditorProps<EmailDocument>) {
  return (
    <ProseEditor
      {...props}
      plugins={BLOCK_PLUGINS}
      read={readDocument}
      write={writeDocument}
      head={(view, state) => <Toolbar view={view} state={state} />}
      foot={(view, state) => <BlockPanel view={view} state={state} words={props.words} />}
    />
  );
}
