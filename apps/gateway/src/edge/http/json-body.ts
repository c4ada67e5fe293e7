import { isUtf8 } from 'node:buffer';
import {
  DomainError,
  endOfText,
  type FieldErrors,
  fieldErrors,
  holdsMoreValuesThan,
  isJsonObject,
  LIMITS,
  TimeSlices,
} from '@clarion/contracts';
import { isExact, LARGEST_NUMBER } from './exact-numbers';

/**
 * Parses a JSON body and checks what it holds before any handler reads it. Postgres rejects NUL bytes and lone
 * surrogates in jsonb, deep nesting breaks JSON.stringify, a double does not hold every integer past 2^53, an
 * assignment to `__proto__` replaces a prototype, and the work of a request grows with the number of values. A fault is
 * reported with its path.
 */
export function parseJsonBody(text: string, bulkList?: BulkList): unknown {
  refuseManyValues(text, bulkList);
  const value = parsed(text);
  const numbers = new Numbers(text);
  const list = checked(value, numbers, bulkList);
  for (const at of list.keys()) replaceInvalid(list, at, numbers, bulkList!.id);
  return value;
}

/** The same for a large body. Other requests are served in between, and before the handler runs. */
export async function parseLargeBody(body: Buffer, bulkList?: BulkList): Promise<unknown> {
  const slices = new TimeSlices();
  await slices.pause();
  const text = textOf(body);
  await slices.pause();
  refuseManyValues(text, bulkList);
  await slices.pause();
  const value = parsed(text);
  await slices.pause();
  const numbers = new Numbers(text);
  const list = checked(value, numbers, bulkList);
  for (const at of list.keys()) {
    replaceInvalid(list, at, numbers, bulkList!.id);
    await slices.rest();
  }
  await slices.pause();
  return value;
}

export function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new DomainError('bad_request', 'The body is not valid UTF-8');
  return body.toString('utf8');
}

function refuseManyValues(text: string, bulkList: BulkList | undefined): void {
  const most = bulkList ? LIMITS.bulkJsonValues : LIMITS.jsonValues;
  // A value takes two characters, so the usual body does not pay for the scan.
  if (text.length > 2 * most && holdsMoreValuesThan(most, text)) {
    throw refusalOf({ path: [], reason: `holds more than ${most} values` });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DomainError(
      'bad_request',
      `The body is not valid JSON: ${error instanceof Error ? error.message : 'syntax error'}`,
    );
  }
}

/** Returns the bulk list, whose elements are not checked yet. */
function checked(value: unknown, numbers: Numbers, bulkList: BulkList | undefined): unknown[] {
  const fault = faultIn(value, 0, { left: LIMITS.jsonValues, numbers }, bulkList);
  if (fault) throw refusalOf(fault);
  const list = bulkList && isJsonObject(value) && Object.hasOwn(value, bulkList.list) ? value[bulkList.list] : [];
  return isArray(list) ? list : [];
}

/** A list in a body whose elements are validated one by one, so that an invalid element does not fail the others. */
export type BulkList = { list: string; /** The member by which callers recognize an element. */ id: string };

/** Replaces an element of a bulk list that breaks a rule of this file. Nothing else of the element is read. */
export class InvalidElement {
  readonly #element: object;

  constructor(
    element: object,
    readonly id: string | undefined,
    readonly errors: FieldErrors,
  ) {
    this.#element = element;
  }

  /** The element as it was sent. Only for measuring its size. */
  get element(): object {
    return this.#element;
  }
}

/** Applies the same rules to texts outside the body: query and path parameters. */
export function checkText(value: string, path: string): void {
  const reason = textFault(value);
  if (reason) throw refusalOf({ path: [path], reason });
}

/** Resolved once: looking these functions up for each of a million values takes as long as the checks. */
const { isArray } = Array;
const { isFinite, isInteger, isSafeInteger } = Number;
const { abs } = Math;
const { keys: keysOf } = Object;

/** `path` is in reverse order, because it is built while the recursion returns. Values without a fault cost nothing. */
type Fault = { path: string[]; reason: string };

