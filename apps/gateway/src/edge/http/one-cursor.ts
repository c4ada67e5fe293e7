import { DomainError, type FieldErrors } from '@clarion/contracts';

export function oneCursor(query: { after?: string; before?: string }): void {
  if (query.after !== undefined && query.before !== undefined) {
    const message = 'Cannot specify both "before" and "after" cursors at the same time.';
    const errors: FieldErrors = { after: { messages: [message] }, before: { messages: [message] } };
    throw new DomainError('bad_request', message, { errors });
  }
}
