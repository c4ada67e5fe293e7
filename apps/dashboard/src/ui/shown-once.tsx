import { Button } from './button';
import { CodeBlock } from './code-block';
import { Dialog } from './dialog';

type ShownOnceProps = { title: string; label: string; text: string; note: string; onClose(): void };

/** The only time that a key or a secret is shown. */
export function ShownOnce({ title, label, text, note, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
      <p>{note}</p>
      <CodeBlock text={text} label={label} />
    </Dialog>
  );
}
