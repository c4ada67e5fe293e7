import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { api, type Schemas, unwrap } from '../api/client';
import { messageOf } from '../ui/messages';
import { useShortcut } from '../ui/shortcuts';
import styles from './shell.module.css';

type Match = Schemas['LookupMatchDto'];

const KINDS: Record<Match['kind'], string> = {
  notification: 'Notification',
  step: 'Step',
  message: 'Message',
  transaction: 'Transaction',
  subscriber: 'Subscriber',
  workflow: 'Workflow',
};

/** Takes any id and goes to what it names. Several matches are a list, no match says so. */
export function LookupBox() {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [matches, setMatches] = useState<Match[]>([]);
  const [notice, setNotice] = useState('');
  const clear = (): void => {
    setMatches([]);
    setNotice('');
  };
  useShortcut('/', 'Search for any id', (event) => {
    event.preventDefault();
    input.current?.focus();
  });
  const go = async ({ path }: Match): Promise<void> => {
    clear();
    input.current!.value = '';
    await navigate({ href: path });
  };
  const search = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const id = input.current!.value.trim();
    clear();
    if (id === '') return;
    try {
      const { data } = await unwrap(api.GET('/v1/lookup', { params: { query: { id } } }));
      if (data.length === 1) return await go(data[0]!);
      setMatches(data);
      setNotice(data.length === 0 ? `Nothing has the id ${id}` : `${data.length} things have this id`);
    } catch (error) {
      setNotice(messageOf(error));
    }
  };
  return (
    <form
      className={styles['search']}
      role="search"
      onSubmit={(event) => void search(event)}
      onKeyDown={(event) => void (event.key === 'Escape' && clear())}
    >
      <input
        ref={input}
        type="search"
        aria-label="Search for any id"
        placeholder="Notification, message, email …"
        onChange={clear}
      />
      <div className={notice ? styles['found'] : undefined} aria-live="polite">
        {notice && <p>{notice}</p>}
        {matches.length > 0 && (
          <ul>
            {matches.map((match) => (
              <li key={match.path}>
                <a
                  href={match.path}
                  onClick={(event) => {
                    event.preventDefault();
                    void go(match);
                  }}
                >
                  {KINDS[match.kind]}: <bdi>{match.title}</bdi>
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </form>
  );
}
