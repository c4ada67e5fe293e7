import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../../session/session';
import { Alert, Page } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { AuditLog } from './audit-log';
import { Environments } from './environments';
import { Keys } from './keys';
import type { SettingsTab } from './search';
import { Sessions } from './sessions';
import { Variables } from './variables';

export function SettingsPage() {
  const { tab = 'environments' } = useSearch({ from: '/signed-in/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const isReader = useSession().scope === 'read';
  const closed = () => (
    <Alert tone="info">This session has a key of the scope read, which may not see keys, sessions and the log.</Alert>
  );
  return (
    <Page title="Settings">
      <Tabs<SettingsTab>
        label="Settings"
        selected={tab}
        onSelect={(id) => void navigate({ search: { tab: id } })}
        tabs={[
          { id: 'environments', label: 'Environments', content: () => <Environments /> },
          { id: 'variables', label: 'Variables', content: () => <Variables /> },
          { id: 'keys', label: 'API keys', content: isReader ? closed : () => <Keys /> },
          { id: 'sessions', label: 'Sessions', content: isReader ? closed : () => <Sessions /> },
          { id: 'audit-log', label: 'Audit log', content: isReader ? closed : () => <AuditLog /> },
        ]}
      />
    </Page>
  );
}
