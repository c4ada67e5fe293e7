import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog, ShownOnce } from '../../ui/dialog';
import { Select, TextArea } from '../../ui/field';
import { Alert, Section } from '../../ui/page';
import { integrationsQuery } from '../integrations/data';
import type { Environment } from './environments-data';

type InboxSettings = Pick<Environment, 'allowedOrigins'> & { inboxSignatures: Environment['inboxSignatures'] | null };

const SIGNATURES = [
  { value: 'required', label: 'Required' },
  { value: 'optional', label: 'Optional' },
] as const;

const ORIGINS = [
  { value: 'every', label: 'Pages of every origin' },
  { value: 'listed', label: 'Only pages of the origins below' },
] as const;

type InboxSectionProps = {
  environmentId: string;
  /** Whether the other pages show this environment. */
  isCurrent: boolean;
  settings: InboxSettings;
  origins: string;
  fault?: string;
  onChange(change: Partial<InboxSettings>): void;
  onOrigins(text: string): void;
};

export function InboxSection({ environmentId, isCurrent, settings, origins, fault, ...on }: InboxSectionProps) {
  const [isRotating, setRotating] = useState(false);
  return (
    <Section title="Inbox" actions={<Button onClick={() => setRotating(true)}>Rotate inbox secret</Button>}>
      <Select
        label="Signatures of sessions"
        hint="Your backend signs the subscriberId with the inbox secret, or with an API key of the scope full."
        value={settings.inboxSignatures ?? 'optional'}
        onChange={(inboxSignatures) => on.onChange({ inboxSignatures })}
        options={SIGNATURES}
      />
      {settings.inboxSignatures === 'optional' && <Unsigned isCurrent={isCurrent} />}
      <Select
        label="Who may use the inbox"
        value={settings.allowedOrigins ? 'listed' : 'every'}
        onChange={(choice) => on.onChange({ allowedOrigins: choice === 'listed' ? [] : null })}
        options={ORIGINS}
      />
      {settings.allowedOrigins && (
        <TextArea
          label="Allowed origins"
          hint="One in each line, with scheme, host and port: https://app.example.com. Without a line, no page may."
          value={origins}
          onChange={on.onOrigins}
          isCode
          error={fault}
        />
      )}
      {isRotating && <RotateSecret environmentId={environmentId} onClose={() => setRotating(false)} />}
    </Section>
  );
}

/** The field HMAC of the in-app integration demands signatures too. */
function Unsigned({ isCurrent }: { isCurrent: boolean }) {
  const integrations = useQuery({ ...integrationsQuery(), enabled: isCurrent, refetchInterval: false });
  const inApp = integrations.data?.find(({ channel, active }) => channel === 'in_app' && active);
  if (inApp?.credentials?.hmac === true) {
    return (
      <p>
        The in-app integration demands a signature (HMAC).{' '}
        <Link to="/integrations" search={{ integration: inApp._id, tab: 'settings' }}>
          Change it
        </Link>
      </p>
    );
  }
  return (
    <Alert tone="warn">
      Sessions need no signature: a page can read and mark the inbox of each subscriber whose id it knows. It cannot see
      or change anything else.
    </Alert>
  );
}

const ENDS = [
  { value: '0', label: 'At once, with its sessions' },
  { value: '24', label: 'In 24 hours' },
] as const;

function RotateSecret({ environmentId, onClose }: { environmentId: string; onClose(): void }) {
  const [hours, setHours] = useState('0');
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <ShownOnce
        title="The inbox secret is replaced"
        label="Inbox secret"
        text={secret}
        note="It is not shown here again. Your backend signs sessions with it."
        onClose={onClose}
      />
    );
  }
  const change = { params: { path: { environmentId } }, body: { overlapHours: Number(hours) } };
  return (
    <ConfirmDialog
      title="Replace the inbox secret?"
      environmentId={environmentId}
      action="Rotate"
      run={() => unwrap(api.POST('/v1/environments/{environmentId}/inbox-secret/rotate', change))}
      then={(rotated) => setSecret(rotated.secret)}
      onClose={onClose}
    >
      <p>The new secret signs sessions from now on. After a leak, let the old one end at once.</p>
      <Select label="The old secret ends" value={hours} onChange={setHours} options={ENDS} />
    </ConfirmDialog>
  );
}
