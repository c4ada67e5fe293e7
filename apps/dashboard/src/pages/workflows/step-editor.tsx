import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { CheckBox, TextField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Alert, Section } from '../../ui/page';
import { Conditions } from './conditions';
import { type ControlsSchema, type DraftStep, isSame, type Step, type Values } from './draft';
import type { Editing } from './editing';
import { issuesOf } from './issues';
import { StepForm } from './step-form';
import type { Rule } from './use-preview';
import { useWords } from './use-words';
import { Variants } from './variants';
import styles from './workflows.module.css';

type StepEditorProps = {
  step: DraftStep;
  /** The step as it is saved; undefined for a new one. */
  saved: Step | undefined;
  earlier: DraftStep[];
  editing: Editing;
  /** The result of the conditions for the sample. */
  rules: Rule[] | undefined;
  place: { isFirst: boolean; isLast: boolean };
  onChange(step: DraftStep): void;
  onMove(by: number): void;
  onDelete(): void;
};

export function StepEditor(props: StepEditorProps) {
  const { step, saved, earlier, editing, rules, place, onChange, onMove, onDelete } = props;
  const { types, canWrite, onSearch } = editing;
  const { controls, isChannel } = types.data.find(({ type }) => type === step.type)!;
  const schema = controls as ControlsSchema;
  const words = useWords(editing, earlier);
  // Issues are found when the workflow is saved; those of a control that was changed since then are out of date.
  const savedValues = saved?.controlValues as Values | undefined;
  const issues = issuesOf(
    saved,
    (control) => savedValues !== undefined && isSame(savedValues[control], step.values[control]),
  );
  return (
    <section className={classes('stack', styles['stepEditor'])} aria-label={`Step ${step.name}`}>
      <div className={styles['stepHead']}>
        <h2>{step.name || 'Step without a name'}</h2>
        <div className={styles['stepActions']}>
          {canWrite && (
            <>
              <Button onClick={() => onSearch({ preview: editing.search.preview === 'phone' ? 'phone' : 'desktop' })}>
                Preview
              </Button>
              <Button
                aria-label="Move up"
                title="Move up (Alt and the arrow key)"
                aria-keyshortcuts="Alt+ArrowUp"
                disabled={place.isFirst}
                onClick={() => onMove(-1)}
              >
                <Icon name="up" size={14} />
              </Button>
              <Button
                aria-label="Move down"
                title="Move down (Alt and the arrow key)"
                aria-keyshortcuts="Alt+ArrowDown"
                disabled={place.isLast}
                onClick={() => onMove(1)}
              >
                <Icon name="down" size={14} />
              </Button>
              <Button kind="danger" onClick={onDelete}>
                Delete
              </Button>
            </>
          )}
        </div>
      </div>
      {issues.general.map((message) => (
        <Alert key={message} tone="warn">
          {message}
        </Alert>
      ))}
      <fieldset className="stack" disabled={!canWrite}>
        <section className="stack" aria-label="Content">
          <StepForm
            type={step.type}
            schema={schema}
            values={step.values}
            issues={issues.controls}
            words={words}
            senders={earlier.filter(({ type }) => types.data.some((each) => each.type === type && each.isChannel))}
            isReadOnly={!canWrite}
            onChange={(values) => onChange({ ...step, values })}
          />
        </section>
        <Section title="Conditions">
          <Conditions
            of={step}
            types={types}
            schema={schema}
            words={words}
            issues={issues.controls}
            rules={rules}
            isReadOnly={!canWrite}
            onChange={(changed) => onChange({ ...step, ...changed })}
          />
        </Section>
        <Section title="Step">
          <div className={styles['pair']}>
            <TextField label="Step name" required value={step.name} onChange={(name) => onChange({ ...step, name })} />
            <TextField
              label="Step id"
              value={step.stepId ?? ''}
              hint="The name in templates and overrides: steps.<id>"
              onChange={(stepId) => onChange({ ...step, stepId })}
            />
          </div>
          <CheckBox
            label="On: the step runs"
            checked={step.active}
            onChange={(active) => onChange({ ...step, active })}
          />
          <CheckBox
            label="End the notification when this step fails"
            checked={step.shouldStopOnFail}
            onChange={(shouldStopOnFail) => onChange({ ...step, shouldStopOnFail })}
          />
        </Section>
        {isChannel && <Variants step={step} schema={schema} words={words} editing={editing} onChange={onChange} />}
      </fieldset>
    </section>
  );
}
