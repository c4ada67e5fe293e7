import { DomainError, LIMITS } from '@clarion/contracts';

/**
 * What a JSON body may hold. Postgres refuses NUL bytes and lone surrogates in jsonb, deep nesting breaks JSON.stringify,
 * integers past 2^53 lose digits, and the validation drops some keys without a word. Each is refused here, by name, before
 * any handler sees it, so nothing behind this line has to think about them.
 */
export function parseJsonBody(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError(
      'bad_request',
      `The body is not valid JSON: ${error instanceof Error ? error.message : 'syntax error'}`,
    );
  }
  checkValue(value, '', 0);
  return value;
}

/** The same rules for texts that come outside the body: query and path parameters. */
export function checkText(value: string, path: string): void {
  if (value.includes('\0')) throw refuse(path, 'must not contain NUL characters');
  if (!value.isWellFormed()) throw refuse(path, 'must be well-formed Unicode (it holds a lone surrogate)');
}

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value === 'number') {
    if (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
      throw refuse(path, 'is a number beyond 2^53 and would lose digits: send it as a string');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= LIMITS.jsonDepth) throw refuse(path, `is nested deeper than ${LIMITS.jsonDepth} levels`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      checkValue(value[index], join(path, String(index)), depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw refuse(join(path, key), 'is not allowed as a key');
    checkText(key, join(path, 'key'));
    checkValue((value as Record<string, unknown>)[key], join(path, key), depth + 1);
  }
}

/** Nest and class-transformer take these for an attack and leave them out, or break. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function refuse(path: string, reason: string): DomainError {
  const field = path === '' ? 'body' : path;
  return new DomainError('bad_request', `${field} ${reason}`, {
    errors: { [field]: { messages: [`${field} ${reason}`] } },
  });
}
