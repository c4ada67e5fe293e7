import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useProviderName } from '../../api/providers';
import { CodeBlock } from '../../ui/button';
import { Diff } from '../../ui/diff';
import { Facts, Loaded } from '../../ui/page';
import { MessageFrame } from '../../ui/message-frame';
import { Time } from '../../ui/time';
import { pretty } from './details';
import styles from './notification.module.css';
import {
  type DryRunStep,
  isOpen,
  type Job,
  messagesQuery,
  type Notification,
  rulesQuery,
  type SentMessage,
} from './queries';
import { channelWord } from './words';

type StepProps = { notification: Notification; job: Job };

/** What the step has sent, or the words where it has sent nothing. */
function Messages({ notification, job, none, children }: StepProps & MessagesProps) {
  return (
    <Loaded query={useQuery(messagesQuery(notification._id!, notification.updatedAt))} lines={4}>
      {({ data }) => {
        const messages = data.filter(({ _jobId }) => _jobId === job._id);
        return messages.length === 0
          ? none
          : messages.map((message) => (
              <article key={message._id} className={styles['message']} aria-label={`Message ${message._id}`}>
                {children(message)}
              </article>
            ));
      }}
    </Loaded>
  );
}

type MessagesProps = { none: ReactNode; children(message: SentMessage): ReactNode };

/** The last answer first. */
export function Answers(props: StepProps) {
  return (
    <Messages {...props} none={<p>No provider was called.</p>}>
      {({ answers, providerId }) =>
        answers.length === 0 ? (
          <p>No answer of a provider was recorded.</p>
        ) : (
          answers
            .toReversed()
            .map((answer) => <Answer key={`${answer.at} ${answer.detail}`} {...answer} providerId={providerId} />)
        )
      }
    </Messages>
  );
}

const WORDS: Record<string, string> = { 'Message sent': 'Accepted', 'Unexpected provider error': 'Refused' };

type AnswerProps = SentMessage['answers'][number] & { providerId?: string };

function Answer({ at, detail, raw, providerId }: AnswerProps) {
  const nameOf = useProviderName();
  return (
    <div>
      <p className={styles['paneHead']}>
        <strong>{WORDS[detail] ?? detail}</strong>
        <span className="quiet">
          {providerId && `${nameOf(providerId)}, `}
          <Time at={at} relative />
        </span>
      </p>
      {raw && <CodeBlock text={asAnswered(raw)} label="Answer of the provider" />}
    </div>
  );
}

/** What the provider wrote, below its status, where it is known; else what was recorded about it. */
function asAnswered(raw: string): string {
  try {
    const { status, answer } = JSON.parse(raw) as { status?: unknown; answer?: unknown };
    if (typeof answer !== 'string') return pretty(raw);
    return [typeof status === 'number' && `HTTP ${status}`, pretty(answer)].filter(Boolean).join('\n');
  } catch {
    return raw;
  }
}

export function Sent(props: StepProps) {
  return (
    <Messages {...props} none={<p>This step has sent no message.</p>}>
      {(message) => <Content {...message} />}
    </Messages>
  );
}

/** The whole record of each message, and its source. */
export function SentInFull(props: StepProps) {
  const nameOf = useProviderName();
  return (
    <Messages {...props} none={<Planned {...props} />}>
      {(message) => (
        <>
          <Content {...message} />
          <Facts
            facts={{
              Provider: message.providerId && nameOf(message.providerId),
              'Id at the provider': message.providerMessageId && <code>{message.providerMessageId}</code>,
              'Message id': <code>{message._id}</code>,
              Status: message.status,
              Error: message.errorText,
              'Too large to show': message.leftOut?.join(', '),
              Stored: <Time at={message.createdAt} />,
            }}
          />
          <details>
            <summary>Source</summary>
            <CodeBlock text={message.content} label="Source" />
          </details>
        </>
      )}
    </Messages>
  );
}

type ContentProps = { channel: string; to?: string[]; subject?: string; title?: string; content: string };

function Content({ channel, to, subject, title, content }: ContentProps) {
  return (
    <>
      <Facts facts={{ To: to?.join(', '), Subject: subject, Title: title }} />
      {channel === 'email' ? (
        <MessageFrame html={content} title="Message as it was sent" />
      ) : (
        <p className={styles['bubble']}>{content}</p>
      )}
    </>
  );
}

type TodayProps = { notification: Notification; stepId: string | undefined; children(today: DryRunStep): ReactNode };

/** What the workflow of today gives for the same event. */
function Today({ notification, stepId, children }: TodayProps) {
  return (
    <Loaded query={useQuery(messagesQuery(notification._id!, notification.updatedAt, true))} lines={4}>
      {({ today = [], todayMissing }) => {
        const found = today.find((step) => step.stepId === stepId);
        if (todayMissing) return <p>{todayMissing}</p>;
        if (!found) return <p>The workflow of today does not have this step.</p>;
        return found.content ? children(found) : <p>Today this step would not send a message: {found.why}.</p>;
      }}
    </Loaded>
  );
}

const bodyOf = ({ content }: DryRunStep): string => content?.html ?? content?.body ?? content?.text ?? '';

/** Before anything was sent: what would be. */
function Planned({ notification, job }: StepProps) {
  const place = (notification.jobs ?? []).indexOf(job);
  const { data } = useQuery(rulesQuery(notification._id!, notification.updatedAt));
  if (channelWord(job.type) === 'step' || !isOpen(job)) return <p>This step has sent no message.</p>;
  return (
    <>
      <p>Nothing was sent yet. The workflow of today would send this:</p>
      <Today notification={notification} stepId={data?.steps[place]?.stepId}>
        {(today) => (
          <Content
            channel={job.type}
            to={today.content?.to}
            subject={today.content?.subject}
            title={today.content?.title}
            content={bodyOf(today)}
          />
        )}
      </Today>
    </>
  );
}

export function AgainstToday({ notification, job }: StepProps) {
  return (
    <Messages notification={notification} job={job} none={<p>This step has sent no message.</p>}>
      {({ stepId, subject, title, content }) => (
        <Today notification={notification} stepId={stepId}>
          {(today) => (
            <>
              <p>Lines with a minus were sent; lines with a plus are what the template gives today.</p>
              <Diff
                label="As sent against today"
                before={[subject ?? title ?? '', content].join('\n')}
                after={[today.content?.subject ?? today.content?.title ?? '', bodyOf(today)].join('\n')}
              />
            </>
          )}
        </Today>
      )}
    </Messages>
  );
}
