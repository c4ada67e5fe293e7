import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { messageOf } from '../../ui/messages';
import { Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import type { Workflow } from './draft';

export function DeleteWorkflow({ workflow }: { workflow: Workflow }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { workflowId } = workflow;
  const deletion = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v2/workflows/{workflowId}', { params: { path: { workflowId } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['workflows'] });
      showToast('The workflow is deleted.');
      void navigate({ to: '/workflows', ignoreBlocker: true });
    },
  });
  return (
    <Section title="Delete the workflow">
      <p>Triggers of a deleted workflow are refused. Notifications that are under way go on.</p>
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          Delete workflow
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete “${workflow.name}”?`}
          action="Delete"
          isBusy={deletion.isPending}
          error={deletion.error && <Alert tone="bad">{messageOf(deletion.error)}</Alert>}
          onConfirm={() => deletion.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {workflow.lastTriggeredAt ? (
              <>
                It was triggered last <Time at={workflow.lastTriggeredAt} relative />.
              </>
            ) : (
              'It was never triggered.'
            )}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
