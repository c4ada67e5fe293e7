import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { choicesOf, subscriberChoices } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import { localeChoice } from '../../api/locales';
import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { CodeEditor } from '../../ui/code-editor';
import { MessageFrame } from '../../ui/message-frame';
import { Picker } from '../../ui/picker';
import { Alert, messageOf, Skeleton } from '../../ui/page';
import { objectOf } from '../../ui/typed';
import { usePause } from '../../ui/use-pause';
import { allTranslationsQuery, environmentQuery } from '../translations/data';
import type { DraftStep, Values } from './draft';
import { type Person, personQuery } from './queries';
import type { Sample } from './sample';
import styles from './workflows.module.css';

/** A pause in typing after which the preview is made again. */
const PAUSE_MS = 400;
const PHONE_PIXELS = 360;
const SAMPLE_HINT =
  'What the templates read: payload, subscriber, steps, actor, tenant, context. It stays here, and test runs use it.';

type PreviewPanelProps = {
  workflowId: string;
  sample: Sample;
  onSample(changes: Sample): void;
  step: DraftStep;
  isSaved: boolean;
  width: 'phone' | 'desktop';
  onWidth(width: 'phone' | 'desktop' | 'off'): void;
};

/** The message as a subscriber gets it, rendered by the code that delivers. */
export function PreviewPanel({ workflowId, sample, onSample, step, isSaved, width, onWidth }: PreviewPanelProps) {
  const environment = useQuery(environmentQuery());
  const translations = useQuery(allTranslationsQuery());
  const { data: person } = useQuery(personQuery(sample.subscriberId));
  const wanted = usePause(JSON.stringify({ values: step.values, sample, person }), PAUSE_MS);
  const asked = JSON.parse(wanted) as { values: Values; sample: Sample; person?: Person };
  const { value: typed, fault } = objectOf(asked.sample.text ?? '');
  const given = asked.sample.text?.trim() ? typed : undefined;
  const stepId = (isSaved ? step._id : step.stepId) || step.type;
  const preview = useQuery({
    queryKey: ['step-preview', workflowId, stepId, step.type, wanted],
    queryFn: async ({ signal }) => {
      const render = (previewPayload?: Values) =>
        unwrap(
          api.POST('/v2/workflows/{workflowId}/step/{stepId}/preview', {
            params: { path: { workflowId, stepId } },
            body: { ...(!isSaved && { type: step.type }), controlValues: asked.values, previewPayload },
            signal,
          }),
        );
      const { locale } = asked.sample;
      if (!asked.person && !locale) return render(given);
      // A person stands in the place of the one of the example, and the other values stay.
      const values = given ?? ((await render()).previewPayloadExample as Values);
      const subscriber = { ...(values['subscriber'] as Values), ...asked.person, ...(locale && { locale }) };
      return render({ ...values, subscriber });
    },
    enabled: fault === undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const example = preview.data && JSON.stringify(preview.data.previewPayloadExample, null, 2);
  const standard = environment.data?.defaultLocale;
  const locales = [...new Set((translations.data ?? []).map(({ locale }) => locale))].sort();
  return (
    <section className={styles['preview']} aria-label="Preview" aria-busy={preview.isFetching}>
      <div className={styles['stepHead']}>
        <h2>Preview</h2>
        <div className={styles['stepActions']}>
          {(['phone', 'desktop'] as const).map((each) => (
            <Button key={each} aria-pressed={width === each} onClick={() => onWidth(each)}>
              {each === 'phone' ? 'Phone' : 'Desktop'}
            </Button>
          ))}
          <Button kind="plain" onClick={() => onWidth('off')}>
            Hide preview
          </Button>
        </div>
      </div>
      <div className={styles['pair']}>
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
      {isSaved && sample.subscriberId && hasConditions(step) && (
        <ConditionResult
          workflowId={workflowId}
          stepId={step.stepId ?? ''}
          subscriberId={sample.subscriberId}
          payload={given?.['payload'] as Values | undefined}
        />
      )}
      {preview.error && <Alert tone="bad">{messageOf(preview.error)}</Alert>}
      {!preview.data && !preview.error && <Skeleton isBlock />}
      {preview.data && !preview.error && (
        <div className={classes(styles['device'], width === 'phone' && styles['phone'])}>
          <Message type={step.type} message={preview.data.result.preview} width={width} />
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

const hasConditions = ({ filters, values }: DraftStep): boolean =>
  filters.length > 0 || Boolean(values['runIf'] ?? values['skip']);

type ConditionResultProps = { workflowId: string; stepId: string; subscriberId: string; payload: Values | undefined };

/** Whether the saved conditions of the step are true for the sample, as the gateway judges them. */
function ConditionResult({ workflowId, stepId, subscriberId, payload }: ConditionResultProps) {
  const { data } = useQuery({
    // Read again after a save, as all queries of workflows.
    queryKey: ['workflows', 'conditions', workflowId, subscriberId, payload],
    queryFn: () => {
      const params = { path: { subscriberId } };
      return unwrap(api.POST('/v1/subscribers/{subscriberId}/explain', { params, body: { workflowId, payload } }));
    },
    retry: false,
  });
  const rules = data?.steps.find((step) => step.stepId === stepId)?.rules ?? [];
  return rules
    .filter(({ rule }) => ['conditions', 'runIf', 'skip'].includes(rule))
    .map(({ rule, passed, detail }) => (
      <Alert key={rule} tone={passed ? 'good' : 'warn'}>
        {passed ? 'The step runs for this sample.' : 'The step does not run for this sample.'} {detail}
      </Alert>
    ));
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

function Message({ type, message, width }: { type: string; message: Values; width: 'phone' | 'desktop' }) {
  const { subject, body } = message;
  switch (type) {
    case 'email':
      return (
        <>
          <p className={styles['subject']}>{text(subject) || 'Without a subject'}</p>
          <MessageFrame
            title="Body of the email"
            html={text(body)}
            width={width === 'phone' ? PHONE_PIXELS : undefined}
          />
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
