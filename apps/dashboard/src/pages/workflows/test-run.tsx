import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { subscriberChoices } from '../../api/choices';
import { api, type Schemas, unwrap } from '../../api/client';
import { localeChoices } from '../../api/locales';
import { Button, ButtonLink } from '../../ui/button';
import { CodeEditor } from '../../ui/code-editor';
import { useEnvironment } from '../../session/session';
import { classes } from '../../ui/classes';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Form, TextField, useFields } from '../../ui/field';
import { Picker } from '../../ui/picker';
import { Alert, messageOf } from '../../ui/page';
import { Badge, type Tone } from '../../ui/status';
import { Time } from '../../ui/time';
import { objectOf } from '../../ui/typed';
import type { Workflow } from './draft';
import { type Sample, samplePayload } from './sample';
import styles from './workflows.module.css';

type TestRunProps = {
  workflow: Workflow;
  sample: Sample;
  isChanged: boolean;
  isSaving: boolean;
  onSave(): void;
  onClose(): void;
};

/** First explains what would happen, rule by rule; then sends. */
export function TestRun({ workflow, sample, isChanged, isSaving, onSave, onClose }: TestRunProps) {
  const [subscriberId, setSubscriberId] = useState(sample.subscriberId ?? '');
  const { values, field } = useFields({ email: '', phone: '', locale: sample.locale ?? '' });
  const profile = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const [payload, setPayload] = useState(() =>
    JSON.stringify(samplePayload(sample) ?? workflow.payloadExample ?? {}, null, 2),
  );
  const parsed = objectOf(payload);
  const trigger = (dryRun: boolean) =>
    unwrap(
      api.POST('/v1/events/trigger', {
        params: { query: dryRun ? { dryRun } : { test: true } },
        body: {
          name: workflow.workflowId,
          to: { subscriberId, ...profile },
          payload: parsed.value ?? {},
        },
      }),
    );
  const explanation = useMutation({ mutationFn: () => trigger(true) });
  const sending = useMutation({ mutationFn: () => trigger(false) });
  const { name, kind } = useEnvironment();
  const [isAsking, setAsking] = useState(false);
  const isReady = !isChanged && parsed.value && subscriberId !== '';
  const dryRun = explanation.data?.dryRun;
  return (
    <Dialog title="Test run" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {isChanged && (
        <Alert
          tone="warn"
          action={
            <Button isBusy={isSaving} onClick={onSave}>
              Save first
            </Button>
          }
        >
          A test run uses the workflow as it is saved. Your changes are not saved yet.
        </Alert>
      )}
      <Form error={explanation.error} onSubmit={() => isReady && explanation.mutate()}>
        <Picker
          label="Subscriber"
          required
          autoFocus
          isFree
          value={subscriberId}
          choices={subscriberChoices}
          hint="You, or another person. A subscriberId that does not exist is created."
          onChange={setSubscriberId}
        />
        <div className={styles['pair']}>
          <TextField label="Email address" type="email" hint="Written to the profile" {...field('email')} />
          <TextField label="Phone number" type="tel" hint="Written to the profile" {...field('phone')} />
          <Picker label="Locale" isFree choices={localeChoices} hint="Written to the profile" {...field('locale')} />
        </div>
        <CodeEditor label="Payload" language="json" value={payload} error={parsed.fault} onChange={setPayload} />
        <div className="row">
          <Button type="submit" kind="primary" isBusy={explanation.isPending} disabled={isChanged}>
            Dry run
          </Button>
          <span className="quiet">Nothing is sent and nothing is changed.</span>
        </div>
      </Form>
      {explanation.data && !dryRun && (
        <Alert tone="bad">{[explanation.data.status, ...(explanation.data.error ?? [])].join(': ')}</Alert>
      )}
      {dryRun?.recipients.map((recipient) => (
        <Explained key={recipient.subscriberId} recipient={recipient} />
      ))}
      {dryRun && (
        <div className="row">
          <Button
            kind="primary"
            isBusy={sending.isPending}
            disabled={!isReady}
            onClick={() => (kind === 'production' ? setAsking(true) : sending.mutate())}
          >
            Send
          </Button>
          <span className="quiet">Starts the workflow for {subscriberId}.</span>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Send in ${name}?`}
          action="Send"
          onClose={() => setAsking(false)}
          run={async () => sending.mutate()}
        >
          <p>{subscriberId} gets real messages.</p>
        </ConfirmDialog>
      )}
      {sending.error && <Alert tone="bad">{messageOf(sending.error)}</Alert>}
      {sending.data &&
        (sending.data.transactionId && sending.data.status === 'processed' ? (
          <Alert
            tone="good"
            action={
              <ButtonLink to="/activity" search={{ transactionId: [sending.data.transactionId] } as never}>
                Show it in the activity
              </ButtonLink>
            }
          >
            The trigger is accepted.
          </Alert>
        ) : (
          <Alert tone="bad">{[sending.data.status, ...(sending.data.error ?? [])].join(': ')}</Alert>
        ))}
    </Dialog>
  );
}

const OUTCOMES: Record<Schemas['DryRunStepDto']['outcome'], { tone: Tone; word: string }> = {
  would_send: { tone: 'good', word: 'Would be sent' },
  would_skip: { tone: 'calm', word: 'Would be skipped' },
  would_fail: { tone: 'bad', word: 'Would fail' },
  would_wait: { tone: 'info', word: 'Would wait' },
  would_merge: { tone: 'info', word: 'Would join a digest' },
  would_complete: { tone: 'good', word: 'Would complete' },
};

function Explained({ recipient }: { recipient: Schemas['DryRunRecipientDto'] }) {
  return (
    <section aria-label={`What would happen for ${recipient.subscriberId}`} className="stack">
      <h3>
        For {recipient.subscriberId}
        {!recipient.exists && ', who would be created'}
      </h3>
      <ol className={styles['explained']}>
        {recipient.steps.map((step) => (
          <li key={step.stepId}>
            <p className="row">
              <strong>{step.stepId}</strong>
              <Badge tone={OUTCOMES[step.outcome].tone}>{OUTCOMES[step.outcome].word}</Badge>
              {step.until && (
                <span className="quiet">
                  until <Time at={step.until} />
                </span>
              )}
            </p>
            <p>{step.why}</p>
            {step.content?.to && <p className="quiet">To {step.content.to.join(', ')}</p>}
            <details className={styles['more']}>
              <summary>Every rule and detail</summary>
              <ol className={classes('bullets', styles['changes'])}>
                {step.details.map(({ detail, status, raw }, index) => (
                  <li key={index}>
                    {detail} <span className="quiet">({status})</span>
                    {raw !== undefined && (
                      <pre className={styles['plainValues']}>
                        {typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2)}
                      </pre>
                    )}
                  </li>
                ))}
              </ol>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
