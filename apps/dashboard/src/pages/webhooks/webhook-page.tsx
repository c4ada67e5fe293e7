import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Alert, Facts, messageOf, Page, Section, UnloadedPage, NoSuch } from '../../ui/page';
import { formatNumber, Time } from '../../ui/time';
import { useChange } from '../../ui/use-change';
import { type Endpoint, endpointQuery, filterText, WEBHOOKS } from './data';
import { Deliveries } from './deliveries';
import { EndpointForm, NewSecret } from './endpoint-form';
import { EndpointBadge, EndpointNotice } from './endpoint-state';
import { ReplayDialog } from './replay-dialog';
import { SwitchOn } from './switch-on';

/** One webhook endpoint: its state, its filter and what was sent to it. */
export function WebhookPage() {
  const { endpointId } = useParams({ from: '/signed-in/webhooks/$endpointId' });
  const endpoint = useQuery(endpointQuery(endpointId));
  if (endpoint.data) return <EndpointView key={endpointId} endpoint={endpoint.data} />;
  return (
    <UnloadedPage title="Webhook endpoint" query={endpoint} missing={[404, 422]}>
      <NoSuch thing="endpoint" to="/webhooks" />
    </UnloadedPage>
  );
}

type Open = 'edit' | 'replay' | 'on' | 'off' | 'rotate' | 'delete';

function EndpointView({ endpoint }: { endpoint: Endpoint }) {
  const canWrite = useCanWrite();
  const [open, setOpen] = useState<Open>();
  const params = { path: { endpointId: endpoint._id } };
  const close = () => setOpen(undefined);
  const test = useChange(() => unwrap(api.POST('/v1/webhook-endpoints/{endpointId}/test', { params })), {
    stale: WEBHOOKS,
    done: 'The test is on its way. The deliveries show the answer.',
  });
  return (
    <Page
      title={endpoint.url}
      actions={
        canWrite && (
          <>
            {endpoint.active && (
              <>
                <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
                  Send test
                </Button>
                <Button onClick={() => setOpen('replay')}>Replay</Button>
                <Button onClick={() => setOpen('off')}>Switch off</Button>
              </>
            )}
            {!endpoint.active && (
              <Button kind="primary" onClick={() => setOpen('on')}>
                Switch on
              </Button>
            )}
            <Button onClick={() => setOpen('edit')}>Edit</Button>
            <Button onClick={() => setOpen('rotate')}>Rotate secret</Button>
            <Button kind="danger" onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </>
        )
      }
    >
      {test.error && <Alert tone="bad">{messageOf(test.error)}</Alert>}
      <EndpointNotice endpoint={endpoint} />
      <Section title="Details">
        <Facts
          facts={{
            State: <EndpointBadge endpoint={endpoint} />,
            Description: endpoint.description,
            Gets: filterText(endpoint),
            'Last delivered': endpoint.lastDeliveredAt ? <Time at={endpoint.lastDeliveredAt} /> : 'never',
            Waiting: waitingText(endpoint),
            'Old secret': endpoint.previousSecretUntil && (
              <Time at={endpoint.previousSecretUntil} before="signs beside the new one until " />
            ),
            Created: <Time at={endpoint.createdAt} />,
            Changed: <Time at={endpoint.updatedAt} />,
          }}
        />
      </Section>
      <Deliveries endpointId={endpoint._id} />
      {open === 'edit' && <EndpointForm endpoint={endpoint} onClose={close} />}
      {open === 'replay' && <ReplayDialog endpointId={endpoint._id} onClose={close} />}
      {open === 'on' && <SwitchOn endpoint={endpoint} onClose={close} />}
      {open === 'off' && <SwitchOff endpointId={endpoint._id} onClose={close} />}
      {open === 'rotate' && <RotateSecret endpointId={endpoint._id} onClose={close} />}
      {open === 'delete' && <DeleteEndpoint endpointId={endpoint._id} onClose={close} />}
    </Page>
  );
}

const waitingText = ({ waitingDeliveries, waitingEntries }: Endpoint): string =>
  `${formatNumber(waitingDeliveries)} for an attempt, ${formatNumber(waitingEntries)} later in the event log`;

type DialogProps = { endpointId: string; onClose(): void };

function SwitchOff({ endpointId, onClose }: DialogProps) {
  const change = { params: { path: { endpointId } }, body: { active: false } };
  return (
    <ConfirmDialog
      title="Switch the endpoint off?"
      action="Switch off"
      run={() => unwrap(api.PATCH('/v1/webhook-endpoints/{endpointId}', change))}
      stale={WEBHOOKS}
      done="The endpoint is off."
      onClose={onClose}
    >
      <p>
        It gets no more calls. What happens meanwhile stays in the event log, and the endpoint gets it when it is
        switched on again.
      </p>
    </ConfirmDialog>
  );
}

function RotateSecret({ endpointId, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string>();
  const params = { path: { endpointId } };
  if (secret !== undefined) return <NewSecret title="The secret is replaced" text={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Replace the secret?"
      action="Rotate"
      run={() => unwrap(api.POST('/v1/webhook-endpoints/{endpointId}/rotate-secret', { params }))}
      stale={WEBHOOKS}
      then={(rotated) => setSecret(rotated.secret)}
      onClose={onClose}
    >
      <p>For 24 hours calls have a signature of both secrets. Afterwards only the new one signs.</p>
    </ConfirmDialog>
  );
}

function DeleteEndpoint({ endpointId, onClose }: DialogProps) {
  const navigate = useNavigate();
  const params = { path: { endpointId } };
  return (
    <ConfirmDialog
      title="Delete the endpoint?"
      action="Delete"
      run={() => unwrap(api.DELETE('/v1/webhook-endpoints/{endpointId}', { params }))}
      done="The endpoint is deleted."
      then={async () => {
        await navigate({ to: '/webhooks' });
        queries.removeQueries({ queryKey: endpointQuery(endpointId).queryKey });
        await queries.invalidateQueries({ queryKey: WEBHOOKS });
      }}
      onClose={onClose}
    >
      <p>Its deliveries are deleted too. This cannot be undone. The event log stays.</p>
    </ConfirmDialog>
  );
}
