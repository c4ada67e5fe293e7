import { useState } from 'react';
import type { Choices } from '../../api/choices';
import type { CodeProblem, CodeWords } from '../../ui/code-mirror';
import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { CheckBox } from '../../ui/field';
import { Picker } from '../../ui/picker';
import { Mark } from '../../ui/status';
import controls from '../../ui/ui.module.css';
import type { ControlsSchema, Filter, StepTypes, Values } from './draft';
import { JsonField } from './json-field';
import { OPERATOR_WORDS } from './sentences';
import { isComplete, type Rule } from './use-preview';
import { pathChoices } from './use-words';
import styles from './workflows.module.css';

/** The words of a sentence say what its fields are. */
const SENTENCE = classes('unlabelled', styles['sentence']);

/** The names that conditions compare. */
const COMPARED = /^(payload|subscriber|steps)\.(.*)$/;

type Part = Filter['children'][number];
type Operator = Part['operator'];

/** What has conditions: a step, or a variant of it. */
export type Conditioned = { filters: Filter[]; values: Values };

type ConditionsProps = {
  of: Conditioned;
  types: StepTypes;
  /** The controls that are rules; a variant has none. */
  schema?: ControlsSchema;
  words: CodeWords;
  issues: Record<string, CodeProblem[]>;
  /** Their results for the sample. */
  rules?: Rule[];
  isReadOnly: boolean;
  onChange(changed: Conditioned): void;
};

