import { Page } from '../../ui/page';

export function ActivityPage() {
  return <Page title="Activity">{null}</Page>;
}
