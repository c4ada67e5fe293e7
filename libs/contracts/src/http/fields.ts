import { ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsLocale,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsTimeZone,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { toOurName } from '../brands';
import { UUID } from '../ids';
import { isJsonObject, jsonBytes, tooManyBytes } from '../json';
import { LIMITS } from '../limits';
import { applyDecorators } from './apply-decorators';
import { Nested, Transformed } from './recorded-fields';

/** One decorator validates, transforms and documents a field, so OpenAPI cannot disagree with the validation. */
type Common = {
  /** Fields are required by default. */
  optional?: boolean;
  /** null is accepted as a value (it clears the field). */
  nullable?: boolean;
  description?: string;
  example?: unknown;
  deprecated?: boolean;
};

/** The description of a field comes before its other options. */
type About<Options> = [options?: Options] | [description: string, options?: Options];

const optionsOf = <Options extends Common>([first, second]: About<Options>): Options =>
  (typeof first === 'string' ? { ...second, description: first } : { ...first }) as Options;

function presence({ optional, nullable }: Common): PropertyDecorator[] {
  if (optional && nullable) return [IsOptional()];
  // IsOptional would also let null through, which this interface treats as a value.
  if (optional) return [ValidateIf((_, value) => value !== undefined)];
  if (nullable) return [ValidateIf((_, value) => value !== null)];
  return [];
}

function documented(options: Common, schema: ApiPropertyOptions): PropertyDecorator {
  return ApiProperty({
    required: !options.optional,
    ...(options.nullable && { nullable: true }),
    ...(options.description && { description: options.description }),
    ...(options.example !== undefined && { example: options.example }),
    ...(options.deprecated && { deprecated: true }),
    ...schema,
  } as ApiPropertyOptions);
}

export type TextOptions = Common & {
  minLength?: number;
  maxLength?: number;
  trim?: boolean;
  pattern?: RegExp;
  /** The error message when the pattern does not match. */
  patternMessage?: string;
  format?: 'email' | 'locale' | 'timezone' | 'uuid' | 'date-time' | 'uri';
};

export function Text(...about: About<TextOptions>): PropertyDecorator {
  const options = optionsOf(about);
  const { minLength, maxLength, pattern, format } = options;
  return applyDecorators(
    ...presence(options),
    IsString(),
    ...(options.trim ? [Transformed(({ value }) => (typeof value === 'string' ? value.trim() : value))] : []),
    ...(minLength === undefined ? [] : [MinLength(minLength)]),
    ...(maxLength === undefined ? [] : [MaxLength(maxLength)]),
    ...(pattern ? [Matches(pattern, options.patternMessage ? { message: options.patternMessage } : {})] : []),
    ...formatRule(format),
    documented(options, {
      type: String,
      ...(minLength === undefined ? {} : { minLength }),
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(pattern && { pattern: pattern.source }),
      ...(format && format !== 'locale' && format !== 'timezone' && { format }),
    }),
  );
}

function formatRule(format: TextOptions['format']): PropertyDecorator[] {
  switch (format) {
    case 'email':
      return [IsEmail()];
    case 'locale':
      return [IsLocale()];
    case 'timezone':
      return [IsTimeZone()];
    case 'uuid':
      return [Matches(UUID, { message: ({ property }) => `${property} must be a UUID` })];
    case 'date-time':
      return [IsISO8601()];
    case 'uri':
    case undefined:
      return [];
  }
}

/** A boolean in a body. */
export function Flag(...about: About<Common>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(...presence(options), IsBoolean(), documented(options, { type: Boolean }));
}

/** A boolean that may be text: in a query, and in the credentials of forms. An empty text is ignored. */
export function QueryFlag(...about: About<Common>): PropertyDecorator {
  const options = { ...optionsOf(about), optional: true };
  return applyDecorators(
    Transformed(({ value }) =>
      value === 'true' ? true : value === 'false' ? false : value === '' ? undefined : value,
    ),
    ...presence(options),
    IsBoolean(),
    documented(options, { type: Boolean }),
  );
}

export type WholeOptions = Common & {
  min?: number;
  max?: number;
  /** A maximum that is documented here, and checked where it has a separate error message. */
  shownMax?: number;
  default?: number;
};

/** A whole number in a body. */
export function Whole(...about: About<WholeOptions>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(...presence(options), IsInt(), ...range(options), documented(options, wholeSchema(options)));
}

/** A whole number in a query; give the property an initial value for its default. */
export function QueryWhole(...about: About<WholeOptions>): PropertyDecorator {
  const options = { ...optionsOf(about), optional: true };
  return applyDecorators(
    Transformed(({ value }) => (typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value)),
    ...presence(options),
    IsInt(),
    ...range(options),
    documented(options, wholeSchema(options)),
  );
}

function range({ min, max }: WholeOptions): PropertyDecorator[] {
  return [...(min === undefined ? [] : [Min(min)]), ...(max === undefined ? [] : [Max(max)])];
}

function wholeSchema({ min, shownMax, max = shownMax, default: initial }: WholeOptions): ApiPropertyOptions {
  return {
    type: 'integer',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(initial === undefined ? {} : { default: initial }),
  };
}

/** Whole numbers of an answer. */
export function Wholes(...about: About<Common>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(IsInt({ each: true }), documented(options, { type: 'integer', isArray: true }));
}

/** Any number, in answers and bodies. */
export function Amount(...about: About<WholeOptions>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(...presence(options), IsNumber(), ...range(options), documented(options, { type: Number }));
}

export function Choice(values: readonly (string | number)[], ...about: About<Common>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    ...presence(options),
    IsIn(values, { message: ({ property }) => `${property} must be one of: ${values.join(', ')}` }),
    documented(options, { type: typeof values[0] === 'number' ? Number : String, enum: [...values] }),
  );
}

