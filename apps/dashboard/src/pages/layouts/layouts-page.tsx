import { Page } from '../../ui/page';

export function LayoutsPage() {
  return <Page title="Layouts">{null}</Page>;
}
