import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes';
import { CHANNEL_ICONS, Icon, type IconName } from '../../ui/icon';
import { Empty } from '../../ui/page';
import { Badge } from '../../ui/status';
import { AddStep } from './add-step';
import { type DraftStep, moved, newStep, type StepType } from './draft';
import type { Editing } from './editing';
import { PreviewPanel } from './preview-panel';
import { conditionSentence, summaryOf } from './sentences';
import { StepEditor } from './step-editor';
import { TemplateText } from './template-text';
import { usePreview } from './use-preview';
import styles from './workflows.module.css';

/** The flow of the steps beside the selected one. The arrow keys choose a step, Alt with an arrow key moves it. */
export function StepsPanel(editing: Editing) {
  const { base, draft, types, canWrite, resets, onChange, sample, onSample, search, onSearch } = editing;
  const { steps } = draft;
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [isChosen, setChosen] = useState(false);
  // Where the step lies below the flow, the page goes to the step that was chosen there.
  useEffect(() => {
    if (!isChosen) return;
    setChosen(false);
    const editor = list.current?.closest('nav')?.nextElementSibling;
    if (matchMedia('(max-width: 760px)').matches) editor?.scrollIntoView();
  });
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
  const add = (type: StepType, place: number): void => {
    const step = newStep(types, type, steps);
    onChange({ steps: [...steps.slice(0, place), step, ...steps.slice(place)] });
    select(step);
  };
  const move = (from: number, by: number): void => {
    const step = steps[from];
    if (!step || by === 0 || from + by < 0 || from + by >= steps.length) return;
    onChange({ steps: moved(steps, from, by) });
    onSearch({ step: step.key });
  };
  const drop = (place: number): void => {
    if (dragged !== undefined) move(dragged, (place > dragged ? place - 1 : place) - dragged);
    setDragged(undefined);
    setOver(undefined);
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
  const isSaved = selected !== undefined && savedOf(selected) !== undefined;
  const shown = usePreview(base.workflowId, isPreviewed ? selected : undefined, isSaved, sample);
  return (
    <div className={classes(styles['editor'], isPreviewed && styles['withPreview'])}>
      <nav className={styles['steps']} aria-label="Steps">
        <p className={styles['trigger']}>
          When <code>{base.workflowId}</code> is triggered
        </p>
        <ol
          ref={list}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            // The keys of the menus between the steps are not meant.
            if (by === undefined || !(event.target as Element).matches('[data-step]')) return;
            event.preventDefault();
            if (event.altKey && canWrite) move(index, by);
            else select(steps[index + by] ?? selected, { focus: true });
          }}
        >
          {steps.map((step, place) => (
            <li
              key={step.key}
              className={classes(
                styles['step'],
                step === selected && styles['selected'],
                over === place && styles['dropBefore'],
              )}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                const { top, height } = event.currentTarget.getBoundingClientRect();
                setOver(event.clientY > top + height / 2 ? place + 1 : place);
              }}
              onDrop={(event) => {
                event.preventDefault();
                drop(over ?? place);
              }}
            >
              <div className={styles['between']}>
                {canWrite && <AddStep types={types} isBetween onAdd={(type) => add(type, place)} />}
              </div>
              <Link
                from="/workflows/$workflowId"
                to="."
                search={(before) => ({ ...before, step: step.key })}
                replace
                resetScroll={false}
                data-step={step.key}
                aria-current={step === selected ? 'step' : undefined}
                draggable={canWrite}
                onClick={() => setChosen(true)}
                onDragStart={(event) => {
                  event.dataTransfer.setData('text/plain', step.key);
                  event.dataTransfer.effectAllowed = 'move';
                  setDragged(place);
                }}
                onDragEnd={() => {
                  setDragged(undefined);
                  setOver(undefined);
                }}
              >
                <span className={styles['stepIcon']}>
                  <Icon name={STEP_ICONS[step.type] ?? 'terminal'} size={14} />
                </span>
                <span className={styles['stepName']}>
                  <span className="row">
                    {step.name} {step.name !== titles[step.type] && <small>{titles[step.type]}</small>}
                    {hasIssues(savedOf(step)?.issues) && <Badge tone="bad">Issues</Badge>}
                    {!step.active && <Badge tone="calm">Off</Badge>}
                  </span>
                  <span className="quiet">
                    <TemplateText text={summaryOf(step)} />
                  </span>
                  {conditionSentence(step) && <span className="quiet">{conditionSentence(step)}</span>}
                </span>
              </Link>
            </li>
          ))}
        </ol>
        <div
          className={classes(styles['last'], over === steps.length && styles['dropBefore'])}
          onDragOver={(event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            setOver(steps.length);
          }}
          onDrop={() => drop(steps.length)}
        >
          {canWrite && <AddStep types={types} onAdd={(type) => add(type, steps.length)} />}
        </div>
      </nav>
      {selected ? (
        <>
          <StepEditor
            key={`${selected.key} ${resets}`}
            step={selected}
            saved={savedOf(selected)}
            earlier={steps.slice(0, index)}
            editing={editing}
            rules={isPreviewed ? shown.preview.data?.rules : undefined}
            place={{ isFirst: index === 0, isLast: index === steps.length - 1 }}
            onChange={replace}
            onMove={(by) => move(index, by)}
            onDelete={remove}
          />
          {isPreviewed && (
            <PreviewPanel
              key={`${selected.key} preview`}
              step={selected}
              shown={shown}
              sample={sample}
              onSample={onSample}
              width={search.preview === 'phone' ? 'phone' : 'desktop'}
              onWidth={(preview) => onSearch({ preview })}
            />
          )}
        </>
      ) : (
        <Empty title="This workflow has no steps">
          {canWrite
            ? 'Add the first one: a message through a channel, or a step that waits, collects or limits.'
            : 'A trigger of it starts nothing.'}
        </Empty>
      )}
    </div>
  );
}

const STEP_ICONS: Partial<Record<StepType, IconName>> = {
  ...CHANNEL_ICONS,
  digest: 'layers',
  delay: 'clock',
  throttle: 'pause',
};

const linkOf = (list: HTMLElement | null, key: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-step="${CSS.escape(key)}"]`) ?? null;

const hasIssues = (issues: object | undefined): boolean => issues !== undefined && Object.keys(issues).length > 0;