export type ListOptions = Common & { min?: number; max?: number };
type TextsOptions = ListOptions & { maxLength?: number };

const length = ({ min, max }: ListOptions): PropertyDecorator[] => [
  ...(min === undefined ? [] : [ArrayMinSize(min)]),
  ...(max === undefined ? [] : [ArrayMaxSize(max)]),
];

const minItems = ({ min }: ListOptions): { minItems?: number } => (min === undefined ? {} : { minItems: min });
const maxItems = ({ max }: ListOptions): { maxItems?: number } => (max === undefined ? {} : { maxItems: max });

/** Texts in a body. */
export function Texts(...about: About<TextsOptions>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    ...presence(options),
    IsArray(),
    ...length(options),
    IsString({ each: true }),
    ...(options.maxLength === undefined ? [] : [MaxLength(options.maxLength, { each: true })]),
    documented(options, { type: [String], ...minItems(options), ...maxItems(options) }),
  );
}

export function Choices(values: readonly string[], ...about: About<ListOptions>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    ...presence(options),
    IsArray(),
    ...length(options),
    IsIn(values, {
      each: true,
      message: ({ property }) => `each value in ${property} must be one of: ${values.join(', ')}`,
    }),
    documented(options, { type: [String], enum: [...values], isArray: true, ...minItems(options) }),
  );
}

const toList = ({ value }: { value: unknown }): unknown =>
  value === undefined || Array.isArray(value) ? value : [value];

/** Texts in a query: once or repeated. */
export function QueryTexts(...about: About<TextsOptions>): PropertyDecorator {
  const options = { max: 100, maxLength: 256, ...optionsOf(about), optional: true };
  return applyDecorators(Transformed(toList), Texts(options));
}

/** The same, documented as a text or a list: the interface names one value. */
export function QueryTextOrTexts(...about: About<TextsOptions>): PropertyDecorator {
  const options = { max: 100, maxLength: 256, ...optionsOf(about), optional: true };
  const text = { type: 'string', maxLength: options.maxLength };
  const list = { type: 'array', items: text, maxItems: options.max };
  return applyDecorators(QueryTexts(options), documented(options, { oneOf: [text, list] } as ApiPropertyOptions));
}

export function QueryChoices(values: readonly string[], ...about: About<ListOptions>): PropertyDecorator {
  return applyDecorators(Transformed(toList), Choices(values, { max: 100, ...optionsOf(about), optional: true }));
}

/** A free-form JSON object; `maxBytes` limits its JSON. */
export function JsonMap(...about: About<Common & { maxBytes?: number }>): PropertyDecorator {
  const options = optionsOf(about);
  const { maxBytes } = options;
  return applyDecorators(
    ...presence(options),
    IsObject(),
    ...(maxBytes === undefined ? [] : [MaxBytes(maxBytes)]),
    documented(options, { type: Object, additionalProperties: true }),
  );
}

