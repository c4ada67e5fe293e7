import { Page } from '../../ui/page';

export function OutboxPage() {
  return <Page title="Outbox">{null}</Page>;
}