type Budget = { left: number; numbers: Numbers };

function faultIn(value: unknown, depth: number, budget: Budget, bulkList?: BulkList): Fault | undefined {
  if ((budget.left -= 1) < 0) return { path: [], reason: `holds more than ${LIMITS.jsonValues} values` };
  if (typeof value === 'string') return faultOf(textFault(value));
  if (typeof value === 'number') return faultOf(numberFault(value, budget.numbers));
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= LIMITS.jsonDepth) return { path: [], reason: `is nested deeper than ${LIMITS.jsonDepth} levels` };
  if (isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultIn(value[index], depth + 1, budget);
      if (fault) return appendKey(fault, String(index));
    }
    return undefined;
  }
  const object = value as Record<string, unknown>;
  for (const key of keysOf(object)) {
    const keyFault = key === '__proto__' ? 'is not allowed as a key' : textFault(key);
    if (keyFault) return { path: [key === '__proto__' ? key : 'key'], reason: keyFault };
    const member = object[key];
    if (bulkList?.list === key && isArray(member)) continue;
    const fault = faultIn(member, depth + 1, budget);
    if (fault) return appendKey(fault, key);
  }
  return undefined;
}

function replaceInvalid(list: unknown[], index: number, numbers: Numbers, id: string): void {
  const element = list[index];
  const fault = faultIn(element, 0, { left: LIMITS.jsonValues, numbers });
  if (fault) list[index] = invalidElement(element, fault, id);
}

function invalidElement(element: unknown, fault: Fault, id: string): InvalidElement {
  if (!isJsonObject(element)) {
    return new InvalidElement({}, undefined, fieldErrors('general', 'must be an object').errors);
  }
  const known = element[id];
  return new InvalidElement(
    element,
    typeof known === 'string' && !textFault(known) ? known : undefined,
    errorsOf(fault),
  );
}

function textFault(value: string): string | undefined {
  if (value.includes('\0')) return 'must not contain NUL characters';
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode (it holds a lone surrogate)';
}

/** Postgres stores a number with all its digits and decimal places: `1e307` and `1e-307` become 300 characters. */
const SMALLEST = 1e-30;

function numberFault(value: number, numbers: Numbers): string | undefined {
  if (value !== 0 && value < SMALLEST && value > -SMALLEST) return 'has too many decimal places: send it as a string';
  if (isFinite(value) && abs(value) > LARGEST_NUMBER) return 'has too many digits: send it as a string';
  const isKept = isInteger(value) ? isSafeInteger(value) || !numbers.isInexact(value) : isFinite(value);
  return isKept ? undefined : 'is a number beyond 2^53 and would lose digits: send it as a string';
}

/** The numbers of a body that a double does not hold. The text is read when the first large integer is found. */
class Numbers {
  private inexact?: Set<number>;

  constructor(private readonly text: string) {}

  isInexact(value: number): boolean {
    return (this.inexact ??= this.find()).has(value);
  }

  private find(): Set<number> {
    const found = new Set<number>();
    for (let at = 0; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) at = endOfText(this.text, at);
      if (code !== MINUS && (code < ZERO || code > NINE)) continue;
      const literal = /[\d.eE+-]+/y;
      literal.lastIndex = at;
      const [text] = literal.exec(this.text)!;
      if (!isExact(text)) found.add(Number(text));
      at += text.length - 1;
    }
    return found;
  }
}

const faultOf = (reason: string | undefined): Fault | undefined => (reason ? { path: [], reason } : undefined);

function appendKey(fault: Fault, key: string): Fault {
  fault.path.push(key);
  return fault;
}

function errorsOf({ path, reason }: Fault): FieldErrors {
  const field = path.length === 0 ? 'body' : path.reverse().join('.');
  return fieldErrors(field, `${field} ${reason}`).errors;
}

function refusalOf(fault: Fault): DomainError {
  const errors = errorsOf(fault);
  return new DomainError('bad_request', Object.values(errors)[0]!.messages[0]!, { errors });
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
