import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

/**
 * The fast lane of validation. class-validator collects the rules of a class anew for every object and builds an error for
 * every property before it looks at any; class-transformer copies every payload. With a hundred events in a call that is most
 * of the work. Here the same rules, read from the same decorators, are put in order once per class and run one after another.
 *
 * It only ever says "this is fine, here it is": whatever is not goes through the slow lane, which finds the words.
 */
type Dto = object;
type DtoClass<T extends Dto> = new () => T;

type Field = {
  name: string;
  conditions: ((object: Dto, value: unknown) => boolean)[];
  transforms: ((parameters: { value: unknown; key: string; obj: unknown }) => unknown)[];
  checks: { each: boolean; constraints: unknown[]; validate: (value: unknown, args: ValidationArguments) => unknown }[];
  nested: (() => DtoClass<Dto>) | undefined;
};

const compiled = new Map<DtoClass<Dto>, Field[]>();

/** The object as its class says, unknown keys left out; undefined when any rule is broken. */
export function readDto<T extends Dto>(type: DtoClass<T>, plain: unknown): T | undefined {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return undefined;
  const source = plain as Record<string, unknown>;
  const target = new type() as Record<string, unknown>;
  for (const field of fieldsOf(type)) {
    if (source[field.name] !== undefined || Object.hasOwn(source, field.name)) {
      let value = source[field.name];
      for (const transform of field.transforms) value = transform({ value, key: field.name, obj: source });
      target[field.name] = value;
    }
    if (!isFine(field, type, target)) return undefined;
  }
  return target as T;
}

function isFine(field: Field, type: DtoClass<Dto>, target: Record<string, unknown>): boolean {
  const value = target[field.name];
  for (const condition of field.conditions) if (!condition(target, value)) return true;
  for (const { each, constraints, validate } of field.checks) {
    const args = { value, constraints, targetName: type.name, object: target, property: field.name };
    if (each && Array.isArray(value)) {
      for (const item of value) if (validate(item, args) !== true) return false;
    } else if (validate(value, args) !== true) return false;
  }
  if (!field.nested || value === undefined || value === null) return true;
  const nestedType = field.nested();
  if (!Array.isArray(value)) return (target[field.name] = readDto(nestedType, value)) !== undefined;
  const items: Dto[] = [];
  for (const item of value) {
    const read = readDto(nestedType, item);
    if (!read) return false;
    items.push(read);
  }
  target[field.name] = items;
  return true;
}

function fieldsOf(type: DtoClass<Dto>): Field[] {
  let fields = compiled.get(type);
  if (!fields) compiled.set(type, (fields = compile(type)));
  return fields;
}

function compile(type: DtoClass<Dto>): Field[] {
  const storage = getMetadataStorage();
  const metadatas = storage.getTargetValidationMetadatas(type, '', false, false);
  return Object.entries(storage.groupByPropertyName(metadatas)).map(([name, rules]) => {
    const nested = rules.find((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
    const nestedType = nested && defaultMetadataStorage.findTypeMetadata(type, name);
    return {
      name,
      conditions: rules
        .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
        .map((rule) => rule.constraints[0] as Field['conditions'][number]),
      transforms: defaultMetadataStorage
        .findTransformMetadatas(type, name, PLAIN_TO_CLASS)
        .map((metadata) => metadata.transformFn as unknown as Field['transforms'][number]),
      checks: rules
        .filter((rule) => Boolean(rule.constraintCls))
        .flatMap((rule) =>
          storage.getTargetValidatorConstraints(rule.constraintCls).map(({ instance }) => ({
            each: rule.each,
            constraints: rule.constraints as unknown[],
            validate: (value: unknown, args: ValidationArguments) => instance.validate(value, args),
          })),
        ),
      nested: nestedType && (() => nestedType.typeFunction() as DtoClass<Dto>),
    };
  });
}

/** TransformationType.PLAIN_TO_CLASS of class-transformer. */
const PLAIN_TO_CLASS = 0;
