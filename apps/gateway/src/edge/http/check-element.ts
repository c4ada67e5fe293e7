import { type FieldErrors, LIMITS } from '@clarion/contracts';
import { type DtoClass, readDto, type UnknownField } from './compiled-dto';
import { InvalidElement } from './json-body';

export type Checked<T> = ({ valid: true; value: T } | { valid: false; errors: FieldErrors; message: string }) & {
  unknown?: UnknownField[];
};

/** How many more faults a call may describe; then only the first faulty field of each element is named. */
export class FaultBudget {
  private left: number = LIMITS.describedFaults;

  get limit(): number {
    return this.left;
  }

  spend(faults: number): void {
    this.left -= faults;
  }
}

/** Validates one element of a request by its DTO. An invalid element is a returned value, not an exception. */
export function checkElement<T extends object>(
  type: DtoClass<T>,
  element: unknown,
  budget: FaultBudget = new FaultBudget(),
): Checked<T> {
  if (element instanceof InvalidElement) return refused(element.errors);
  const read = readDto(type, element, budget.limit);
  if (!('errors' in read)) return { valid: true, ...read };
  budget.spend(Object.keys(read.errors).length);
  return { ...refused(read.errors), ...(read.unknown && { unknown: read.unknown }) };
}

function refused(errors: FieldErrors) {
  return { valid: false as const, errors, message: messagesOf(errors).join('; ') };
}

export const messagesOf = (errors: FieldErrors): string[] => Object.values(errors).flatMap(({ messages }) => messages);
