import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { NewDialog } from '../../ui/dialog';
import { workflowQuery } from './queries';

export function NewWorkflow({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <NewDialog
      title="New workflow"
      id={{ field: 'workflowId', label: 'Workflow id', hint: 'The name that triggers use.' }}
      create={(name, workflowId) => unwrap(api.POST('/v2/workflows', { body: { name, workflowId, steps: [] } }))}
      onCreated={(workflow) => {
        queries.setQueryData(workflowQuery(workflow.workflowId).queryKey, workflow);
        void queries.invalidateQueries({ queryKey: ['workflows'] });
        void navigate({ to: '/workflows/$workflowId', params: { workflowId: workflow.workflowId } });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
