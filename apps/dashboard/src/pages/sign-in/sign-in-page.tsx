import { useNavigate, useSearch } from '@tanstack/react-router';
import { SignInForm } from '../../session/sign-in-form';
import { Page } from '../../ui/page';
import styles from './sign-in.module.css';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  return (
    <main className={styles['main']}>
      <div className={styles['card']}>
        <Page title="Sign in">
          <SignInForm onSignedIn={() => void navigate({ to: next ?? '/overview', replace: true })} />
        </Page>
      </div>
    </main>
  );
}
