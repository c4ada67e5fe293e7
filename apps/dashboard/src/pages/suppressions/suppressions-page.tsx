import { Page } from '../../ui/page';

export function SuppressionsPage() {
  return <Page title="Suppressions">{null}</Page>;
}
