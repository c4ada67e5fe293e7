import { useState } from 'react';
import { CodeEditor } from '../../ui/code-editor';
import type { CodeProblem } from '../../ui/code-mirror';
import type { ControlSchema } from './draft';
import { messagesOf } from './issues';

type JsonFieldProps = {
  path: string;
  schema: ControlSchema;
  value: unknown;
  issues: Record<string, CodeProblem[]>;
  isReadOnly: boolean;
  onChange(value: unknown): void;
};

const written = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A value that is written as JSON. Text that is not JSON stays in the field and is not taken over. */
export function JsonField({ path, schema, value, issues, isReadOnly, onChange }: JsonFieldProps) {
  const [text, setText] = useState(() => written(value));
  const [fault, setFault] = useState<string>();
  return (
    <CodeEditor
      label={schema.title ?? path}
      hint={schema.description}
      language="json"
      value={text}
      isReadOnly={isReadOnly}
      error={fault ?? messagesOf(issues[path])}
      onChange={(typed) => {
        setText(typed);
        try {
          onChange(typed.trim() === '' ? undefined : (JSON.parse(typed) as unknown));
          setFault(undefined);
        } catch (error) {
          setFault(`Not valid JSON, so not used yet: ${error instanceof Error ? error.message : String(error)}`);
        }
      }}
    />
  );
}
