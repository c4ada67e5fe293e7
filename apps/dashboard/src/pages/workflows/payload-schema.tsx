import { CheckBox } from '../../ui/field';
import { CodeEditor } from '../../ui/code-editor';
import { Section } from '../../ui/page';
import { objectOf } from '../../ui/typed';
import type { Editing } from './editing';

export function PayloadSchema({ draft, canWrite, onChange }: Editing) {
  return (
    <fieldset className="stack" disabled={!canWrite}>
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
          error={objectOf(draft.payloadSchema).fault}
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
