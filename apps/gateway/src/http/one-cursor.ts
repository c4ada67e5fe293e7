import { DomainError } from '@clarion/contracts';

export function oneCursor(query: { after?: string; before?: string }): void {
  if (query.after !== undefined && query.before !== undefined) {
    throw new DomainError('bad_request', 'Cannot specify both "before" and "after" cursors at the same time.');
  }
}
