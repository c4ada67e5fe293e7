import {
  type AuthoredStepType,
  COMMON_CONTROLS,
  type ContentIssue,
  type ControlKind,
  groupBy,
  isJsonObject,
  type Json,
  type JsonObject,
  kindSchema,
  LIMITS,
  STEP_CONTROLS,
  type StepControls,
  type StepIssues,
  takesAnyControl,
} from '@clarion/contracts';
import { delayOf, digestWindowOf, exceedsLongestWait, valueAt } from '@clarion/rules';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { CronExpressionParser } from 'cron-parser';
import { didYouMean } from './did-you-mean';
import { type Found, ISSUES_PER_STEP } from './template-issues';

/** Finds the issues of control values by `STEP_CONTROLS`. A control that it does not name is stored, with an issue. */

const CRON_CHARACTERS = 256;

const FORMATS = {
  address: {
    check: (value: string) => value === '' || /^(?:https?:\/\/\S|\/(?!\/)|\{\{)/i.test(value),
    message: 'must be an http(s) address, a path that starts with / or a template that starts with {{',
  },
  cron: { check: isCron, message: 'must be a cron expression of five or six fields' },
  'time-of-day': {
    check: (value: string) => /^([01]?\d|2[0-3]):[0-5]\d$/.test(value),
    message: 'must be a time of day like 09:30',
  },
  'day-of-month': {
    check: (value: string) => /^([1-9]|[12]\d|3[01])$/.test(value),
    message: 'must be a day of the month, 1 to 31',
  },
};

/** The schemas are those of this repository: to check them against the schema of schemas would take 0.3 s at first. */
const OWN_SCHEMAS = { meta: false, validateSchema: false };
const ajv = new Ajv({ allErrors: true, strict: false, ownProperties: true, ...OWN_SCHEMAS });
for (const [name, { check }] of Object.entries(FORMATS)) ajv.addFormat(name, check);

const validators = new Map<ControlKind, ValidateFunction>();

function validatorOf(step: StepControls, kind: ControlKind): ValidateFunction {
  let validate = validators.get(kind);
  if (!validate) {
    validate = ajv.compile(kindSchema(step, kind));
    validators.set(kind, validate);
  }
  return validate;
}

/** The issues of the controls of a step and of its variants. Undefined when there are none. */
export function stepIssues(
  type: AuthoredStepType,
  controlValues: JsonObject,
  variants: { controlValues: JsonObject }[] = [],
  templates: Found[] = [],
): StepIssues | undefined {
  const found = controlIssues(type, controlValues, '');
  for (const [index, variant] of variants.entries()) {
    if (found.length < ISSUES_PER_STEP) found.push(...controlIssues(type, variant.controlValues, `variants.${index}.`));
  }
  found.push(...templates);
  if (found.length === 0) return undefined;
  const byField = groupBy(found.slice(0, ISSUES_PER_STEP), ([field]) => field);
  // A caller chooses the names: entries become own properties, also `__proto__`.
  return { controls: Object.fromEntries([...byField].map(([field, issues]) => [field, issues.map(([, one]) => one)])) };
}

function controlIssues(type: AuthoredStepType, values: JsonObject, prefix: string): Found[] {
  const step = STEP_CONTROLS[type];
  const kind = step.kindOf(values);
  const found: Found[] = Object.hasOwn(step.kinds, kind)
    ? [...kindIssues(step, step.kinds[kind]!, values), ...waitIssues(type, step.kinds[kind]!, values)]
    : [['type', unsupported(`type must be one of: ${Object.keys(step.kinds).join(', ')}`)]];
  found.push(...unknownControls(type, values));
  return found.map(([field, issue]) => [prefix + field, issue]);
}

function unknownControls(type: AuthoredStepType, values: JsonObject): Found[] {
  if (takesAnyControl(type)) return [];
  const known = Object.keys({ ...STEP_CONTROLS[type].controls, ...COMMON_CONTROLS });
  return Object.keys(values)
    .filter((name) => !known.includes(name))
    .slice(0, ISSUES_PER_STEP)
    .map((name) => [name, unsupported(`there is no control "${name}"${didYouMean(name, known)}`)]);
}

function kindIssues(step: StepControls, kind: ControlKind, values: JsonObject): Found[] {
  const validate = validatorOf(step, kind);
  const found = validate(values) ? [] : (validate.errors ?? []).slice(0, ISSUES_PER_STEP).map(toIssue);
  return [...found, ...missingGroup(kind, values)];
}

const AMOUNTS = [
  ['amount', 'unit'],
  ['lookBackWindow.amount', 'lookBackWindow.unit'],
  ['backoffAmount', 'backoffUnit'],
] as const;

/** Waits that the engine refuses: a step with one would fail for every notification. */
function waitIssues(type: AuthoredStepType, { controls }: ControlKind, values: JsonObject): Found[] {
  const given = (path: string): Json | undefined => valueAt(values, path);
  const found = AMOUNTS.filter(([amount]) => controls.includes(amount.split('.')[0]!))
    .filter(([amount, unit]) => exceedsLongestWait(given(amount), given(unit)))
    .map(([amount]): Found => [amount, tooLong(amount)]);
  if (found.length > 0 || !controls.includes('cron')) return found;
  const input = { controls: values, variables: { payload: {}, subscriber: {} }, now: new Date() };
  const timing = type === 'digest' ? digestWindowOf(input) : delayOf(input);
  const field = 'cron' in values ? 'cron' : 'timed';
  return timing.ok || timing.reason !== 'limit' ? [] : [[field, tooLong(field)]];
}

const tooLong = (field: string): ContentIssue => ({
  issueType: 'TIER_LIMIT_EXCEEDED',
  message: `${field} is longer than ${LIMITS.waitDays} days`,
});

function missingGroup({ needsOneOf }: ControlKind, values: JsonObject): Found[] {
  if (!needsOneOf || needsOneOf.some((group) => group.every((name) => isFilled(values[name])))) return [];
  const names = needsOneOf.map((group) => group.join(' and ')).join(', or ');
  return [[needsOneOf[0]![0]!, { issueType: 'MISSING_VALUE', message: `one of these is required: ${names}` }]];
}

/** Whether there is a value; the rule of the control decides whether the value is valid. */
function isFilled(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null;
}

function toIssue(error: ErrorObject): Found {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') {
    const field = [...path, (error.params as { missingProperty: string }).missingProperty].join('.');
    return [field, { issueType: 'MISSING_VALUE', message: `${field} is required` }];
  }
  const field = path.join('.');
  if (error.keyword === 'pattern')
    return [field, { issueType: 'MISSING_VALUE', message: `${field} must not be empty` }];
  if (error.keyword === 'enum') {
    const { allowedValues } = error.params as { allowedValues: string[] };
    return [field, unsupported(`${field} must be one of: ${allowedValues.join(', ')}`)];
  }
  if (error.keyword === 'format') {
    const { format } = error.params as { format: keyof typeof FORMATS };
    const message = `${field} ${FORMATS[format].message}`;
    return [field, format === 'address' ? { issueType: 'INVALID_URL', message } : unsupported(message)];
  }
  return [field, unsupported(`${field} ${error.message}`)];
}

const unsupported = (message: string): ContentIssue => ({ issueType: 'UNSUPPORTED_PROPERTY', message });

function isCron(value: string): boolean {
  if (value.length > CRON_CHARACTERS || !/^\S+(\s+\S+){4,5}$/.test(value.trim())) return false;
  try {
    CronExpressionParser.parse(value.trim());
    return true;
  } catch {
    return false;
  }
}
