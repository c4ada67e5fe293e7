import { Page } from '../../ui/page';

export function SubscriberPage() {
  return <Page title="Subscriber">{null}</Page>;
}
