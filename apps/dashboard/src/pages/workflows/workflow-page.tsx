import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isStatus } from '../../api/error';
import { ButtonLink } from '../../ui/button';
import { Empty, LoadError, Page, PageSkeleton } from '../../ui/page';
import { stepTypesQuery, workflowQuery } from './queries';
import { WorkflowEditor } from './workflow-editor';

export function WorkflowPage() {
  const { workflowId } = useParams({ from: '/signed-in/workflows/$workflowId' });
  const workflow = useQuery(workflowQuery(workflowId));
  const types = useQuery(stepTypesQuery);
  const error = workflow.error ?? types.error;
  if (workflow.data && types.data) {
    return <WorkflowEditor key={workflow.data._id} loaded={workflow.data} types={types.data} />;
  }
  if (!error) return <PageSkeleton />;
  return (
    <Page title="Workflow">
      {isStatus(error, 404) ? (
        <Empty title="This workflow does not exist">
          <p>It may have been deleted, or it is in another environment.</p>
          <ButtonLink to="/workflows">Show all workflows</ButtonLink>
        </Empty>
      ) : (
        <LoadError
          error={error}
          onRetry={() => {
            void workflow.refetch();
            void types.refetch();
          }}
        />
      )}
    </Page>
  );
}
