import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fieldErrorsOf } from './validation';

export type Checked<T> = { valid: true; value: T } | { valid: false; message: string };

/** Validates one element of a bulk request by its DTO; a bad element is a value here, not an exception. */
export function checkElement<T extends object>(type: new () => T, element: unknown): Checked<T> {
  if (typeof element !== 'object' || element === null || Array.isArray(element))
    return { valid: false, message: 'must be an object' };
  const value = plainToInstance(type, element);
  const faults = validateSync(value, { whitelist: true, forbidUnknownValues: true });
  if (faults.length === 0) return { valid: true, value };
  return {
    valid: false,
    message: Object.values(fieldErrorsOf(faults))
      .flatMap(({ messages }) => messages)
      .join('; '),
  };
}