/** When the step runs: groups of comparisons as sentences, of which one must be true, and a rule as code. */
export function Conditions(props: ConditionsProps) {
  const { types, schema, words, issues, rules: results = [], isReadOnly, onChange } = props;
  const { filters, values } = props.of;
  const paths = pathChoices(words, (name) => COMPARED.test(name));
  const setGroup = (index: number, group: Filter | undefined): void =>
    onChange({ values, filters: filters.flatMap((each, place) => (place === index ? (group ?? []) : each)) });
  const rules = Object.entries(schema?.properties ?? {}).filter(
    ([name, { uiHints }]) => uiHints?.language === 'rule' && (name === 'runIf' || values[name] !== undefined),
  );
  const isRuled = rules.some(([name]) => values[name] !== undefined && values[name] !== null);
  return (
    <>
      {filters.length === 0 && !isRuled && <p className="quiet">It always runs.</p>}
      {filters.map((group, index) => (
        <Group
          results={compared(results).slice(countOf(filters.slice(0, index)))}
          key={index}
          number={index + 1}
          group={group}
          types={types}
          paths={paths}
          onChange={(changed) => setGroup(index, changed)}
        />
      ))}
      {results.length > 0 && <Verdict rules={results} />}
      {!isReadOnly && (
        <div>
          <Button onClick={() => onChange({ values, filters: [...filters, { ...NEW_GROUP, children: [NEW_PART] }] })}>
            {filters.length === 0 ? 'Add condition' : 'Or another group'}
          </Button>
        </div>
      )}
      {rules.length > 0 && (
        <details className={styles['more']} open={isRuled}>
          <summary>Edit as code</summary>
          <div className="stack">
            {rules.map(([name, control]) => (
              <JsonField
                key={name}
                path={name}
                schema={control}
                value={values[name]}
                issues={issues}
                isReadOnly={isReadOnly}
                onChange={(value) => {
                  const { [name]: _, ...others } = values;
                  onChange({ filters, values: value === undefined ? others : { ...values, [name]: value } });
                }}
              />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

const NEW_PART: Part = { on: 'payload', field: '', operator: 'EQUAL', value: '' };
const NEW_GROUP = { isNegated: false, type: 'GROUP', value: 'AND' } as const;

type GroupProps = {
  results: Compared[];
  number: number;
  group: Filter;
  types: StepTypes;
  paths: Choices;
  onChange(group: Filter | undefined): void;
};

function Group({ results, number, group, types, paths, onChange }: GroupProps) {
  const setPart = (index: number, part: Part | undefined): void => {
    const children = group.children.flatMap((each, place) => (place === index ? (part ?? []) : each));
    onChange(children.length > 0 ? { ...group, children } : undefined);
  };
  const joint = group.value === 'OR' ? 'or' : 'and';
  return (
    <fieldset className={styles['group']}>
      <legend>{number === 1 ? 'Only if' : 'Or if'}</legend>
      {group.children.length > 1 && (
        <div className={SENTENCE}>
          <select
            aria-label="Of these"
            className={controls['control']}
            value={group.value ?? 'AND'}
            onChange={(event) => onChange({ ...group, value: event.target.value as 'AND' | 'OR' })}
          >
            <option value="AND">all</option>
            <option value="OR">one</option>
          </select>
          <span>of these must be true</span>
        </div>
      )}
      {group.children.map((part, index) => (
        <div key={index} className={SENTENCE}>
          {index > 0 && <span>{joint}</span>}
          <PathField part={part} paths={paths} onChange={(changed) => setPart(index, changed)} />
          <select
            aria-label="Operator"
            className={controls['control']}
            value={part.operator}
            title={types.conditionOperators.find(({ name }) => name === part.operator)?.description}
            onChange={(event) => setPart(index, { ...part, operator: event.target.value as Operator })}
          >
            {types.conditionOperators.map(({ name }) => (
              <option key={name} value={name}>
                {OPERATOR_WORDS[name] ?? name.toLowerCase().replaceAll('_', ' ')}
              </option>
            ))}
          </select>
          <input
            aria-label="Value"
            className={controls['control']}
            value={part.value}
            onChange={(event) => setPart(index, { ...part, value: event.target.value })}
          />
          <Button kind="plain" aria-label="Remove condition" onClick={() => setPart(index, undefined)}>
            ×
          </Button>
          <Result
            of={
              isComplete(part) ? results[countOf([{ ...group, children: group.children.slice(0, index) }])] : undefined
            }
          />
        </div>
      ))}
      <div className="row">
        <Button onClick={() => onChange({ ...group, children: [...group.children, NEW_PART] })}>
          {group.value === 'OR' ? 'Or' : 'And'} another condition
        </Button>
        <CheckBox
          label="The opposite counts"
          checked={group.isNegated ?? false}
          onChange={(isNegated) => onChange({ ...group, isNegated })}
        />
      </div>
    </fieldset>
  );
}

/** One comparison, as the gateway made it for the sample. Those behind the first group that is true are not made. */
type Compared = { passed: boolean; actual?: unknown };

const compared = (rules: readonly Rule[]): Compared[] =>
  rules.flatMap(({ values }) => (values['conditions'] ?? []) as Compared[]);

const countOf = (filters: readonly Filter[]): number =>
  filters.reduce((sum, { children }) => sum + children.filter(isComplete).length, 0);

function Result({ of }: { of: Compared | undefined }) {
  if (!of) return null;
  const { passed, actual } = of;
  return (
    <span className={styles['result']} data-passed={passed}>
      <Mark tone={passed ? 'good' : 'calm'} />
      {passed ? 'true' : 'false'},{' '}
      {actual === undefined ? 'no value' : typeof actual === 'string' ? actual : JSON.stringify(actual)}
    </span>
  );
}

function Verdict({ rules }: { rules: readonly Rule[] }) {
  const stopping = rules.find(({ passed }) => !passed);
  const faults = rules.flatMap(({ values: { faults: several = [], fault = [] } }) => [several, fault].flat());
  return (
    <p role="status" className={styles['result']} data-passed={!stopping}>
      <Mark tone={stopping ? 'calm' : 'good'} />
      {stopping ? 'The step does not run for this sample.' : 'The step runs for this sample.'}
      {stopping && stopping.rule !== 'conditions' && ` The rule “${stopping.rule}” is not true.`} {faults.join('; ')}
    </p>
  );
}

type PathFieldProps = { part: Part; paths: Choices; onChange(part: Part): void };

/** A path with its namespace. What is typed stays as it is; without a namespace it is a path of the payload. */
function PathField({ part, paths, onChange }: PathFieldProps) {
  const [text, setText] = useState(part.field === '' ? '' : `${part.on}.${part.field}`);
  return (
    <Picker
      label="Path"
      placeholder="payload.total"
      isFree
      value={text}
      choices={paths}
      onChange={(typed) => {
        setText(typed);
        const [, on = 'payload', field = typed] = COMPARED.exec(typed) ?? [];
        onChange({ ...part, on: on as Part['on'], field });
      }}
    />
  );
}
