import { type JsonObject, LIMITS } from '@clarion/contracts/core';
import { isShallow } from '@clarion/contracts/json';
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type PayloadCheck, type PayloadFault, TOO_COSTLY } from './payload-check';

const MAX_FAULTS = 100;
const CACHED_VALIDATORS = 100;

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  ownProperties: true,
  verbose: true,
  logger: false,
};

/** A schema can cause unbounded work, so this runs in a render process, which can be ended. */
export class SchemaChecks {
  private readonly cache = new Map<string, ValidateFunction>();

  constructor() {
    for (const SchemaDialect of [Ajv, Ajv2020]) metaValidatorOf(SchemaDialect);
  }

  /** Undefined when the schema compiles. */
  schemaFault(schema: string): string | undefined {
    try {
      this.validatorOf(schema);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  checkPayload(schema: string, payload: JsonObject): PayloadCheck {
    let validate: ValidateFunction;
    try {
      validate = this.validatorOf(schema);
    } catch (error) {
      // The schema compiled when the workflow was saved, so this is rare. It must not fail the other events of the
      // call.
      const reason = error instanceof Error ? error.message : String(error);
      return refusal(`cannot be checked, the schema does not compile: ${reason}`);
    }
    const mayFill = schema.includes('"default"');
    try {
      const most = mayFill ? JSON.stringify(payload).length + LIMITS.payloadSchemaBytes : Infinity;
      if (validate(payload)) {
        if (!mayFill) return { valid: true };
        const isSmall = isShallow(payload, LIMITS.jsonDepth) && JSON.stringify(payload).length <= most;
        return isSmall ? { valid: true, payload } : refusal(TOO_LARGE);
      }
    } catch (error) {
      // A schema with endless recursion overflows the stack before the time limit.
      if (error instanceof RangeError) return refusal(TOO_COSTLY);
      throw error;
    }
    return { valid: false, errors: (validate.errors ?? []).slice(0, MAX_FAULTS).map(toFault) };
  }

  private validatorOf(schema: string): ValidateFunction {
    let validate = this.cache.get(schema);
    if (validate) this.cache.delete(schema);
    else validate = compile(JSON.parse(schema) as JsonObject);
    this.cache.set(schema, validate);
    if (this.cache.size > CACHED_VALIDATORS) this.cache.delete(this.cache.keys().next().value!);
    return validate;
  }
}

/** References let a small schema fill in a large or deep payload. */
const TOO_LARGE =
  `gets too large or too deep with the defaults of its schema: they may add ${LIMITS.payloadSchemaBytes} characters, ` +
  `and ${LIMITS.jsonDepth} levels are allowed`;

const refusal = (message: string): PayloadCheck => ({ valid: false, errors: [{ field: 'payload', message }] });

type SchemaDialect = typeof Ajv | typeof Ajv2020;

/** Each schema is compiled by its own Ajv instance, so an `$id` in one schema is not visible to another. */
function compile({ $schema, ...schema }: JsonObject): ValidateFunction {
  if (schema['$async'] !== undefined) throw new Error('$async is not supported');
  if (typeof $schema === 'string' && /draft-0\d/.test($schema)) return compileAs(Ajv, schema);
  try {
    return compileAs(Ajv2020, schema);
  } catch (error) {
    // Without `$schema`, keywords of the older drafts (an array in `items`) are accepted too.
    if ($schema !== undefined || error instanceof RangeError) throw error;
    return compileAs(Ajv, schema);
  }
}

function compileAs(SchemaDialect: SchemaDialect, schema: JsonObject): ValidateFunction {
  const metaValidator = metaValidatorOf(SchemaDialect);
  if (metaValidator.validateSchema(schema) !== true)
    throw new Error(metaValidator.errorsText(metaValidator.errors, { dataVar: 'schema' }));
  const ajv = new SchemaDialect({ ...OPTIONS, meta: false, validateSchema: false });
  addFormats(ajv as Ajv);
  return ajv.compile(schema);
}

/** Compiling the meta-schema is expensive, so one instance per dialect is shared. It stores nothing of a tenant. */
const metaValidators = new Map<SchemaDialect, Ajv | Ajv2020>();

function metaValidatorOf(SchemaDialect: SchemaDialect): Ajv | Ajv2020 {
  let metaValidator = metaValidators.get(SchemaDialect);
  if (!metaValidator) {
    metaValidator = new SchemaDialect(OPTIONS);
    void metaValidator.validateSchema({});
    metaValidators.set(SchemaDialect, metaValidator);
  }
  return metaValidator;
}

function toFault(error: ErrorObject): PayloadFault {
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const field = [...path, params.missingProperty ?? params.additionalProperty]
    .filter((part) => part !== undefined && part !== '')
    .join('.');
  return {
    field: field || 'payload',
    message: error.message ?? `does not match ${error.keyword}`,
    ...(isPlain(error.data) && { value: error.data }),
    schemaPath: error.schemaPath,
  };
}

/** Only short scalar values are echoed: enough to find the fault, never a whole body or a secret object. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 100;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}
