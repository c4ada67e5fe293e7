import { CHANNEL_NAMES, CHANNELS } from '../../api/channels';
import { CheckBox, editorOf, Select, TextArea, TextField } from '../../ui/field';
import { Section } from '../../ui/page';
import type { Editing } from './editing';
import { DeleteWorkflow } from './delete-workflow';
import styles from './workflows.module.css';

const SEVERITIES = [
  { value: 'none', label: 'None' },
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const;

export function Settings({ base, draft, canWrite, onChange }: Editing) {
  const { field, box } = editorOf(draft, onChange);
  return (
    <fieldset className="stack" disabled={!canWrite}>
      <Section title="General">
        <TextField label="Name" required {...field('name')} />
        <TextArea label="Description" rows={2} {...field('description')} />
        <TextField
          label="Tags"
          hint="Separated by commas. Inboxes and preferences can filter by them."
          {...field('tags')}
        />
        <Select label="Severity" options={SEVERITIES} {...field('severity')} />
        <CheckBox label="Active: triggers start notifications" {...box('active')} />
        <CheckBox label="Escape values in HTML" {...box('escapeHtml')} />
        <CheckBox
          label="Wait for retries: a step that is tried again holds up the next one"
          checked={draft.whileRetrying === 'wait'}
          onChange={(waits) => onChange({ whileRetrying: waits ? 'wait' : 'continue' })}
        />
      </Section>
      <Section title="Preferences">
        <CheckBox label="Critical: subscribers cannot switch it off" {...box('isCritical')} />
        <CheckBox label="Wanted by default" {...box('isEnabled')} />
        <fieldset className={styles['group']}>
          <legend>Channels that are wanted by default</legend>
          {CHANNELS.map((channel) => (
            <CheckBox
              key={channel}
              label={CHANNEL_NAMES[channel]}
              checked={draft.channels[channel] ?? true}
              onChange={(enabled) => onChange({ channels: { ...draft.channels, [channel]: enabled } })}
            />
          ))}
        </fieldset>
      </Section>
      {canWrite && <DeleteWorkflow workflow={base} />}
    </fieldset>
  );
}
