import { lazy, Suspense } from 'react';
import { Field } from '../../../ui/field';
import { Skeleton } from '../../../ui/page';
import styles from './blocks.module.css';
import type { EditorProps } from './prose-editor';

/** The editor of blocks is large, and this one is a part of it. */
const TextEditor = lazy(() => import('./text-editor'));

type TemplateFieldProps = Omit<EditorProps<string>, 'isInvalid' | 'description'> & { hint?: string; error?: string };

/** A text with variables. The value stays a text: `{{ payload.name }}` is shown as a pill. */
export function TemplateField({ hint, error, ...editor }: TemplateFieldProps) {
  return (
    <div className={editor.isLine ? styles['line'] : undefined}>
      <Field label={editor.label} hint={hint} error={error}>
        {() => (
          <Suspense fallback={<Skeleton lines={1} isBlock={!editor.isLine} />}>
            <TextEditor {...editor} isInvalid={error !== undefined} description={error ?? hint} />
          </Suspense>
        )}
      </Field>
    </div>
  );
}
