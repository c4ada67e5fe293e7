import { useQuery } from '@tanstack/react-query';
import { choicesOf, subscriberChoices } from '../../api/choices';
import type { Schemas } from '../../api/client';
import { localeChoice } from '../../api/locales';
import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { CodeEditor } from '../../ui/code-editor';
import { type FrameWidth, MessageFrame, WidthButtons } from '../../ui/message-frame';
import { Picker } from '../../ui/picker';
import { Alert, messageOf, Skeleton } from '../../ui/page';
import { allTranslationsQuery, environmentQuery } from '../translations/data';
import type { DraftStep, Values } from './draft';
import { labelOf } from './blocks/labels';
import type { Sample } from './sample';
import { TemplateText } from './template-text';
import type { usePreview } from './use-preview';
import styles from './workflows.module.css';

const PHONE_PIXELS = 360;
const SAMPLE_HINT =
  'What the templates read: payload, subscriber, steps, actor, tenant, context. It stays here, and test runs use it.';

type PreviewPanelProps = {
  step: DraftStep;
  shown: ReturnType<typeof usePreview>;
  sample: Sample;
  onSample(changes: Sample): void;
  width: FrameWidth;
  onWidth(width: FrameWidth | 'off'): void;
};

/** The message as a subscriber gets it. */
export function PreviewPanel({ step, shown, sample, onSample, width, onWidth }: PreviewPanelProps) {
  const { preview, person, fault } = shown;
  const environment = useQuery(environmentQuery());
  const translations = useQuery(allTranslationsQuery());
  const example = preview.data && JSON.stringify(preview.data.previewPayloadExample, null, 2);
  const standard = environment.data?.defaultLocale;
  const locales = [...new Set((translations.data ?? []).map(({ locale }) => locale))].sort();
  return (
    <section className={classes('stack', styles['preview'])} aria-label="Preview" aria-busy={preview.isFetching}>
      <div className={styles['stepHead']}>
        <h2>Preview</h2>
        <div className={styles['stepActions']}>
          <WidthButtons width={width} onChange={onWidth} />
          <Button kind="plain" onClick={() => onWidth('off')}>
            Hide preview
          </Button>
        </div>
      </div>
      <div className={classes('unlabelled', styles['whom'])}>
        <Picker
          label="Sample subscriber"
          placeholder="Example person"
          value={sample.subscriberId ?? ''}
          choices={subscriberChoices}
          onChange={(subscriberId) => onSample({ subscriberId: subscriberId || undefined })}
        />
        <Picker
          label="Locale"
          placeholder={person?.locale ? `Theirs (${person.locale})` : `Default (${standard ?? '…'})`}
          value={sample.locale ?? ''}
          choices={choicesOf(`locales ${locales.join()}`, () => locales.map(localeChoice))}
          onChange={(locale) => onSample({ locale: locale || undefined })}
        />
      </div>
      {preview.error && <Alert tone="bad">{messageOf(preview.error)}</Alert>}
      {!preview.data && !preview.error && <Skeleton isBlock />}
      {preview.data && !preview.error && (
        <div className={classes(styles['device'], width === 'phone' && styles['phone'])}>
          <Message step={step} preview={preview.data} width={width} />
        </div>
      )}
      {preview.data?.missingTranslations && (
        <Alert tone="warn">
          Missing in {sample.locale ?? person?.locale ?? standard}, so the key is sent:{' '}
          {preview.data.missingTranslations.join(', ')}
        </Alert>
      )}
      <details className={styles['more']} open={sample.text !== undefined}>
        <summary>Sample values</summary>
        <CodeEditor
          label="Sample"
          language="json"
          hint={SAMPLE_HINT}
          value={sample.text ?? example ?? ''}
          error={fault}
          onChange={(text) => onSample({ text })}
        />
        {sample.text !== undefined && (
          <Button onClick={() => onSample({ text: undefined })}>Use the example values</Button>
        )}
      </details>
    </section>
  );
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

type MessageProps = { step: DraftStep; preview: Schemas['StepPreviewDto']; width: FrameWidth };

function Message({ step, preview, width }: MessageProps) {
  const message = preview.result.preview;
  const { subject, body } = message;
  switch (preview.result.type) {
    case 'digest':
      return <Collected stepId={step.stepId ?? ''} steps={preview.previewPayloadExample.steps} />;
    case 'email':
      return (
        <>
          <p className={styles['subject']}>{text(subject) || 'Without a subject'}</p>
          <div className={styles['framed']}>
            <MessageFrame
              title="Body of the email"
              html={text(body)}
              width={width === 'phone' ? PHONE_PIXELS : undefined}
            />
          </div>
        </>
      );
    case 'in_app':
      return (
        <div className={styles['card']}>
          <strong>{text(subject)}</strong>
          <p className={styles['bubbleText']}>{text(body)}</p>
          <p className="row">
            {['primaryAction', 'secondaryAction'].map((name) => {
              const action = message[name] as { label?: string } | undefined;
              return action?.label ? (
                <span key={name} className={styles['tag']}>
                  {action.label}
                </span>
              ) : null;
            })}
          </p>
        </div>
      );
    case 'push':
      return (
        <div className={styles['card']}>
          <strong>{text(subject)}</strong>
          <p className={styles['bubbleText']}>{text(body)}</p>
        </div>
      );
    case 'sms':
    case 'chat':
      return <p className={classes(styles['bubble'], styles['bubbleText'])}>{text(body)}</p>;
    default:
      return <pre className={styles['plainValues']}>{JSON.stringify(message, null, 2)}</pre>;
  }
}

const plainValues = (payload: Values): string[] =>
  Object.entries(payload).flatMap(([key, value]) =>
    typeof value === 'object' ? [] : `${labelOf(key)}: ${text(value)}`,
  );

type CollectedProps = { stepId: string; steps: Values | undefined };

/** The events of the sample, as a digest hands them to the next step. */
function Collected({ stepId, steps }: CollectedProps) {
  const { events = [] } = (steps?.[stepId] ?? {}) as { events?: { time?: string; payload?: Values }[] };
  return (
    <section className={styles['card']} aria-label="What the next step gets">
      <h3>What the next step gets</h3>
      <ol className={styles['events']}>
        {events.map(({ time, payload = {} }, index) => (
          <li key={index}>
            {time && <time dateTime={time}>{time.slice(11, 16)}</time>}
            <span>{plainValues(payload).join(', ') || 'An event without plain values'}</span>
          </li>
        ))}
      </ol>
      <p className="quiet">
        <TemplateText
          text={`A Repeat block shows {{ steps.${stepId}.events }}, a text {{ steps.${stepId}.eventCount }}.`}
        />
      </p>
    </section>
  );
}
