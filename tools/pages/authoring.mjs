/** `npm run authoring`: writes docs/authoring.md from the tables of controls, variables, filters and operators. */
import { builtLib, writePage } from './write-page.mjs';

const {
  AUTHORED_STEP_TYPES,
  AUTHORING_NOW,
  AUTHORING_SAMPLE,
  AUTHORING_VARIABLES,
  COMMON_CONTROLS,
  CONDITION_OPERATORS,
  LIQUID_FILTERS,
  OVERRIDES,
  RULE_OPERATORS,
  STEP_CONTROLS,
  STEP_EXAMPLES,
} = await builtLib('contracts');

/** Everything before this line of docs/authoring.md is written by people. */
const MARK = '<!-- Written by `npm run authoring` from libs/contracts/src/authoring. Do not edit below this line. -->';

/** The page docs/authoring.md with its reference written anew from the tables of `authoring`. */
function authoringPage(present) {
  const [guide] = present.split(MARK, 1);
  return `${[
    `${guide.trimEnd()}\n`,
    MARK,
    '',
    '## Control values',
    '',
    'The control values of each step type, from the JSON Schemas that `GET /v2/step-types` returns. A save finds',
    'issues by the same schemas, and the OpenAPI document contains them. Every example below is',
    'rendered by a spec, with the',
    `[sample](#the-sample) and at the time ${AUTHORING_NOW}.`,
    ...controlTable('Every step', COMMON_CONTROLS, {}),
    ...AUTHORED_STEP_TYPES.flatMap(stepType),
    '',
    '## Variables',
    '',
    'Templates and rules read these variables. `payload` and `steps` have the names that the trigger and the workflow',
    'give them.',
    ...groups(AUTHORING_VARIABLES, 'variable'),
    '',
    '## Filters of Liquid',
    ...groups(LIQUID_FILTERS, 'filter'),
    '',
    '## Conditions',
    '',
    'A step and a variant have `filters`: groups of comparisons with values of the payload or the',
    'subscriber. One group',
    'that is true is enough. In a group all comparisons must be true, or one with `"value": "OR"`;',
    '`isNegated` turns the',
    'group around. An absent value equals nothing, is in no list and has no order.',
    ...operators(CONDITION_OPERATORS),
    '',
    '## Rules',
    '',
    '`runIf` and `skip` hold one rule of [JSON-Logic](https://jsonlogic.com) with these operators.',
    'The result is whether',
    'the step runs.',
    ...operators(RULE_OPERATORS),
    '',
    '## Overrides',
    '',
    '`overrides` of a trigger change the messages of that trigger. The result has the fields that',
    'the provider gets for',
    'the step `mail` (email through SendGrid), for SMS through Twilio or for push through FCM, or what else changes.',
    '',
    '| override | what it changes | example | result |',
    '| --- | --- | --- | --- |',
    ...OVERRIDES.map(({ path, description, example, result }) =>
      row(code(path), description, code(JSON.stringify(example)), code(JSON.stringify(result))),
    ),
    '',
    '## The sample',
    '',
    'The examples of this page read these variables:',
    '',
    ...json(AUTHORING_SAMPLE),
  ].join('\n')}\n`;
}

function stepType(type) {
  const step = STEP_CONTROLS[type];
  const examples = STEP_EXAMPLES.filter((example) => example.type === type);
  return [
    ...controlTable(`${step.title}: \`${type}\``, step.controls, step),
    ...examples.flatMap(({ says, controlValues, result }) => [
      '',
      says,
      '',
      ...json(controlValues),
      '',
      'Result:',
      '',
      ...json(result),
    ]),
  ];
}

function controlTable(title, controls, step) {
  const names = Object.entries(controls);
  return [
    '',
    `### ${title}`,
    ...(step.description ? ['', step.description] : []),
    ...(step.kinds ? needs(step.kinds) : []),
    ...(names.length === 0
      ? []
      : [
          '',
          '| control | title | type | meaning |',
          '| --- | --- | --- | --- |',
          ...names.map(([name, schema]) => row(code(name), schema.title, typeOf(schema), schema.description)),
        ]),
  ];
}

function needs(kinds) {
  const all = Object.entries(kinds);
  const lines = all.flatMap(([name, { needs: required = [], needsOneOf = [] }]) => {
    const names = [
      ...required.map(code),
      ...(needsOneOf.length > 0 ? [needsOneOf.map((group) => group.map(code).join(' with ')).join(' or ')] : []),
    ];
    if (names.length === 0) return [];
    return [all.length > 1 ? `- \`type\` \`${name}\` requires ${names.join(', ')}.` : `Required: ${names.join(', ')}.`];
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

function typeOf(schema) {
  const values = schema.enum;
  if (Array.isArray(values)) return values.map((value) => code(String(value))).join(', ');
  const types = [schema.type].flat().join(' or ');
  const properties = schema.properties;
  const parts = properties ? `: ${Object.keys(properties).map(code).join(', ')}` : '';
  return `${types}${parts}`;
}

function groups(described, name) {
  return [...new Set(described.map(({ group }) => group))].flatMap((group) => [
    '',
    `### ${group}`,
    '',
    `| ${name} | meaning | example | result |`,
    '| --- | --- | --- | --- |',
    ...described
      .filter((each) => each.group === group)
      .map((each) => row(code(each.name), each.description, code(each.example), code(each.result))),
  ]);
}

const operators = (described) => [
  '',
  '| operator | meaning | example | result |',
  '| --- | --- | --- | --- |',
  ...described.map(({ name, description, example, result }) =>
    row(code(name), description, code(JSON.stringify(example)), String(result)),
  ),
];

const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
/** Line breaks and blanks at an end would not be visible. */
const code = (text) => `\`${text.replaceAll('\n', '⏎')}\``;
const json = (value) => ['```json', ...JSON.stringify(value, null, 2).split('\n'), '```'];

writePage('docs/authoring.md', authoringPage);
