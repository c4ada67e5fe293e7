import { lazy, Suspense } from 'react';
import { Field, TextArea } from './field';
import type { CodeProblem, CodeWords } from './code-mirror';

/** The editor is large, so it is loaded when the first field needs it. */
const CodeMirror = lazy(() => import('./code-mirror'));

export type CodeLanguage = 'liquid' | 'liquid-html' | 'json';

type CodeEditorProps = {
  label: string;
  value: string;
  onChange(value: string): void;
  language: CodeLanguage;
  hint?: string;
  error?: string;
  /** Names that the editor completes. */
  words?: CodeWords;
  /** Shown at their places in the text. */
  problems?: readonly CodeProblem[];
  isLine?: boolean;
  isReadOnly?: boolean;
};

/** A field for templates and JSON. Until the editor is loaded it is a plain field with the same label. */
export function CodeEditor({ label, hint, error, value, onChange, isLine = false, ...rest }: CodeEditorProps) {
  return (
    <Suspense
      fallback={
        <TextArea
          label={label}
          hint={hint}
          error={error}
          value={value}
          onChange={onChange}
          isCode
          rows={isLine ? 1 : 8}
        />
      }
    >
      <Field label={label} hint={hint} error={error}>
        {() => (
          <CodeMirror
            {...rest}
            label={label}
            value={value}
            onChange={onChange}
            isLine={isLine}
            description={error ?? hint}
            isInvalid={error !== undefined}
          />
        )}
      </Field>
    </Suspense>
  );
}
