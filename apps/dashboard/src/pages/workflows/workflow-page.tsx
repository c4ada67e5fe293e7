import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/button';
import { Empty, UnloadedPage } from '../../ui/page';
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
      <Empty title="This workflow does not exist">
        <p>It may have been deleted, or it is in another environment.</p>
        <ButtonLink to="/workflows">Show all workflows</ButtonLink>
      </Empty>
    </UnloadedPage>
  );
}
