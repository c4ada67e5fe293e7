import { lazy, Suspense } from 'react';
import { Field } from './field';
import type { CodeLanguage, CodeProblem, CodeWords } from './code-mirror';
import { Skeleton } from './page';

/** The editor is large, so it is loaded when the first field needs it. */
const CodeMirror = lazy(() => import('./code-mirror'));

type CodeEditorProps = {
  label: string;
  value: string;
  onChange(value: string): void;
  language: CodeLanguage;
  hint?: string;
  error?: string;
  words?: CodeWords;
  problems?: readonly CodeProblem[];
  isReadOnly?: boolean;
};

/** A field for templates and JSON. While the editor loads, nothing can be typed that would be lost when it appears. */
export function CodeEditor({ label, hint, error, ...rest }: CodeEditorProps) {
  return (
    <Suspense
      fallback={
        <Field label={label} hint={hint} error={error}>
          {() => <Skeleton isBlock />}
        </Field>
      }
    >
      <Field label={label} hint={hint} error={error}>
        {() => <CodeMirror {...rest} label={label} description={error ?? hint} isInvalid={error !== undefined} />}
      </Field>
    </Suspense>
  );
}
