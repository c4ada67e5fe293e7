import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { UnloadedPage, NoSuch } from '../../ui/page';
import { stepTypesQuery, workflowQuery } from './queries';
import { WorkflowEditor } from './workflow-editor';

export function WorkflowPage() {
  const { workflowId } = useParams({ from: '/signed-in/workflows/$workflowId' });
  const workflow = useQuery(workflowQuery(workflowId));
  const types = useQuery(stepTypesQuery);
  if (workflow.data && types.data) {
    return <WorkflowEditor key={workflow.data._id} loaded={workflow.data} types={types.data} />;
  }
  const both = {
    error: workflow.error ?? types.error,
    refetch: () => Promise.all([workflow.refetch(), types.refetch()]),
  };
  return (
    <UnloadedPage title="Workflow" query={both}>
      <NoSuch thing="workflow" to="/workflows" />
    </UnloadedPage>
  );
}
