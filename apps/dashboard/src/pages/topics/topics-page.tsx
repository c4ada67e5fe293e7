import { Page } from '../../ui/page';

export function TopicsPage() {
  return <Page title="Topics">{null}</Page>;
}
