import { queries } from '../api/queries';
import { Dialog } from '../ui/dialog';
import { SignInForm } from './sign-in-form';

/** Asks for the key again over the page, which keeps what was typed. */
export default function SessionEndedDialog() {
  return (
    <Dialog title="Your session has ended" onClose={() => undefined}>
      <p>Sign in again to go on. What you have typed on this page is kept.</p>
      <SignInForm onSignedIn={() => void queries.invalidateQueries()} />
    </Dialog>
  );
}
