import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { Empty } from '../../ui/empty';
import { classes } from '../../ui/classes';
import { Badge } from '../../ui/status';
import { AddStep } from './add-step';
import { type DraftStep, moved, newStep, type StepType } from './draft';
import type { Editing } from './editing';
import { PreviewPanel } from './preview-panel';
import { StepEditor } from './step-editor';
import styles from './workflows.module.css';

/** The steps in order beside the selected one. The arrow keys choose a step, Alt with an arrow key moves it. */
export function StepsPanel(editing: Editing) {
  const { base, draft, types, canWrite, onChange, search, onSearch } = editing;
  const { steps } = draft;
  const list = useRef<HTMLOListElement>(null);
  const index = Math.max(
    0,
    steps.findIndex(({ key }) => key === search.step),
  );
  const selected = steps[index];
  const titles = Object.fromEntries(types.data.map(({ type, title }) => [type, title]));

  const select = (step: DraftStep | undefined, { focus = false } = {}): void => {
    onSearch({ step: step?.key });
    if (focus && step) requestAnimationFrame(() => linkOf(list.current, step.key)?.focus());
  };
  const add = (type: StepType): void => {
    const step = newStep(types, type, steps);
    const place = selected ? index + 1 : 0;
    onChange({ steps: [...steps.slice(0, place), step, ...steps.slice(place)] });
    select(step);
  };
  const move = (by: number): void => {
    if (!selected || index + by < 0 || index + by >= steps.length) return;
    onChange({ steps: moved(steps, index, by) });
    onSearch({ step: selected.key });
  };
  const remove = (): void => {
    onChange({ steps: steps.filter((step) => step !== selected) });
    select(steps[index + 1] ?? steps[index - 1], { focus: true });
  };
  const replace = (step: DraftStep): void =>
    onChange({ steps: steps.map((each) => (each === selected ? step : each)) });

  const savedOf = (step: DraftStep) => base.steps.find(({ _id }) => _id === step._id);
  // Rendering is tenant work, which a read key may not start.
  const isPreviewed = selected !== undefined && canWrite && search.preview !== 'off';
  return (
    <div className={classes(styles['editor'], isPreviewed && styles['withPreview'])}>
      <nav className={styles['steps']} aria-label="Steps">
        <ol
          ref={list}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            if (event.altKey && canWrite) move(by);
            else select(steps[index + by] ?? selected, { focus: true });
          }}
        >
          {steps.map((step, place) => (
            <li key={step.key} className={classes(styles['step'], step === selected && styles['selected'])}>
              <Link
                from="/workflows/$workflowId"
                to="."
                search={(before) => ({ ...before, step: step.key })}
                replace
                data-step={step.key}
                aria-current={step === selected ? 'step' : undefined}
              >
                <span className={styles['place']}>{place + 1}</span>
                <span className={styles['stepName']}>
                  {step.name}
                  <span className={styles['quiet']}>
                    {titles[step.type]}
                    {summaryOf(step)}
                  </span>
                </span>
                {hasIssues(savedOf(step)?.issues) && <Badge tone="bad">Issues</Badge>}
                {!step.active && <Badge tone="calm">Off</Badge>}
              </Link>
            </li>
          ))}
        </ol>
        {canWrite && <AddStep types={types} onAdd={add} />}
      </nav>
      {selected ? (
        <>
          <StepEditor
            key={selected.key}
            step={selected}
            saved={savedOf(selected)}
            earlier={steps.slice(0, index)}
            editing={editing}
            place={{ isFirst: index === 0, isLast: index === steps.length - 1 }}
            onChange={replace}
            onMove={move}
            onDelete={remove}
          />
          {isPreviewed && (
            <PreviewPanel
              key={`${selected.key} preview`}
              workflowId={base.workflowId}
              step={selected}
              isSaved={savedOf(selected) !== undefined}
              width={search.preview === 'phone' ? 'phone' : 'desktop'}
              onWidth={(preview) => onSearch({ preview })}
            />
          )}
        </>
      ) : (
        <Empty title="This workflow has no steps">
          <p>
            {canWrite
              ? 'Add the first one: a message through a channel, or a step that waits, collects or limits.'
              : 'A trigger of it starts nothing.'}
          </p>
        </Empty>
      )}
    </div>
  );
}

const linkOf = (list: HTMLElement | null, key: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-step="${CSS.escape(key)}"]`) ?? null;

const hasIssues = (issues: object | undefined): boolean => issues !== undefined && Object.keys(issues).length > 0;

/** What the step does, in a few words. */
function summaryOf({ values }: DraftStep): string {
  const { subject, amount, unit, cron } = values;
  if (typeof subject === 'string' && subject) return ` · ${subject}`;
  if (typeof amount === 'number') return ` · ${amount} ${String(unit ?? '')}`;
  return typeof cron === 'string' ? ` · ${cron}` : '';
}
