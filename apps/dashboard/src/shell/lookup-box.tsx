import { useRef } from 'react';
import { useShortcut } from '../ui/shortcuts';
import styles from './shell.module.css';

/** Takes any id and goes to what it names. */
export function LookupBox() {
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search for any id', (event) => {
    event.preventDefault();
    input.current?.focus();
  });
  return (
    <form className={styles['search']} role="search" onSubmit={(event) => event.preventDefault()}>
      <input ref={input} type="search" aria-label="Search for any id" placeholder="Notification, message, email …" />
    </form>
  );
}
