import type { CodeProblem } from '../../ui/code-mirror';
import { Button } from '../../ui/button';
import { CheckBox, Select, TextField } from '../../ui/field';
import type { ControlsSchema, DraftStep, Filter, StepTypes } from './draft';
import { JsonField } from './json-field';
import styles from './workflows.module.css';

type Part = Filter['children'][number];
type Operator = Part['operator'];

type ConditionsProps = {
  step: DraftStep;
  types: StepTypes;
  schema: ControlsSchema;
  issues: Record<string, CodeProblem[]>;
  isReadOnly: boolean;
  onChange(step: DraftStep): void;
};

/** When the step runs: groups of comparisons, of which one must be true, and a rule. */
export function Conditions({ step, types, schema, issues, isReadOnly, onChange }: ConditionsProps) {
  const { filters, values } = step;
  const setGroup = (index: number, group: Filter | undefined): void =>
    onChange({ ...step, filters: filters.flatMap((each, place) => (place === index ? (group ?? []) : each)) });
  const rules = Object.entries(schema.properties).filter(
    ([name, { uiHints }]) => uiHints?.language === 'rule' && (name === 'runIf' || values[name] !== undefined),
  );
  return (
    <>
      {filters.length === 0 && <p className={styles['quiet']}>The step always runs, unless the rule below is false.</p>}
      {filters.map((group, index) => (
        <Group
          key={index}
          number={index + 1}
          group={group}
          types={types}
          onChange={(changed) => setGroup(index, changed)}
        />
      ))}
      {!isReadOnly && (
        <div>
          <Button onClick={() => onChange({ ...step, filters: [...filters, { ...NEW_GROUP, children: [NEW_PART] }] })}>
            {filters.length === 0 ? 'Add condition' : 'Add group of conditions'}
          </Button>
        </div>
      )}
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
            onChange({ ...step, values: value === undefined ? others : { ...values, [name]: value } });
          }}
        />
      ))}
    </>
  );
}

const NEW_PART: Part = { on: 'payload', field: '', operator: 'EQUAL', value: '' };
const NEW_GROUP = { isNegated: false, type: 'GROUP', value: 'AND' } as const;

type GroupProps = { number: number; group: Filter; types: StepTypes; onChange(group: Filter | undefined): void };

function Group({ number, group, types, onChange }: GroupProps) {
  const setPart = (index: number, part: Part | undefined): void => {
    const children = group.children.flatMap((each, place) => (place === index ? (part ?? []) : each));
    onChange(children.length > 0 ? { ...group, children } : undefined);
  };
  return (
    <fieldset className={styles['group']}>
      <legend>{number === 1 ? 'The step runs if' : 'or if'}</legend>
      {group.children.map((part, index) => (
        <div key={index} className={styles['condition']}>
          <Select
            label="Of"
            value={part.on}
            options={[
              { value: 'payload', label: 'payload' },
              { value: 'subscriber', label: 'subscriber' },
            ]}
            onChange={(on) => setPart(index, { ...part, on })}
          />
          <TextField label="Path" value={part.field} onChange={(field) => setPart(index, { ...part, field })} />
          <Select<Operator>
            label="Operator"
            value={part.operator}
            options={types.conditionOperators.map(({ name }) => ({
              value: name as Operator,
              label: name.toLowerCase().replaceAll('_', ' '),
            }))}
            onChange={(operator) => setPart(index, { ...part, operator })}
          />
          <TextField
            label="Value"
            value={part.value}
            hint={types.conditionOperators.find(({ name }) => name === part.operator)?.description}
            onChange={(value) => setPart(index, { ...part, value })}
          />
          <Button onClick={() => setPart(index, undefined)}>Remove condition</Button>
        </div>
      ))}
      <div className={styles['badges']}>
        <Button onClick={() => onChange({ ...group, children: [...group.children, NEW_PART] })}>
          Add to this group
        </Button>
        {group.children.length > 1 && (
          <Select
            label="Of these"
            value={group.value ?? 'AND'}
            options={[
              { value: 'AND', label: 'all must be true' },
              { value: 'OR', label: 'one must be true' },
            ]}
            onChange={(value) => onChange({ ...group, value })}
          />
        )}
        <CheckBox
          label="Not: the opposite counts"
          checked={group.isNegated ?? false}
          onChange={(isNegated) => onChange({ ...group, isNegated })}
        />
      </div>
    </fieldset>
  );
}
