import { CheckBox } from '../../ui/field';
import { CodeEditor } from '../../ui/code-editor';
import { Section } from '../../ui/page';
import { parseSchema } from './draft';
import type { Editing } from './editing';
import styles from './workflows.module.css';

export function PayloadSchema({ draft, canWrite, onChange }: Editing) {
  const parsed = parseSchema(draft.payloadSchema);
  return (
    <fieldset className={styles['plain']} disabled={!canWrite}>
      <Section title="Payload schema">
        <p>
          A JSON Schema of the payload. The editor completes its names, and a template that reads another name gets an
          issue.
        </p>
        <CodeEditor
          label="Schema"
          language="json"
          value={draft.payloadSchema}
          isReadOnly={!canWrite}
          error={'fault' in parsed ? parsed.fault : undefined}
          hint='For example {"type": "object", "properties": {"name": {"type": "string"}}}. Empty for none.'
          onChange={(payloadSchema) => onChange({ payloadSchema })}
        />
        <CheckBox
          label="Refuse triggers whose payload does not fit"
          checked={draft.validatePayload}
          onChange={(validatePayload) => onChange({ validatePayload })}
        />
      </Section>
    </fieldset>
  );
}