/** Of the `data` of a subscriber, a tenant and a context. */
export const REVISION = 'Names the content: it changes exactly when the content does.';
/** The revision in a request that replaces the content. */
export const MADE_FROM: TextOptions = {
  optional: true,
  maxLength: 64,
  description: 'The revision that the content was made from; 409 when there is another one by now.',
};

export const DATA_LIMIT = { maxBytes: LIMITS.dataBytes } as const;
export const DATA_SIZE = `At most ${LIMITS.dataBytes / 1024} KiB as JSON.`;

function MaxBytes(bytes: number): PropertyDecorator {
  return ValidateBy({
    name: 'maxBytes',
    validator: {
      validate: (value: unknown) => !isJsonObject(value) || jsonBytes(value) <= bytes,
      defaultMessage: (about) => tooManyBytes(about?.property ?? 'value', bytes),
    },
  });
}

/** The given class judges elements one by one elsewhere. It must be named in ApiExtraModels of its DTO. */
export function JsonList(element: () => new () => object, ...about: About<ListOptions>): PropertyDecorator {
  const options = { ...optionsOf(about), min: 1 };
  return applyDecorators(
    ...presence(options),
    IsArray(),
    ...length(options),
    documented(options, {
      type: 'array',
      items: { $ref: getSchemaPath(element()) },
      ...minItems(options),
      ...maxItems(options),
    } as ApiPropertyOptions),
  );
}

/** A provider id or origin in a request: the names of both dialects are accepted and become ours. */
export function BrandedChoice(values: readonly string[], ...about: About<Common>): PropertyDecorator {
  return applyDecorators(
    Transformed(({ value }) => (typeof value === 'string' ? toOurName(value) : value)),
    Choice(values, ...about),
  );
}

export function Child(type: () => new () => object, ...about: About<Common>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    ...presence(options),
    IsObject(),
    ValidateNested(),
    Nested(type),
    // Swagger calls a function for its class only when the function itself is named `type`.
    documented(options, { type: () => type() }),
  );
}

export function Children(type: () => new () => object, ...about: About<ListOptions>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    ...presence(options),
    IsArray(),
    ...length({ max: options.max }),
    IsObject({ each: true }),
    ValidateNested({ each: true }),
    Nested(type),
    documented(options, { type: () => [type()], ...maxItems(options) } as ApiPropertyOptions),
  );
}

/** Each object may be given as a text for one member. The class must be named in ApiExtraModels of its DTO. */
export function ChildrenOrTexts<T extends object>(
  type: () => new () => T,
  member: keyof T & string,
  ...about: About<ListOptions>
): PropertyDecorator {
  const options = optionsOf(about);
  const toChild = (element: unknown): unknown =>
    typeof element === 'string' ? Object.assign(new (type())(), { [member]: element }) : element;
  return applyDecorators(
    Children(type, options),
    // Transformed before it is validated, so a list that is too long is left as it is.
    Transformed(({ value }) =>
      Array.isArray(value) && value.length <= (options.max ?? LIMITS.listElements) ? value.map(toChild) : value,
    ),
    documented(options, {
      type: 'array',
      items: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(type()) }] },
    } as ApiPropertyOptions),
  );
}

/** Our ids in a query: once or repeated. */
export function QueryIds(...about: About<ListOptions>): PropertyDecorator {
  return applyDecorators(
    QueryTexts(...about),
    Matches(UUID, { each: true, message: ({ property }) => `each value in ${property} must be a UUID` }),
  );
}

/** Our ids in a body. */
export function Ids(...about: About<ListOptions>): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    Texts(options),
    Matches(UUID, { each: true, message: ({ property }) => `each value in ${property} must be a UUID` }),
    documented(options, {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      ...maxItems(options),
    } as ApiPropertyOptions),
  );
}

/** A value of one of several forms, given as schemas; `fits` decides, `rule` says what was expected. */
export function OneOf(
  forms: object[],
  fits: (value: unknown) => boolean,
  rule: string,
  ...about: About<Common>
): PropertyDecorator {
  const options = optionsOf(about);
  return applyDecorators(
    ...presence(options),
    ValidateBy({
      name: 'oneOf',
      validator: { validate: fits, defaultMessage: (about) => `${about?.property ?? 'value'} ${rule}` },
    }),
    documented(options, { oneOf: forms } as ApiPropertyOptions),
  );
}
