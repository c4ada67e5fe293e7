import type { FieldErrors } from '@clarion/contracts';
import type { Read } from '../../edge/http/compiled-dto';

/** The faults of a file. A field that does not exist is one: a person would believe that it has an effect. */
export function faultsOf(read: Read<object>): FieldErrors {
  const unknown = (read.unknown ?? []).map(({ path, meant }): [string, FieldErrors[string]] => [
    path,
    { messages: [`${path} is not a field${meant ? `; did you mean ${meant}?` : ''}`] },
  ]);
  return { ...('errors' in read && read.errors), ...Object.fromEntries(unknown) };
}
