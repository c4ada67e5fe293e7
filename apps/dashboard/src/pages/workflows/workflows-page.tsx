import { Page } from '../../ui/page';

export function WorkflowsPage() {
  return <Page title="Workflows">{null}</Page>;
}
