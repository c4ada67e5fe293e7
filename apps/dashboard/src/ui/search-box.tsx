import { useEffect, useRef, useState } from 'react';
import { TextField } from './field';
import { useLatest } from './use-latest';

const TYPING_PAUSE_MS = 250;

type SearchBoxProps = { label: string; placeholder: string; value: string; onSearch(text: string): void };

/** A search field whose text goes into the address after a short pause in typing. */
export function SearchBox({ label, placeholder, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const latest = useLatest(onSearch);
  // The address changed by other means, such as the back button.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      latest.current(text);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, latest]);
  return (
    <TextField
      label={label}
      type="search"
      autoComplete="off"
      placeholder={placeholder}
      value={text}
      onChange={setText}
    />
  );
}
