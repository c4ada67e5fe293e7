import {
  type AuthoredStepType,
  type ContentIssue,
  type DelayType,
  type DigestType,
  isJsonObject,
  type Json,
  type JsonObject,
  MONTHLY_TYPES,
  ORDINAL_VALUES,
  ORDINALS,
  type StepIssues,
  takesAnyControl,
  THROTTLE_UNITS,
  type ThrottleType,
  TIME_UNITS,
  WEEK_DAYS,
} from '@clarion/contracts';
import { RUN_RULES } from '@clarion/rules';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { CronExpressionParser } from 'cron-parser';
import { didYouMean } from './did-you-mean';
import type { Found } from './template-issues';

/**
 * The controls that a step may have: `needs` are required, and of the groups in `needsOneOf` one must be complete. A
 * control that no rule names is stored and shown as an issue.
 */
type Rule = { controls: Record<string, JsonObject>; needs?: string[]; needsOneOf?: string[][] };

const text: JsonObject = { type: 'string' };
const filled: JsonObject = { type: 'string', pattern: '\\S' };
const flag: JsonObject = { type: 'boolean' };
const address: JsonObject = { type: 'string', format: 'address' };
const amount: JsonObject = { type: 'integer', minimum: 1 };
const oneOf = (values: readonly string[]): JsonObject => ({ type: 'string', enum: [...values] });
const object = (properties: Record<string, JsonObject>, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});

const redirect = object({ url: address, target: oneOf(['_self', '_blank', '_parent', '_top', '_unfencedTop']) }, [
  'url',
]);
const action = object({ label: filled, redirect }, ['label']);
const unit = oneOf(TIME_UNITS);
const cron: JsonObject = { type: 'string', format: 'cron' };
const timed = object({
  atTime: { type: 'string', format: 'time-of-day' },
  weekDays: { type: 'array', items: oneOf(WEEK_DAYS) },
  monthDays: { type: 'array', items: { type: ['string', 'integer'], format: 'day-of-month', minimum: 1, maximum: 31 } },
  ordinal: oneOf(ORDINALS),
  ordinalValue: oneOf(ORDINAL_VALUES),
  monthlyType: oneOf(MONTHLY_TYPES),
});
const window = { amount, unit };
const schedule = { cron, timed };
const digestCommon = {
  ...window,
  digestKey: filled,
  lookBackWindow: object(window, ['amount', 'unit']),
  backoff: flag,
  backoffAmount: amount,
  backoffUnit: unit,
  updateMode: flag,
  extendToSchedule: flag,
};
const delayCommon = { extendToSchedule: flag };
const throttleCommon = { threshold: amount, throttleKey: filled };

const EMAIL: Rule = {
  controls: {
    subject: filled,
    // HTML, or the document of the block editor as JSON or as JSON text.
    body: { type: ['string', 'object', 'array'] },
    editorType: oneOf(['block', 'html']),
    layoutId: { type: ['string', 'null'] },
    disableOutputSanitization: flag,
    from: object({ email: text, name: text }),
    replyTo: text,
    preheader: text,
    useProviderDefaults: flag,
  },
  needs: ['subject'],
};

const IN_APP: Rule = {
  controls: {
    subject: text,
    body: text,
    avatar: address,
    primaryAction: action,
    secondaryAction: action,
    redirect,
    data: { type: 'object' },
    disableOutputSanitization: flag,
  },
  needsOneOf: [['body'], ['subject']],
};

const BODY_ONLY: Rule = { controls: { body: filled }, needs: ['body'] };

/** The rules of a step type by kind, and how the kind is read from the control values. */
type RuleSet = { kinds: Record<string, Rule>; kindOf: (values: JsonObject) => string };

const always = (rule: Rule): RuleSet => ({ kinds: { regular: rule }, kindOf: () => 'regular' });

/** The `type` control. A value that is not a string names no kind. */
const statedKind = (values: JsonObject, otherwise: string): string =>
  values['type'] === undefined ? otherwise : typeof values['type'] === 'string' ? values['type'] : '';

