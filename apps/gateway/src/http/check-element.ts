import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { FieldErrors } from '@clarion/contracts';
import { readDto } from './compiled-dto';
import { fieldErrorsOf } from './validation';

export type Checked<T> = { valid: true; value: T } | { valid: false; errors: FieldErrors; message: string };

/** Validates one element of a bulk request by its DTO; a bad element is a value here, not an exception. */
export function checkElement<T extends object>(type: new () => T, element: unknown): Checked<T> {
  const value = readDto(type, element);
  return value ? { valid: true, value } : describeFaults(type, element);
}

function describeFaults<T extends object>(type: new () => T, element: unknown): Checked<T> {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) {
    return { valid: false, message: 'must be an object', errors: { general: { messages: ['must be an object'] } } };
  }
  const errors = fieldErrorsOf(
    validateSync(plainToInstance(type, element), { whitelist: true, forbidUnknownValues: true }),
  );
  const message = Object.values(errors)
    .flatMap(({ messages }) => messages)
    .join('; ');
  return { valid: false, errors, message };
}
