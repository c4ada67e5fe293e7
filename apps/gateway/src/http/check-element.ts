import { type FieldErrors, LIMITS } from '@clarion/contracts';
import { type DtoClass, readDto, type UnknownField } from './compiled-dto';
import { UnfitElement } from './json-body';

export type Checked<T> = ({ valid: true; value: T } | { valid: false; errors: FieldErrors; message: string }) & {
  unknown?: UnknownField[];
};

/**
 * How many faults one call still describes. Afterwards only the first faulty field of each bad element is named, so that
 * thousands of bad elements cost no more than as many good ones.
 */
export class FaultBudget {
  private left: number = LIMITS.describedFaults;

  get limit(): number {
    return this.left;
  }

  spend(faults: number): void {
    this.left -= faults;
  }
}

/** Validates one element of a request by its DTO; a bad element is a value here, not an exception. */
export function checkElement<T extends object>(
  type: DtoClass<T>,
  element: unknown,
  budget: FaultBudget = new FaultBudget(),
): Checked<T> {
  if (element instanceof UnfitElement) return refused(element.errors);
  const read = readDto(type, element, budget.limit);
  if (!('errors' in read)) return { valid: true, ...read };
  budget.spend(Object.keys(read.errors).length);
  return { ...refused(read.errors), ...(read.unknown && { unknown: read.unknown }) };
}

function refused(errors: FieldErrors) {
  return { valid: false as const, errors, message: messagesOf(errors).join('; ') };
}

export const messagesOf = (errors: FieldErrors): string[] => Object.values(errors).flatMap(({ messages }) => messages);
