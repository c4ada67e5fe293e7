import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { CHANNEL_NAMES } from '../../api/channels';
import { api, type Schemas, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { ConfirmDialog } from '../../ui/dialog';
import { SearchBox, Select } from '../../ui/field';
import { Empty, Filters, LoadError, Page, Skeleton } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { plural, Time } from '../../ui/time';
import { MessageView } from './message-view';
import styles from './outbox.module.css';
import { CHANNELS } from './search';

const SHOWN = 100;
/** The list is read again this often while the page is visible. */
const REFRESH_MS = 2_000;

type Message = Schemas['OutboxMessageDto'];

export function OutboxPage() {
  const search = useSearch({ from: '/signed-in/outbox' });
  const navigate = useNavigate({ from: '/outbox' });
  const canWrite = useCanWrite();
  const [isEmptying, setEmptying] = useState(false);
  const { search: text, channel, message: selected } = search;
  const list = useQuery({
    queryKey: ['outbox', 'list', text, channel],
    queryFn: () => unwrap(api.GET('/v1/outbox', { params: { query: { search: text, channel, limit: SHOWN } } })),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const messages = list.data?.data ?? [];
  const select = (id: string | undefined, replace = false): void =>
    void navigate({ search: (before) => ({ ...before, message: id }), replace });
  const move = (by: number): void => {
    const place = messages.findIndex(({ _id }) => _id === selected);
    const next = messages[place < 0 ? 0 : Math.min(Math.max(place + by, 0), messages.length - 1)];
    if (next) select(next._id, selected !== undefined);
  };
  useShortcut('j', 'Next message', () => move(1));
  useShortcut('k', 'Previous message', () => move(-1));
  useShortcut('Escape', 'Back to the list', () => selected !== undefined && select(undefined));
  return (
    <Page
      title="Outbox"
      actions={
        canWrite &&
        messages.length > 0 && (
          <Button kind="danger" onClick={() => setEmptying(true)}>
            Empty
          </Button>
        )
      }
    >
      {list.isError && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      <div className={classes(selected !== undefined && styles['hiddenOnPhone'])}>
        <Filters>
          <SearchBox
            label="Search"
            placeholder="Recipient, subject or text"
            value={text ?? ''}
            onSearch={(value) => void navigate({ search: (before) => ({ ...before, search: value }), replace: true })}
          />
          <Select
            label="Channel"
            value={channel ?? ''}
            options={[
              { value: '', label: 'All channels' },
              ...CHANNELS.map((value) => ({ value, label: CHANNEL_NAMES[value] })),
            ]}
            onChange={(value) =>
              void navigate({ search: (before) => ({ ...before, channel: value === '' ? undefined : value }) })
            }
          />
        </Filters>
      </div>
      {list.isPending && <Skeleton lines={8} />}
      {list.data && messages.length === 0 && selected === undefined && (
        <NoMessages isFiltered={text !== undefined || channel !== undefined} />
      )}
      {(messages.length > 0 || selected !== undefined) && (
        <div className={styles['panes']}>
          <div className={classes(styles['pane'], selected !== undefined && styles['hiddenOnPhone'])}>
            <p aria-live="polite" className={styles['count']}>
              {plural(list.data?.totalCount ?? 0, 'message')}
            </p>
            <MessageList messages={messages} selected={selected} onSelect={(id) => select(id)} />
          </div>
          <section
            className={classes(styles['pane'], selected === undefined && styles['hiddenOnPhone'])}
            aria-label="Message"
          >
            {selected === undefined ? (
              <p className={styles['hint']}>
                Choose a message, or press <kbd>j</kbd> and <kbd>k</kbd>.
              </p>
            ) : (
              <MessageView messageId={selected} onClose={() => select(undefined)} />
            )}
          </section>
        </div>
      )}
      {isEmptying && <EmptyDialog onClose={() => setEmptying(false)} onEmptied={() => select(undefined)} />}
    </Page>
  );
}

type MessageListProps = { messages: Message[]; selected: string | undefined; onSelect(id: string): void };

function MessageList({ messages, selected, onSelect }: MessageListProps) {
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <ul className={styles['list']} aria-label="Messages">
      {messages.map((message) => {
        const isSelected = message._id === selected;
        return (
          <li key={message._id}>
            <button
              ref={isSelected ? current : undefined}
              type="button"
              className={styles['item']}
              aria-current={isSelected || undefined}
              onClick={() => onSelect(message._id)}
            >
              <span className={styles['line']}>
                <strong className={styles['cut']}>{message.to.join(', ') || message.providerId}</strong>
                <Time at={message.createdAt} relative />
              </span>
              <span className={styles['line']}>
                <span className={styles['cut']}>{message.subject ?? message.text ?? '(no subject)'}</span>
                <span className={styles['channel']}>{CHANNEL_NAMES[message.channel]}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return <Empty title="No message matches">Change the search or the channel to see other messages.</Empty>;
  }
  return (
    <Empty title="The outbox is empty" command={COMMAND}>
      A channel without an integration delivers here. Trigger a workflow, and its messages appear at once.
    </Empty>
  );
}

function EmptyDialog({ onClose, onEmptied }: { onClose(): void; onEmptied(): void }) {
  return (
    <ConfirmDialog
      title="Empty the outbox?"
      action="Empty"
      run={async () => {
        await unwrap(api.DELETE('/v1/outbox'));
        onEmptied();
      }}
      stale={['outbox']}
      done="The outbox is empty."
      onClose={onClose}
    >
      <p>All messages of this environment are deleted from the outbox. The activity keeps its record of them.</p>
    </ConfirmDialog>
  );
}

const COMMAND = `curl ${location.origin}/v1/events/trigger -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "welcome", "to": {"subscriberId": "ada", "email": "ada@x.test"}}'`;
