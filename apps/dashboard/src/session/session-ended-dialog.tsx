import { queries } from '../api/queries';
import { Dialog } from '../ui/dialog';
import { useStore } from '../ui/store';
import { endedSession } from './ended';
import { SignInForm } from './sign-in-form';

/** Asks for the key again over the page, which keeps what was typed. */
export function SessionEndedDialog() {
  if (!useStore(endedSession)) return null;
  return (
    <Dialog title="Your session has ended" onClose={() => undefined}>
      <p>Sign in again to go on. What you have typed on this page is kept.</p>
      <SignInForm onSignedIn={() => void queries.invalidateQueries()} />
    </Dialog>
  );
}
