import { lazy, Suspense, useMemo, useState } from 'react';
import { Button } from '../../../ui/button';
import { CodeEditor } from '../../../ui/code-editor';
import type { CodeProblem, CodeWords } from '../../../ui/code-mirror';
import { Field } from '../../../ui/field';
import { Skeleton } from '../../../ui/page';
import { messagesOf } from '../issues';
import { JsonField } from '../json-field';
import styles from './blocks.module.css';
import { asDocument, documentIn, type EmailDocument, isEmptyDocument } from './body-value';

/** The editor is large, so it is loaded when the first email is opened. */
const BlockEditor = lazy(() => import('./block-editor'));

type BodyFieldProps = {
  path: string;
  label: string;
  value: unknown;
  problems: CodeProblem[] | undefined;
  words: CodeWords;
  isReadOnly: boolean;
  onChange(value: unknown): void;
};

const HINT = 'Press / for blocks and {{ for variables. Alt with an arrow key moves a block.';
const HTML_HINT = 'HTML with templates such as {{ payload.name }}.';

/** The body of an email: blocks, or behind "Code" its HTML or the document as JSON. */
export function BodyField({ path, label, value, problems, words, isReadOnly, onChange }: BodyFieldProps) {
  const document = useMemo(() => documentIn(value), [value]);
  const isEmpty = value === undefined || value === null || value === '';
  const [isCode, setCode] = useState(!document && !isEmpty);
  const error = messagesOf(problems);
  const write = (next: EmailDocument): void => {
    if (isEmptyDocument(next)) onChange(undefined);
    else onChange(typeof value === 'object' && value !== null ? next : JSON.stringify(next));
  };
  const blocks = useMemo(() => document ?? asDocument(value), [document, value]);
  const switchOver = (): void => {
    // What is no document becomes one when it is edited as blocks.
    if (isCode && !document && !isEmpty) write(asDocument(value));
    setCode(!isCode);
  };
  return (
    <div className={styles['body']}>
      <Button
        className={styles['switch']}
        aria-pressed={isCode}
        disabled={isReadOnly && !document}
        onClick={switchOver}
      >
        Code
      </Button>
      {!isCode ? (
        <Field label={label} hint={HINT} error={error}>
          {() => (
            <Suspense fallback={<Skeleton isBlock />}>
              <BlockEditor
                label={label}
                value={blocks}
                words={words}
                isReadOnly={isReadOnly}
                isInvalid={error !== undefined}
                description={error ?? HINT}
                onChange={write}
              />
            </Suspense>
          )}
        </Field>
      ) : (document ?? Array.isArray(value)) ? (
        <JsonField
          path={path}
          schema={{ title: label, description: 'The document of the blocks as JSON.' }}
          value={document ?? value}
          issues={problems ? { [path]: problems } : {}}
          isReadOnly={isReadOnly}
          onChange={(next) => onChange(next !== undefined && typeof value === 'string' ? JSON.stringify(next) : next)}
        />
      ) : (
        <CodeEditor
          label={label}
          hint={HTML_HINT}
          error={error}
          language="liquid-html"
          value={typeof value === 'string' ? value : ''}
          words={words}
          problems={problems}
          isReadOnly={isReadOnly}
          onChange={(typed) => onChange(typed === '' ? undefined : typed)}
        />
      )}
    </div>
  );
}
