import { Alert } from './alert';
import { Button } from './button';
import { messageOf } from './messages';

/** Shown instead of data that could not be loaded. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Alert tone="bad" action={<Button onClick={onRetry}>Try again</Button>}>
      {messageOf(error)}
    </Alert>
  );
}
