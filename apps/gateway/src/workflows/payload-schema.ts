import { OutOfTime, withinTime } from '@clarion/content';
import type { JsonObject } from '@clarion/contracts';
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isPlain } from '../http/validation';

export type PayloadFault = { field: string; message: string; value?: unknown; schemaPath?: string };

export type PayloadCheck = { valid: true; payload: JsonObject } | { valid: false; errors: PayloadFault[] };

export type PayloadValidator = (payload: JsonObject) => PayloadCheck;

const COMPILE_MS = 500;
const CHECK_MS = 250;
/** For how long a validator that ran out of time refuses without trying: one slow schema must not stop us again and again. */
const REFUSE_MS = 5_000;
const FAULTS = 100;

const TOO_COSTLY: PayloadCheck = {
  valid: false,
  errors: [{ field: 'payload', message: 'takes too long to check against the schema of the workflow' }],
};

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  ownProperties: true,
  verbose: true,
  logger: false,
};

/**
 * Makes a validator of a tenant's JSON Schema, or throws an error that says what is wrong with the schema. Each schema
 * gets an instance of its own, so that an `$id` in one is unknown to every other.
 */
export function compilePayloadSchema(schema: JsonObject): PayloadValidator {
  for (const Dialect of [Ajv, Ajv2020]) judgeOf(Dialect);
  const validate = withinTime(COMPILE_MS, () => compile(schema));
  let refusedUntil = 0;
  return (payload) => {
    if (refusedUntil > performance.now()) return TOO_COSTLY;
    // Defaults are written into the value, and the caller's object is not ours to change.
    const filled = structuredClone(payload);
    try {
      if (withinTime(CHECK_MS, () => validate(filled))) return { valid: true, payload: filled };
    } catch (error) {
      // A schema that refers to itself without end runs out of stack instead of time.
      if (!(error instanceof OutOfTime || error instanceof RangeError)) throw error;
      refusedUntil = performance.now() + REFUSE_MS;
      return TOO_COSTLY;
    }
    return { valid: false, errors: (validate.errors ?? []).slice(0, FAULTS).map(toFault) };
  };
}

/** Undefined when the schema is fine. */
export function payloadSchemaFault(schema: JsonObject): string | undefined {
  try {
    compilePayloadSchema(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Dialect = typeof Ajv | typeof Ajv2020;

function compile({ $schema, ...schema }: JsonObject): ValidateFunction {
  if (schema['$async'] !== undefined) throw new Error('$async is not supported');
  if (typeof $schema === 'string' && /draft-0\d/.test($schema)) return compileAs(Ajv, schema);
  try {
    return compileAs(Ajv2020, schema);
  } catch (error) {
    // Without a stated draft the older words (a list in `items`) are as good as the newer ones.
    if ($schema !== undefined || error instanceof RangeError) throw error;
    return compileAs(Ajv, schema);
  }
}

function compileAs(Dialect: Dialect, schema: JsonObject): ValidateFunction {
  const judge = judgeOf(Dialect);
  if (judge.validateSchema(schema) !== true) throw new Error(judge.errorsText(judge.errors, { dataVar: 'schema' }));
  const ajv = new Dialect({ ...OPTIONS, meta: false, validateSchema: false });
  addFormats(ajv as Ajv);
  return ajv.compile(schema);
}

/** Compiling the schema of schemas is the costly part, so there is one instance for that; it learns nothing of tenants. */
const judges = new Map<Dialect, Ajv | Ajv2020>();

function judgeOf(Dialect: Dialect): Ajv | Ajv2020 {
  let judge = judges.get(Dialect);
  if (!judge) {
    judge = new Dialect(OPTIONS);
    void judge.validateSchema({});
    judges.set(Dialect, judge);
  }
  return judge;
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
