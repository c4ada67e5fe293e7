import { Transform, Type } from 'class-transformer';
import { applyDecorators } from './apply-decorators';

/** class-transformer has no public function for its table, and the gateway reads bodies by this one. */
type RecordedField = {
  transform?: (parameters: { value: unknown }) => unknown;
  /** The class of the object, or of the elements of the list. */
  nested?: () => new () => object;
};

const recorded = new WeakMap<object, Map<string, RecordedField>>();

const record =
  (field: RecordedField): PropertyDecorator =>
  (prototype, name) => {
    const fields = recorded.get(prototype) ?? new Map<string, RecordedField>();
    recorded.set(prototype, fields.set(String(name), { ...fields.get(String(name)), ...field }));
  };

/** The last one that is given to a field counts. */
export const Transformed = (transform: NonNullable<RecordedField['transform']>): PropertyDecorator =>
  applyDecorators(Transform(transform), record({ transform }));

export const Nested = (nested: NonNullable<RecordedField['nested']>): PropertyDecorator =>
  applyDecorators(Type(nested), record({ nested }));

/** A field of a base class counts for the classes that extend it. */
export function recordedField({ prototype }: { prototype: object }, name: string): RecordedField {
  const base = Object.getPrototypeOf(prototype) as object | null;
  return { ...(base && recordedField({ prototype: base }, name)), ...recorded.get(prototype)?.get(name) };
}
