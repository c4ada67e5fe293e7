import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import { closestName, type FieldErrors, LIMITS, recordedField } from '@clarion/contracts';

/**
 * Reads objects by their DTO class. The decorators of class-validator and class-transformer describe the rules. This
 * file compiles them once per class and runs them, because the two libraries do all other work before they check any
 * limit, collect the rules of a class again for every object, and copy every payload.
 *
 * Limits come first: the content of a list or a text is checked only if its length is allowed, and an object only if
 * the field that holds it is valid. So the limits of a DTO bound the work of a request.
 */
type Dto = object;
export type DtoClass<T extends Dto> = new () => T;

type Rule = {
  name: string;
  each: boolean;
  validate: (value: unknown) => unknown;
  message: (value: unknown) => string;
};

type Field = {
  name: string;
  conditions: ((object: Dto, value: unknown) => boolean)[];
  transform: ((parameters: { value: unknown }) => unknown) | undefined;
  /** Length limits of texts and lists. If one is exceeded, no other rule of the field is checked. */
  limits: Rule[];
  rules: Rule[];
  eachRules: Rule[];
  nested: (() => DtoClass<Dto>) | undefined;
};

type Compiled = { fields: Field[]; names: Set<string> };

/** A key that the class does not declare, by its path, and the declared key that the caller probably meant. */
export type UnknownField = { path: string; meant: string | undefined };

/** The object with its declared keys only; unknown keys are listed apart. `value` is absent if a rule is broken. */
export type Read<T> = { value: T; unknown?: UnknownField[] } | { errors: FieldErrors; unknown?: UnknownField[] };

export function readDto<T extends Dto>(type: DtoClass<T>, plain: unknown, faultLimit: number = LIMITS.describedFaults) {
  return new Reading(faultLimit).readAll(type, plain);
}

export const prefixPaths = (path: string, unknown: UnknownField[] | undefined): UnknownField[] | undefined =>
  unknown?.map((field) => ({ ...field, path: `${path}.${field.path}` }));

export const namesOf = (type: DtoClass<Dto>): ReadonlySet<string> => compiledOf(type).names;

class Reading {
  private errors: FieldErrors | undefined;
  private unknown: UnknownField[] | undefined;
  private readonly path: (string | number)[] = [];
  private objects: number = LIMITS.bodyObjects;

  /** Building a message costs more than finding a fault, so messages are generic when the limit is used up. */
  private readonly isTerse: boolean;

  constructor(private faultsLeft: number) {
    this.isTerse = faultsLeft <= 0;
    if (this.isTerse) this.faultsLeft = 1;
  }

  readAll<T extends Dto>(type: DtoClass<T>, plain: unknown): Read<T> {
    const value = isObject(plain) ? this.read(type, plain) : undefined;
    if (!isObject(plain)) this.refuse('general', ['must be an object']);
    return this.errors
      ? { errors: this.errors, ...(this.unknown && { unknown: this.unknown }) }
      : { value: value as T, ...(this.unknown && { unknown: this.unknown }) };
  }

  private read(type: DtoClass<Dto>, source: Record<string, unknown>): Dto {
    const target = new type() as Record<string, unknown>;
    const { fields, names } = compiledOf(type);
    let present = 0;
    for (const field of fields) {
      if (source[field.name] !== undefined || Object.hasOwn(source, field.name)) {
        present += 1;
        const value = source[field.name];
        target[field.name] = field.transform ? field.transform({ value }) : value;
      }
      this.check(field, target);
      if (this.faultsLeft <= 0) return target;
    }
    const keys = Object.keys(source);
    if (keys.length > present) this.noteUnknown(keys, names);
    return target;
  }

  private check(field: Field, target: Record<string, unknown>): void {
    const value = target[field.name];
    for (const condition of field.conditions) if (!condition(target, value)) return;
    if (!this.holds(field, field.limits, value) || !this.holds(field, field.rules, value)) return;
    this.holds(field, field.eachRules, value);
    if (!field.nested || value === undefined || value === null) return;
    this.path.push(field.name);
    target[field.name] = this.readNested(field.nested(), value);
    this.path.pop();
  }

  private readNested(type: DtoClass<Dto>, value: unknown): unknown {
    if (!Array.isArray(value)) return this.readOne(type, value);
    const items: unknown[] = [];
    for (let index = 0; index < value.length && this.faultsLeft > 0; index += 1) {
      this.path.push(index);
      items.push(this.readOne(type, value[index]));
      this.path.pop();
    }
    return items;
  }

  private readOne(type: DtoClass<Dto>, value: unknown): unknown {
    if (isObject(value) && (this.objects -= 1) >= 0) return this.read(type, value);
    const name = this.path.pop()!;
    this.refuse(name, [isObject(value) ? `body holds more than ${LIMITS.bodyObjects} objects` : 'must be an object']);
    if (isObject(value)) this.faultsLeft = 0;
    this.path.push(name);
    return undefined;
  }

