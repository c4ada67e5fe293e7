import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProviderName } from '../../api/providers';
import { CodeBlock } from '../../ui/button';
import { Diff } from '../../ui/diff';
import { Facts, Loading } from '../../ui/page';
import { MessageFrame } from '../../ui/message-frame';
import { Tabs } from '../../ui/tabs';
import { Time } from '../../ui/time';
import { pretty } from './details';
import styles from './notification.module.css';
import { type DryRunStep, messagesQuery, type Notification, type SentMessage } from './queries';

type View = 'sent' | 'source' | 'today' | 'provider';

export function Messages({ notification, jobId }: { notification: Notification; jobId: string }) {
  const loaded = useQuery(messagesQuery(notification._id!, notification.updatedAt));
  if (!loaded.data) return <Loading query={loaded} isBlock />;
  const { data } = loaded;
  const messages = data.data.filter(({ _jobId }) => _jobId === jobId);
  if (messages.length === 0) return <p>This step has sent no message.</p>;
  return messages.map((message) => (
    <Message
      key={message._id}
      message={message}
      today={data.today?.find(({ stepId }) => stepId === message.stepId)}
      todayMissing={data.todayMissing}
    />
  ));
}

type MessageProps = { message: SentMessage; today?: DryRunStep; todayMissing?: string };

function Message({ message, today, todayMissing }: MessageProps) {
  const [view, setView] = useState<View>('sent');
  const nameOf = useProviderName();
  const isHtml = message.channel === 'email';
  return (
    <article className={styles['message']} aria-label={`Message ${message._id}`}>
      <Facts
        facts={{
          To: message.to.join(', '),
          Subject: message.subject,
          Title: message.title,
          Provider: message.providerId && nameOf(message.providerId),
          'Id at the provider': message.providerMessageId && <code>{message.providerMessageId}</code>,
          'Message id': <code>{message._id}</code>,
          Status: message.status,
          Error: message.errorText,
          'Too large to show': message.leftOut?.join(', '),
          Stored: <Time at={message.createdAt} />,
        }}
      />
      <Tabs<View>
        label="Views of the message"
        selected={view}
        onSelect={setView}
        tabs={[
          {
            id: 'sent',
            label: 'As sent',
            content: () =>
              isHtml ? (
                <MessageFrame html={message.content} title="Message as it was sent" />
              ) : (
                <p className={styles['bubble']}>{message.content}</p>
              ),
          },
          { id: 'source', label: 'Source', content: () => <CodeBlock text={message.content} label="Source" /> },
          {
            id: 'today',
            label: 'Against today',
            content: () => <Today message={message} today={today} missing={todayMissing} />,
          },
          { id: 'provider', label: 'Provider', content: () => <Answers message={message} /> },
        ]}
      />
    </article>
  );
}

function Today({ message, today, missing }: { message: SentMessage; today?: DryRunStep; missing?: string }) {
  if (missing) return <p>{missing}</p>;
  if (!today) return <p>The workflow of today does not have this step.</p>;
  if (!today.content) return <p>Today this step would not send a message: {today.why}.</p>;
  const { subject, title, html, body, text } = today.content;
  return (
    <>
      <p>Lines with a minus were sent; lines with a plus are what the template gives today.</p>
      <Diff
        label="As sent against today"
        before={[message.subject ?? message.title ?? '', message.content].join('\n')}
        after={[subject ?? title ?? '', html ?? body ?? text ?? ''].join('\n')}
      />
    </>
  );
}

function Answers({ message }: { message: SentMessage }) {
  if (message.answers.length === 0) return <p>No answer of a provider was recorded.</p>;
  return message.answers.map(({ at, detail, status, raw }) => (
    <div key={`${at} ${detail}`}>
      <p>
        <strong>{detail}</strong> ({status}) <Time at={at} />
      </p>
      {raw && <CodeBlock text={pretty(raw)} label="Answer of the provider" />}
    </div>
  ));
}
