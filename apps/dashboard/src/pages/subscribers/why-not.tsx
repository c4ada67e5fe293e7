import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { workflowChoices } from '../../api/choices';
import { api, type Schemas, unwrap } from '../../api/client';
import { Columns, TextArea, TextField } from '../../ui/field';
import { Alert, LoadError, Section, Skeleton } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { Badge, type Tone } from '../../ui/status';
import { Time } from '../../ui/time';
import { localTime, objectOf } from '../../ui/typed';
import { NO_WORKFLOW } from './search';
import styles from './subscribers.module.css';

type Explanation = Schemas['ExplanationDto'];
type Step = Schemas['DryRunStepDto'];
type Rule = Schemas['EvaluatedRuleDto'];

const RULE_NAMES: Record<Rule['rule'], string> = {
  workflow: 'Workflow',
  limits: 'Limits of the environment',
  payload: 'Payload',
  previous_steps: 'Steps before',
  hold: 'Hold',
  conditions: 'Conditions',
  skip: 'Rule skip',
  runIf: 'Rule runIf',
  preferences: 'Preferences',
  schedule: 'Schedule',
  timing: 'Timing',
  integration: 'Integration',
  content: 'Content',
  address: 'Address',
  suppression: 'Suppression',
  provider: 'Provider',
};

/** Asks why a workflow does not reach the subscriber, now or at another time, and shows each rule in order. */
export function WhyNot({ subscriberId }: { subscriberId: string }) {
  const { why = NO_WORKFLOW, at } = useSearch({ from: '/signed-in/subscribers/$subscriberId' });
  const navigate = useNavigate({ from: '/subscribers/$subscriberId' });
  const [payload, setPayload] = useState('');
  const given = objectOf(payload);
  const explanation = useQuery({
    queryKey: ['subscriber', subscriberId, 'explanation', why, at, payload],
    enabled: why !== NO_WORKFLOW && given.value !== undefined,
    placeholderData: keepPreviousData,
    queryFn: () => {
      const params = { path: { subscriberId } };
      const body = { workflowId: why, payload: given.value ?? {}, at };
      return unwrap(api.POST('/v1/subscribers/{subscriberId}/explain', { params, body }));
    },
  });
  return (
    <Section title="Does a workflow reach this person?">
      <Columns>
        <Picker
          label="Workflow"
          placeholder="Choose a workflow"
          value={why}
          choices={workflowChoices}
          onChange={(workflowId) => void navigate({ search: (before) => ({ ...before, why: workflowId }) })}
        />
        <TextField
          label="Time"
          type="datetime-local"
          hint="Empty: now. Conditions and the schedule are evaluated at this time, with today's workflow."
          value={at ? localTime(new Date(at)) : ''}
          onChange={(text) =>
            void navigate({
              search: (before) => ({ ...before, at: text ? new Date(text).toISOString() : undefined }),
              replace: true,
            })
          }
        />
        <TextArea
          label="Payload"
          hint="A JSON object, for conditions and templates that read it. Empty: none."
          rows={2}
          isCode
          value={payload}
          onChange={setPayload}
          error={given.fault && 'This is not a JSON object.'}
        />
      </Columns>
      {explanation.isError && <LoadError error={explanation.error} onRetry={() => void explanation.refetch()} />}
      {explanation.isLoading && <Skeleton lines={6} />}
      {why !== NO_WORKFLOW && explanation.data && <Answer explanation={explanation.data} />}
    </Section>
  );
}

const ANSWERS: Record<Explanation['outcome'], { tone: Tone; text: string }> = {
  would_send: { tone: 'good', text: 'The message would be sent.' },
  would_wait: { tone: 'info', text: 'The message would be sent later.' },
  would_not_send: { tone: 'warn', text: 'No message would be sent.' },
};

function Answer({ explanation }: { explanation: Explanation }) {
  const { outcome, blockers, rules, steps, sent } = explanation;
  const { tone, text } = ANSWERS[outcome];
  return (
    <>
      <Alert tone={tone}>{text}</Alert>
      {blockers.length > 0 && (
        <ol className={styles['rules']} aria-label="What stops it">
          {blockers.map(({ stepId, rule, reason, action }) => (
            <li key={`${stepId} ${rule}`} className={styles['rule']}>
              <strong>
                {RULE_NAMES[rule]}
                {stepId !== undefined && ` of ${stepId}`}
              </strong>
              <p>
                {reason} {action}
              </p>
            </li>
          ))}
        </ol>
      )}
      <section className={styles['step']} aria-label="Trigger">
        <h3>Trigger</h3>
        <Rules rules={rules} />
      </section>
      {steps.map((step) => (
        <StepRules key={step.stepId} step={step} />
      ))}
      {sent && <Sent sent={sent} />}
    </>
  );
}

const OUTCOMES: Record<Step['outcome'], { tone: Tone; word: string }> = {
  would_send: { tone: 'good', word: 'Would send' },
  would_skip: { tone: 'calm', word: 'Would not send' },
  would_fail: { tone: 'bad', word: 'Would fail' },
  would_wait: { tone: 'info', word: 'Would wait' },
  would_merge: { tone: 'info', word: 'Would join a digest' },
  would_complete: { tone: 'good', word: 'Would continue' },
};

function StepRules({ step }: { step: Step }) {
  const { tone, word } = OUTCOMES[step.outcome];
  return (
    <section className={styles['step']} aria-label={`Step ${step.stepId}`}>
      <div className="row">
        <h3>
          {step.stepId} ({step.type})
        </h3>
        <Badge tone={tone}>{word}</Badge>
        {step.until && (
          <span>
            until <Time at={step.until} />
          </span>
        )}
      </div>
      <Rules rules={step.rules ?? []} />
    </section>
  );
}

function Rules({ rules }: { rules: Rule[] }) {
  return (
    <ol className={styles['rules']}>
      {rules.map((rule) => (
        <li key={rule.rule} className={styles['rule']}>
          <span>
            <Badge tone={rule.passed ? 'good' : 'bad'}>{rule.passed ? 'Passed' : 'Stopped'}</Badge>
          </span>
          <p>
            <strong>{RULE_NAMES[rule.rule]}.</strong> {rule.detail}
          </p>
          <Values values={rule.values} />
        </li>
      ))}
    </ol>
  );
}

/** Plain values in a line, and lists as JSON, which shows every comparison. */
function Values({ values }: { values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <dl className={styles['values']}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className={styles['name']}>{name}</dt>
          <dd>
            <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Sent({ sent }: { sent: NonNullable<Explanation['sent']> }) {
  return (
    <section className={styles['step']} aria-label="What was really sent">
      <h3>What was really sent</h3>
      <p>
        From <Time at={sent.after} /> to <Time at={sent.before} />:
      </p>
      {sent.notifications.length === 0 && (
        <p>Nothing. No event of this workflow was accepted for this subscriber in that hour.</p>
      )}
      <ul className={styles['rows']}>
        {sent.notifications.map(({ _id, createdAt, steps }) => (
          <li key={_id} className={styles['row']}>
            <Link to="/activity/$notificationId" params={{ notificationId: _id }}>
              <Time at={createdAt} />
            </Link>
            <span>{steps.map(({ stepId, status, reason }) => `${stepId}: ${reason ?? status}`).join('; ')}</span>
          </li>
        ))}
      </ul>
      {sent.hasMore && <p>There are more.</p>}
    </section>
  );
}
