import { AsyncLocalStorage } from 'node:async_hooks';

export type LogFields = Record<string, unknown>;

const current = new AsyncLocalStorage<LogFields>();

/** Log lines written during `work` carry the fields, including fields that are added later. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T => current.run(fields, work);

/** Adds fields to the current request. Does nothing outside of a request. */
export function addLogFields(fields: LogFields): void {
  const known = current.getStore();
  if (known) Object.assign(known, fields);
}

/** A copy, because the logger modifies it. */
export const logFields = (): LogFields => ({ ...current.getStore() });
