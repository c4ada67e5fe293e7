import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { isStatus } from '../../api/error';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button, ButtonLink } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Facts } from '../../ui/facts';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Page, Section } from '../../ui/page';
import { ShownOnce } from '../../ui/shown-once';
import { PageSkeleton } from '../../ui/skeleton';
import { formatNumber, Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { type Endpoint, endpointQuery, filterText, reloadWebhooks } from './data';
import { Deliveries } from './deliveries';
import { EndpointForm, SECRET_NOTE } from './endpoint-form';
import { EndpointBadge, EndpointNotice } from './endpoint-state';
import { ReplayDialog } from './replay-dialog';
import { SwitchOn } from './switch-on';

/** One webhook endpoint: its state, its filter and what was sent to it. */
export function WebhookPage() {
  const { endpointId } = useParams({ from: '/signed-in/webhooks/$endpointId' });
  const endpoint = useQuery(endpointQuery(endpointId));
  if (endpoint.data) return <EndpointView key={endpointId} endpoint={endpoint.data} />;
  if (!endpoint.isError) return <PageSkeleton />;
  return (
    <Page title="Webhook endpoint">
      {isStatus(endpoint.error, 404, 422) ? (
        <Empty title="This endpoint does not exist">
          <p>It may have been deleted, or it is in another environment.</p>
          <ButtonLink to="/webhooks">Show all endpoints</ButtonLink>
        </Empty>
      ) : (
        <LoadError error={endpoint.error} onRetry={() => void endpoint.refetch()} />
      )}
    </Page>
  );
}

type Open = 'edit' | 'replay' | 'on' | 'off' | 'rotate' | 'delete';

function EndpointView({ endpoint }: { endpoint: Endpoint }) {
  const canWrite = useCanWrite();
  const [open, setOpen] = useState<Open>();
  const params = { path: { endpointId: endpoint._id } };
  const close = () => setOpen(undefined);
  const test = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/webhook-endpoints/{endpointId}/test', { params })),
    onSuccess: async () => {
      await reloadWebhooks();
      showToast('The test is on its way. The deliveries show the answer.');
    },
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
              <>
                signs beside the new one until <Time at={endpoint.previousSecretUntil} />
              </>
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
  const switchOff = useMutation({
    mutationFn: () => {
      const params = { path: { endpointId } };
      return unwrap(api.PATCH('/v1/webhook-endpoints/{endpointId}', { params, body: { active: false } }));
    },
    onSuccess: async () => {
      await reloadWebhooks();
      showToast('The endpoint is off.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Switch the endpoint off?"
      action="Switch off"
      isBusy={switchOff.isPending}
      error={switchOff.error && <Alert tone="bad">{messageOf(switchOff.error)}</Alert>}
      onClose={onClose}
      onConfirm={() => switchOff.mutate()}
    >
      <p>
        It gets no more calls. What happens meanwhile stays in the event log, and the endpoint gets it when it is
        switched on again.
      </p>
    </ConfirmDialog>
  );
}

function RotateSecret({ endpointId, onClose }: DialogProps) {
  const rotate = useMutation({
    mutationFn: () => {
      const params = { path: { endpointId } };
      return unwrap(api.POST('/v1/webhook-endpoints/{endpointId}/rotate-secret', { params }));
    },
    onSuccess: reloadWebhooks,
  });
  if (rotate.data) {
    return (
      <ShownOnce
        title="The secret is replaced"
        label="Signing secret"
        text={rotate.data.secret}
        note={SECRET_NOTE}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Replace the secret?"
      action="Rotate"
      isBusy={rotate.isPending}
      error={rotate.error && <Alert tone="bad">{messageOf(rotate.error)}</Alert>}
      onClose={onClose}
      onConfirm={() => rotate.mutate()}
    >
      <p>For 24 hours calls have a signature of both secrets. Afterwards only the new one signs.</p>
    </ConfirmDialog>
  );
}

function DeleteEndpoint({ endpointId, onClose }: DialogProps) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { endpointId } };
      return unwrap(api.DELETE('/v1/webhook-endpoints/{endpointId}', { params }));
    },
    onSuccess: async () => {
      showToast('The endpoint is deleted.');
      await navigate({ to: '/webhooks' });
      queries.removeQueries({ queryKey: endpointQuery(endpointId).queryKey });
      await reloadWebhooks();
    },
  });
  return (
    <ConfirmDialog
      title="Delete the endpoint?"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error && <Alert tone="bad">{messageOf(remove.error)}</Alert>}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>Its deliveries are deleted too. This cannot be undone. The event log stays.</p>
    </ConfirmDialog>
  );
}
