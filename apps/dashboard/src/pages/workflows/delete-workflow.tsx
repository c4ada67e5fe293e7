import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Section } from '../../ui/page';
import { Time } from '../../ui/time';
import type { Workflow } from './draft';

export function DeleteWorkflow({ workflow }: { workflow: Workflow }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { workflowId } = workflow;
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
          run={() => unwrap(api.DELETE('/v2/workflows/{workflowId}', { params: { path: { workflowId } } }))}
          stale={['workflows']}
          done="The workflow is deleted."
          then={() => navigate({ to: '/workflows', ignoreBlocker: true })}
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