/** One entry per step type: see "Add a step type" in CONTRIBUTING.md. */
const RULES: Record<AuthoredStepType, RuleSet> = {
  email: always(EMAIL),
  in_app: always(IN_APP),
  sms: always(BODY_ONLY),
  chat: always({ ...BODY_ONLY, controls: { ...BODY_ONLY.controls, editorType: text } }),
  push: always({ controls: { subject: filled, body: filled }, needs: ['subject', 'body'] }),
  custom: always({ controls: {} }),
  delay: {
    kinds: {
      regular: { controls: { ...delayCommon, ...window }, needs: ['amount', 'unit'] },
      timed: { controls: { ...delayCommon, ...schedule }, needsOneOf: [['cron'], ['timed']] },
      scheduled: { controls: { ...delayCommon, delayPath: filled }, needs: ['delayPath'] },
      dynamic: { controls: { ...delayCommon, dynamicKey: filled }, needs: ['dynamicKey'] },
    } satisfies Record<DelayType, Rule>,
    kindOf: (values) => statedKind(values, 'cron' in values || 'timed' in values ? 'timed' : 'regular'),
  },
  digest: {
    kinds: {
      regular: { controls: digestCommon, needs: ['amount', 'unit'] },
      backoff: {
        controls: digestCommon,
        needs: ['amount', 'unit'],
        needsOneOf: [['lookBackWindow'], ['backoffAmount', 'backoffUnit']],
      },
      timed: { controls: { ...digestCommon, ...schedule }, needsOneOf: [['cron'], ['timed']] },
    } satisfies Record<DigestType, Rule>,
    kindOf: (values) => {
      const kind = statedKind(values, 'cron' in values || 'timed' in values ? 'timed' : 'regular');
      return kind === 'regular' && values['backoff'] === true ? 'backoff' : kind;
    },
  },
  throttle: {
    kinds: {
      fixed: { controls: { ...throttleCommon, amount, unit: oneOf(THROTTLE_UNITS) }, needs: ['amount', 'unit'] },
      dynamic: { controls: { ...throttleCommon, dynamicKey: filled }, needs: ['dynamicKey'] },
    } satisfies Record<ThrottleType, Rule>,
    kindOf: (values) => statedKind(values, 'fixed'),
  },
};

/** Controls that steps of every type may have. */
const RUN_RULE_CONTROLS = Object.fromEntries(RUN_RULES.map((name) => [name, { type: ['object', 'null'] }]));

const CRON_CHARACTERS = 256;
/** Issues that one step shows. */
const ISSUES_PER_STEP = 100;

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

const ajv = new Ajv({ allErrors: true, strict: false, ownProperties: true });
for (const [name, { check }] of Object.entries(FORMATS)) ajv.addFormat(name, check);

const validators = new Map<Rule, ValidateFunction>();

function validatorOf(rule: Rule): ValidateFunction {
  let validate = validators.get(rule);
  if (!validate) {
    validate = ajv.compile(object({ ...rule.controls, ...RUN_RULE_CONTROLS }, rule.needs));
    validators.set(rule, validate);
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
  const found = [
    ...controlIssues(type, controlValues, ''),
    ...variants.flatMap((variant, index) => controlIssues(type, variant.controlValues, `variants.${index}.`)),
    ...templates,
  ];
  if (found.length === 0) return undefined;
  const controls: StepIssues['controls'] = {};
  for (const [field, issue] of found.slice(0, ISSUES_PER_STEP)) (controls[field] ??= []).push(issue);
  return { controls };
}

function controlIssues(type: AuthoredStepType, values: JsonObject, prefix: string): Found[] {
  const { kinds, kindOf } = RULES[type];
  const kind = kindOf(values);
  const found: Found[] = Object.hasOwn(kinds, kind)
    ? ruleIssues(kinds[kind]!, values)
    : [['type', unsupported(`type must be one of: ${Object.keys(kinds).join(', ')}`)]];
  found.push(...unknownControls(type, values));
  return found.map(([field, issue]) => [prefix + field, issue]);
}

/** Controls that no kind of the step type has. */
function unknownControls(type: AuthoredStepType, values: JsonObject): Found[] {
  if (takesAnyControl(type)) return [];
  const known = new Set([
    ...Object.values(RULES[type].kinds).flatMap(({ controls }) => Object.keys(controls)),
    ...(Object.keys(RULES[type].kinds).length > 1 ? ['type'] : []),
    ...RUN_RULES,
  ]);
  return Object.keys(values)
    .filter((name) => !known.has(name))
    .map((name) => [name, unsupported(`there is no control "${name}"${didYouMean(name, [...known])}`)]);
}

function ruleIssues(rule: Rule, values: JsonObject): Found[] {
  const validate = validatorOf(rule);
  const found = validate(values) ? [] : (validate.errors ?? []).map(toIssue);
  return [...found, ...missingGroup(rule, values)];
}

function missingGroup({ needsOneOf }: Rule, values: JsonObject): Found[] {
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
