import { CHANNEL_NAMES, CHANNELS } from '../../api/channels';
import { CheckBox, Select, TextArea, TextField } from '../../ui/field';
import { Section } from '../../ui/page';
import type { Draft } from './draft';
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
  return (
    <fieldset className={styles['plain']} disabled={!canWrite}>
      <Section title="General">
        <TextField label="Name" required value={draft.name} onChange={(name) => onChange({ name })} />
        <TextArea
          label="Description"
          rows={2}
          value={draft.description}
          onChange={(description) => onChange({ description })}
        />
        <TextField
          label="Tags"
          value={draft.tags}
          hint="Separated by commas. Inboxes and preferences can filter by them."
          onChange={(tags) => onChange({ tags })}
        />
        <Select<Draft['severity']>
          label="Severity"
          value={draft.severity}
          options={SEVERITIES}
          onChange={(severity) => onChange({ severity })}
        />
        <CheckBox
          label="Active: triggers start notifications"
          checked={draft.active}
          onChange={(active) => onChange({ active })}
        />
        <CheckBox
          label="Escape values in HTML"
          checked={draft.escapeHtml}
          onChange={(escapeHtml) => onChange({ escapeHtml })}
        />
        <CheckBox
          label="Wait for retries: a step that is tried again holds up the next one"
          checked={draft.whileRetrying === 'wait'}
          onChange={(waits) => onChange({ whileRetrying: waits ? 'wait' : 'continue' })}
        />
      </Section>
      <Section title="Preferences">
        <CheckBox
          label="Critical: subscribers cannot switch it off"
          checked={draft.isCritical}
          onChange={(isCritical) => onChange({ isCritical })}
        />
        <CheckBox
          label="Wanted by default"
          checked={draft.isEnabled}
          onChange={(isEnabled) => onChange({ isEnabled })}
        />
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
