import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { isStatus } from '../../api/error';
import { Button, CodeBlock } from '../../ui/button';
import { Alert, Facts, LoadError, Skeleton } from '../../ui/page';
import { type FrameWidth, MessageFrame, WidthButtons } from '../../ui/message-frame';
import { Tabs } from '../../ui/tabs';
import { Time } from '../../ui/time';
import styles from './outbox.module.css';
import type { OutboxTab } from './search';

type Message = Schemas['OutboxMessageDto'];

const PHONE_PX = 375;

export function MessageView({ messageId, onClose }: { messageId: string; onClose(): void }) {
  const message = useQuery({
    queryKey: ['outbox', 'message', messageId],
    queryFn: () => unwrap(api.GET('/v1/outbox/{messageId}', { params: { path: { messageId } } })),
  });
  return (
    <div className={styles['message']}>
      <div>
        <Button onClick={onClose}>Back to the list</Button>
      </div>
      {message.isPending && <Skeleton lines={6} />}
      {message.isError &&
        (isStatus(message.error, 404) ? (
          <Alert tone="warn">This message is not in the outbox any more.</Alert>
        ) : (
          <LoadError error={message.error} onRetry={() => void message.refetch()} />
        ))}
      {message.data && <Shown message={message.data} />}
    </div>
  );
}

function Shown({ message }: { message: Message }) {
  const { to, subject, channel, createdAt, more, _notificationId: notificationId } = message;
  return (
    <>
      <h2 className={styles['subject']}>{subject ?? `A message on ${channel}`}</h2>
      <Facts
        facts={{
          To: to.join(', '),
          From: textOf(more['from']),
          Cc: textOf(more['cc']),
          Time: <Time at={createdAt} />,
          Notification: notificationId && (
            <Link to="/activity/$notificationId" params={{ notificationId }}>
              Show the notification
            </Link>
          ),
        }}
      />
      <Content message={message} />
    </>
  );
}

function Content({ message }: { message: Message }) {
  const { tab, width = 'desktop' } = useSearch({ from: '/signed-in/outbox' });
  const navigate = useNavigate({ from: '/outbox' });
  const { html, text } = message;
  const tabs: { id: OutboxTab; label: string; content(): ReactNode }[] = [
    ...(html === undefined
      ? []
      : [{ id: 'html' as const, label: 'HTML', content: () => <Html html={html} width={width} /> }]),
    { id: 'text', label: 'Text', content: () => <Plain message={message} text={text ?? ''} /> },
    { id: 'source', label: 'Source', content: () => <CodeBlock label="Source" text={sourceOf(message)} /> },
  ];
  const selected = tabs.some(({ id }) => id === tab) ? tab! : tabs[0]!.id;
  return (
    <Tabs
      label="Content"
      tabs={tabs}
      selected={selected}
      onSelect={(id) => void navigate({ search: (before) => ({ ...before, tab: id }), replace: true })}
    />
  );
}

function Html({ html, width }: { html: string; width: FrameWidth }) {
  const navigate = useNavigate({ from: '/outbox' });
  const choose = (chosen: FrameWidth): void =>
    void navigate({ search: (before) => ({ ...before, width: chosen }), replace: true });
  return (
    <>
      <div className="row" role="group" aria-label="Width">
        <WidthButtons order={['desktop', 'phone']} width={width} onChange={choose} />
      </div>
      <MessageFrame html={html} title="The message as HTML" width={width === 'phone' ? PHONE_PX : undefined} />
    </>
  );
}

/** Text as the channel shows it: a bubble for SMS and chat, a card for push and in-app. */
function Plain({ message, text }: { message: Message; text: string }) {
  const { channel, subject } = message;
  if (channel === 'email') return <CodeBlock label="Text" text={text} />;
  const isBubble = channel === 'sms' || channel === 'chat';
  return (
    <div className={styles['stage']}>
      <div className={isBubble ? styles['bubble'] : styles['card']}>
        {!isBubble && subject && <strong>{subject}</strong>}
        <p>{text}</p>
      </div>
    </div>
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Array.isArray(value) && value.length > 0 ? value.join(', ') : undefined;

function sourceOf({ html, text, more, to, subject }: Message): string {
  const head = JSON.stringify({ to, subject, ...more }, null, 2);
  return [head, ...(html === undefined ? [] : [html]), ...(text === undefined ? [] : [text])].join('\n\n');
}
