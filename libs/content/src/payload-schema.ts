import type { JsonObject } from '@clarion/contracts/core';
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { TOO_COSTLY } from './thread-protocol';

export type PayloadFault = { field: string; message: string; value?: unknown; schemaPath?: string };

/** `payload` is there when the schema has filled in defaults. */
export type PayloadCheck = { valid: true; payload?: JsonObject } | { valid: false; errors: PayloadFault[] };

const FAULTS = 100;
/** Validators that a thread keeps, the most recently used ones. */
const KEPT = 100;

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  ownProperties: true,
  verbose: true,
  logger: false,
};

/**
 * Checks payloads against the JSON Schemas of tenants, given as text. A schema can ask for more work than there is time (a
 * pattern that backtracks, choices inside choices), so this runs in a render thread, which can be ended.
 */
export class SchemaChecks {
  private readonly kept = new Map<string, ValidateFunction>();

  constructor() {
    for (const Dialect of [Ajv, Ajv2020]) judgeOf(Dialect);
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

  /** Writes defaults into the payload. */
  checkPayload(schema: string, payload: JsonObject): PayloadCheck {
    let validate: ValidateFunction;
    try {
      validate = this.validatorOf(schema);
    } catch (error) {
      // It compiled when it was saved, so this is rare; it must not fail the other events of the call.
      const reason = error instanceof Error ? error.message : String(error);
      return refusal(`cannot be checked, the schema does not compile: ${reason}`);
    }
    try {
      if (validate(payload)) return schema.includes('"default"') ? { valid: true, payload } : { valid: true };
    } catch (error) {
      // A schema that refers to itself without end runs out of stack instead of time.
      if (error instanceof RangeError) return refusal(TOO_COSTLY);
      throw error;
    }
    return { valid: false, errors: (validate.errors ?? []).slice(0, FAULTS).map(toFault) };
  }

  private validatorOf(schema: string): ValidateFunction {
    let validate = this.kept.get(schema);
    if (validate) this.kept.delete(schema);
    else validate = compile(JSON.parse(schema) as JsonObject);
    this.kept.set(schema, validate);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return validate;
  }
}

const refusal = (message: string): PayloadCheck => ({ valid: false, errors: [{ field: 'payload', message }] });

type Dialect = typeof Ajv | typeof Ajv2020;

/** Each schema gets an instance of its own, so that an `$id` in one is unknown to every other. */
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

/** Only short plain values are echoed: enough to find the fault, never a whole body or a secret object. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 100;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}
