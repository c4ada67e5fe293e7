import { Page } from '../../ui/page';

export function NotificationPage() {
  return <Page title="Notification">{null}</Page>;
}
