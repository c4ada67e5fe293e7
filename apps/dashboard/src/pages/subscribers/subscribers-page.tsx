import { Page } from '../../ui/page';

export function SubscribersPage() {
  return <Page title="Subscribers">{null}</Page>;
}
