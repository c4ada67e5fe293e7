import { Button } from '../../ui/button';
import type { CodeWords } from '../../ui/code-mirror';
import { TextField } from '../../ui/field';
import { Section } from '../../ui/page';
import { Conditions } from './conditions';
import type { ControlsSchema, DraftStep, Filter, Values } from './draft';
import type { Editing } from './editing';
import { StepForm } from './step-form';
import styles from './workflows.module.css';

type Variant = DraftStep['variants'][number];

type VariantsProps = {
  step: DraftStep;
  schema: ControlsSchema;
  words: CodeWords;
  editing: Editing;
  onChange(step: DraftStep): void;
};

/** Other contents of the step, of which the first with true conditions is sent instead. */
export function Variants({ step, schema, words, editing: { types, canWrite }, onChange }: VariantsProps) {
  const { variants } = step;
  const set = (index: number, variant: Variant | undefined): void =>
    onChange({ ...step, variants: variants.flatMap((each, place) => (place === index ? (variant ?? []) : each)) });
  if (variants.length === 0 && !canWrite) return null;
  return (
    <Section title="Variants">
      <p className="quiet">The first variant whose conditions are true is sent instead of the content above.</p>
      {variants.map((variant, index) => {
        const name = variant.name ?? `Variant ${index + 1}`;
        const filters = (variant.filters ?? []) as Filter[];
        const values = (variant.controlValues ?? {}) as Values;
        return (
          <details key={variant._id ?? index} className={styles['variant']} open={variant._id === undefined}>
            <summary>{name}</summary>
            <div className="stack" role="group" aria-label={name}>
              <TextField
                label="Variant name"
                value={variant.name ?? ''}
                onChange={(typed) => set(index, { ...variant, name: typed || undefined })}
              />
              <Conditions
                of={{ filters, values }}
                types={types}
                words={words}
                issues={{}}
                isReadOnly={!canWrite}
                onChange={(changed) => set(index, { ...variant, filters: changed.filters })}
              />
              <StepForm
                type={step.type}
                schema={schema}
                values={values}
                issues={{}}
                words={words}
                senders={[]}
                isReadOnly={!canWrite}
                onChange={(controlValues) => set(index, { ...variant, controlValues })}
              />
              {canWrite && (
                <div>
                  <Button kind="danger" onClick={() => set(index, undefined)}>
                    Delete variant
                  </Button>
                </div>
              )}
            </div>
          </details>
        );
      })}
      {canWrite && (
        <div>
          <Button
            onClick={() =>
              onChange({
                ...step,
                variants: [
                  ...variants,
                  { name: `Variant ${variants.length + 1}`, active: true, filters: [], controlValues: step.values },
                ],
              })
            }
          >
            Add variant
          </Button>
        </div>
      )}
    </Section>
  );
}
