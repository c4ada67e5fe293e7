import { ButtonLink } from './button';
import { Page } from './page';

export function PageMissing() {
  return (
    <Page title="Page not found">
      <p>There is no such page. It may have been deleted, or the link is incomplete.</p>
      <div>
        <ButtonLink to="/overview">Go to the overview</ButtonLink>
      </div>
    </Page>
  );
}
