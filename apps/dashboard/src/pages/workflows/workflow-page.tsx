import { Page } from '../../ui/page';

export function WorkflowPage() {
  return <Page title="Workflow">{null}</Page>;
}
