import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button';
import { Form, TextField } from '../ui/field';
import { signIn } from './session';

/** The key leaves the page only in the body of one request; it is not stored. */
export function SignInForm({ onSignedIn }: { onSignedIn(): void }) {
  const [key, setKey] = useState('');
  const attempt = useMutation({
    mutationFn: () => signIn({ apiKey: key.trim() }),
    onSuccess: () => {
      setKey('');
      onSignedIn();
    },
  });
  return (
    <Form onSubmit={() => attempt.mutate()} error={attempt.error}>
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        value={key}
        onChange={setKey}
        required
        hint="`npm start` prints the first one. It is exchanged for a session and not stored in the browser."
      />
      <Button type="submit" kind="primary" isBusy={attempt.isPending}>
        Sign in
      </Button>
    </Form>
  );
}
