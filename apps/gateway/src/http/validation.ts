import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { DomainError, type FieldErrors } from '@clarion/contracts';

/** Validates every body and query against its DTO; unknown keys are dropped, as callers of this interface expect. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    exceptionFactory: (faults) => validationError(faults),
  });
}

export function validationError(faults: ValidationError[]): DomainError {
  return new DomainError('unprocessable', 'Validation Error', { errors: fieldErrorsOf(faults) });
}

export function fieldErrorsOf(faults: ValidationError[], parent = ''): FieldErrors {
  const errors: FieldErrors = {};
  for (const fault of faults) {
    const path = parent === '' ? fault.property : `${parent}.${fault.property}`;
    const messages = Object.values(fault.constraints ?? {});
    if (messages.length > 0) errors[path] = { messages, ...(isPlain(fault.value) && { value: fault.value }) };
    Object.assign(errors, fieldErrorsOf(fault.children ?? [], path));
  }
  return errors;
}

/** Only short plain values are echoed: enough to find the fault, never a whole body or a secret object. */
export function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= 100)
  );
}
