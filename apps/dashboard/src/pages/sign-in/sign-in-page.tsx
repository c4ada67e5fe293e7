import { useNavigate, useSearch } from '@tanstack/react-router';
import { SignInForm } from '../../session/sign-in-form';
import { Alert, Page } from '../../ui/page';
import styles from './sign-in.module.css';

export function SignInPage() {
  const { next, link } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  return (
    <main className={styles['main']}>
      <div className={styles['card']}>
        <Page title="Sign in">
          {link && (
            <Alert tone="warn">
              This sign-in link was used before or has expired. Sign in with an API key, or restart Clarion for a new
              link.
            </Alert>
          )}
          <SignInForm onSignedIn={() => void navigate({ to: next ?? '/overview', replace: true })} />
        </Page>
      </div>
    </main>
  );
}
