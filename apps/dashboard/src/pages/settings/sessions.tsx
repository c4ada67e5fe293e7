import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Empty, Loading, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';

type Session = Schemas['SessionSummaryDto'];

export function Sessions() {
  const queryKey = ['sessions'];
  const loaded = useQuery({ queryKey, queryFn: () => unwrap(api.GET('/v1/sessions')) });
  const [chosen, setChosen] = useState<Session>();
  if (!loaded.data) return <Loading query={loaded} />;
  const { data } = loaded;
  if (data.data.length === 0) {
    return (
      <Empty title="No session with a key of this environment is open">
        Sessions of other environments are listed there.
      </Empty>
    );
  }
  return (
    <Section>
      <Table
        label="Sessions"
        rows={data.data}
        rowKey={({ _id }) => _id}
        columns={[
          { name: 'Key', cell: ({ keyName }) => <strong>{keyName}</strong> },
          { name: 'Scope', cell: ({ scope }) => scope },
          { name: 'Address', cell: ({ address }) => <code>{address}</code> },
          { name: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
          { name: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
          { name: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} relative /> },
          { name: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} relative /> },
        ]}
        actions={(session) =>
          session.current ? (
            <Badge tone="info">This session</Badge>
          ) : (
            <Button
              aria-label={`Revoke the session of ${session.keyName} from ${session.address}`}
              onClick={() => setChosen(session)}
            >
              Revoke
            </Button>
          )
        }
      />
      {chosen && (
        <ConfirmDialog
          title="Revoke the session"
          environmentId={null}
          action="Revoke"
          run={() => unwrap(api.DELETE('/v1/sessions/{sessionId}', { params: { path: { sessionId: chosen._id } } }))}
          stale={queryKey}
          done="The session is revoked."
          onClose={() => setChosen(undefined)}
        >
          <p>
            The browser at {chosen.address} that uses the key {chosen.keyName} must sign in again. To end all sessions
            of the key, revoke the key.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/(Headless)?Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

function browserOf(userAgent: string | undefined): string {
  if (!userAgent) return 'unknown';
  return BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? userAgent.slice(0, 40);
}
