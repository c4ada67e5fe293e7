import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line says that is written on the way of one request. */
export type LogFields = Record<string, unknown>;

const current = new AsyncLocalStorage<LogFields>();

/** Lines that are written by the work, however deep, carry the fields; also those that are added to them meanwhile. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T => current.run(fields, work);

/** Something that became known on the way. Without a request there is nobody to tell. */
export function addLogFields(fields: LogFields): void {
  const known = current.getStore();
  if (known) Object.assign(known, fields);
}

/** A copy, because the logger writes its own fields into it. */
export const logFields = (): LogFields => ({ ...current.getStore() });
