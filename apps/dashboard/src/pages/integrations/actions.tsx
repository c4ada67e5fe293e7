import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Alert, Loaded, messageOf, Skeleton } from '../../ui/page';
import { plural } from '../../ui/time';
import { checkIntegration, deleteIntegration, type Integration, INTEGRATIONS, usageQuery } from './data';

export function CheckButton({ integration }: { integration: Integration }) {
  const [isOpen, setOpen] = useState(false);
  const check = useMutation({ mutationFn: () => checkIntegration(integration._id) });
  const begin = (): void => {
    setOpen(true);
    check.mutate();
  };
  return (
    <>
      <Button aria-label={`Check ${integration.name}`} onClick={begin}>
        Check
      </Button>
      {isOpen && (
        <Dialog
          title={`Check of ${integration.name}`}
          onClose={() => setOpen(false)}
          footer={
            <>
              <Button isBusy={check.isPending} onClick={() => check.mutate()}>
                Check again
              </Button>
              <Button kind="primary" onClick={() => setOpen(false)}>
                Close
              </Button>
            </>
          }
        >
          {check.isPending && <Skeleton lines={2} />}
          {check.error && <Alert tone="bad">{messageOf(check.error)}</Alert>}
          {check.data && !check.isPending && <Alert tone={check.data.ok ? 'good' : 'bad'}>{check.data.message}</Alert>}
          {check.data?.asked && <p>This is the answer of the provider to a call that sends no message.</p>}
        </Dialog>
      )}
    </>
  );
}

/** Deletes the integration after it showed what uses it. */
export function DeleteButton({ integration }: { integration: Integration }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${integration.name}?`}
          action="Delete"
          run={async () => {
            await deleteIntegration(integration._id);
            // Before the lists are read again: this page would ask for an integration that is gone.
            await navigate({ to: '/integrations', search: {} });
          }}
          stale={INTEGRATIONS}
          done={`${integration.name} is deleted.`}
          onClose={() => setAsking(false)}
        >
          <Usage id={integration._id} />
        </ConfirmDialog>
      )}
    </>
  );
}

function Usage({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(usageQuery(id))}>
      {(usage) => {
        const lines = linesOf(usage);
        return (
          <>
            <p>Its credentials are erased. The history of its messages stays.</p>
            {lines.length === 0 ? <p>Nothing uses it.</p> : lines.map((line) => <p key={line}>{line}</p>)}
          </>
        );
      }}
    </Loaded>
  );
}

function linesOf(usage: Schemas['IntegrationUsageDto']): string[] {
  const { lastOfChannel, workflows, workflowNames, subscribers, waitingSteps } = usage;
  return [
    lastOfChannel &&
      `It is the last active integration of its channel: ${plural(workflows, 'workflow')} cannot send there.`,
    !lastOfChannel &&
      workflows > 0 &&
      `${plural(workflows, 'workflow')} of its channel use other integrations: ${workflowNames.join(', ')}.`,
    subscribers > 0 && `${plural(subscribers, 'subscriber')} with credentials for it lose them.`,
    waitingSteps > 0 && `${plural(waitingSteps, 'step')} that wait for it go on with the other integrations.`,
  ].filter((line) => line !== false);
}
