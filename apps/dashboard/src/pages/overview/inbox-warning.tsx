import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../../session/session';
import { Alert } from '../../ui/page';
import { integrationsQuery } from '../integrations/data';
import { environmentsQuery } from '../settings/environments-data';

export function InboxWarning() {
  const { _id: id } = useEnvironment();
  const environment = useQuery(environmentsQuery).data?.find(({ _id }) => _id === id);
  const isOff = environment?.kind === 'production' && environment.inboxSignatures === 'optional';
  const integrations = useQuery({ ...integrationsQuery(), enabled: isOff, refetchInterval: false });
  const inApp = integrations.data?.find(({ channel, active }) => channel === 'in_app' && active);
  if (!isOff || !inApp || inApp.credentials?.hmac === true) return null;
  return (
    <Alert tone="warn">
      Signatures of inbox sessions are off in this production environment: a page can read the inbox of each subscriber
      whose id it knows.{' '}
      <Link to="/settings" search={{ tab: 'environments', edit: id }}>
        Require signatures
      </Link>
    </Alert>
  );
}