  private holds(field: Field, rules: Rule[], value: unknown): boolean {
    let broken: Record<string, string> | undefined;
    for (const rule of rules) {
      if (holdsFor(rule, value)) continue;
      broken ??= {};
      broken[rule.name] = this.isTerse ? `${field.name} is not valid` : rule.message(value);
      if (this.isTerse) break;
    }
    if (!broken) return true;
    this.refuse(field.name, Object.values(broken), value);
    return false;
  }

  private refuse(name: string | number, messages: string[], value?: unknown): void {
    this.errors ??= {};
    this.errors[this.pathTo(name)] = { messages, ...(value !== undefined && isPlain(value) && { value }) };
    this.faultsLeft -= 1;
  }

  private noteUnknown(keys: string[], names: ReadonlySet<string>): void {
    this.unknown ??= [];
    for (const key of keys) {
      if (this.unknown.length >= LIMITS.unknownFields) return;
      if (!names.has(key)) this.unknown.push({ path: this.pathTo(key), meant: closestName(key, names) });
    }
  }

  private pathTo(name: string | number): string {
    return this.path.length === 0 ? String(name) : `${this.path.join('.')}.${name}`;
  }
}

function holdsFor(rule: Rule, value: unknown): boolean {
  if (!rule.each || !Array.isArray(value)) return rule.validate(value) === true;
  for (const item of value) if (rule.validate(item) !== true) return false;
  return true;
}

/** Errors repeat short plain values only: enough to find the fault, never a whole body or an object with secrets. */
function isPlain(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= 100)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const compiled = new Map<DtoClass<Dto>, Compiled>();

function compiledOf(type: DtoClass<Dto>): Compiled {
  let known = compiled.get(type);
  if (!known) {
    const fields = compile(type);
    compiled.set(type, (known = { fields, names: new Set(fields.map(({ name }) => name)) }));
  }
  return known;
}

function compile(type: DtoClass<Dto>): Field[] {
  const storage = getMetadataStorage();
  const metadatas = storage.getTargetValidationMetadatas(type, '', false, false);
  return Object.entries(storage.groupByPropertyName(metadatas)).map(([name, given]) => {
    const nested = given.find((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
    const field = recordedField(type, name);
    const nestedType = nested && field.nested;
    const rules = given
      .filter((rule) => Boolean(rule.constraintCls))
      .flatMap((rule) => {
        // Built once: no rule in this project reads the object around a value, and the message gets the value.
        const args = { value: undefined, constraints: rule.constraints as unknown[], targetName: type.name };
        const about: ValidationArguments = { ...args, object: {}, property: name };
        return storage.getTargetValidatorConstraints(rule.constraintCls).map(({ name: ruleName, instance }): Rule => ({
          name: ruleName,
          each: rule.each,
          validate: (value) => instance.validate(value, about),
          message: (value) => worded(rule.message || (instance.defaultMessage?.(about) ?? ''), { ...about, value }),
        }));
      });
    const limits = rules.filter(isLimit).map(applyToItsKind);
    const eachRules = rules.filter((rule) => rule.each);
    if ((eachRules.length > 0 || nestedType) && !limits.some((rule) => rule.name === 'arrayMaxSize')) {
      limits.push(defaultListLimit(name));
    }
    return {
      name,
      conditions: given
        .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
        .map((rule) => rule.constraints[0] as Field['conditions'][number]),
      transform: field.transform,
      limits,
      rules: rules.filter((rule) => !rule.each),
      eachRules,
      nested: nestedType,
    };
  });
}

const isLimit = ({ name, each }: Rule): boolean => !each && (name === 'maxLength' || name === 'arrayMaxSize');

/** `maxLength` also fails for a number. It applies to texts and lists only; the type rules reject the rest. */
const applyToItsKind = (rule: Rule): Rule => ({
  ...rule,
  validate: (value) => (typeof value === 'string' || Array.isArray(value) ? rule.validate(value) : true),
});

const defaultListLimit = (field: string): Rule => ({
  name: 'arrayMaxSize',
  each: false,
  validate: (value) => !Array.isArray(value) || value.length <= LIMITS.listElements,
  message: () => `${field} must contain no more than ${LIMITS.listElements} elements`,
});

/** The message with the name of the field and the limits, which class-validator leaves to be filled in. */
function worded(message: string | ((about: ValidationArguments) => string), about: ValidationArguments): string {
  const text = typeof message === 'string' ? message : message(about);
  return text
    .replace(/\$constraint(\d+)/g, (_, index: string) => [about.constraints[Number(index) - 1]].flat().join(', '))
    .replaceAll('$property', () => about.property);
}
