import type { ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../api/error';
import { Button } from './button';
import { Page } from './page';
import { Alert, messageOf } from './states';

/** Shown instead of a page that could not be drawn. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = error instanceof ApiError || error instanceof TypeError ? messageOf(error) : String(error);
  return (
    <Page title="This page cannot be shown">
      <Alert tone="bad" action={<Button onClick={reset}>Try again</Button>}>
        {text}
      </Alert>
    </Page>
  );
}
