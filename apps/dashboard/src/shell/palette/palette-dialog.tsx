import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { openInEnvironment } from '../../session/environment';
import { useCanWrite, useEnvironment, useSession } from '../../session/session';
import { Icon } from '../../ui/icon';
import { usePause } from '../../ui/use-pause';
import { useSignOut } from '../header';
import { HoldDialog } from '../hold-dialog';
import { HELP_PATH } from '../pages';
import { chooseTheme } from '../theme';
import { arrange, findItems, type Item, readQuery } from './items';
import { closePalette } from './open';
import styles from './palette.module.css';
import { remember } from './recent';

const TYPING_PAUSE_MS = 150;

const NewWorkflow = lazy(() =>
  import('../../pages/workflows/new-workflow').then((module) => ({ default: module.NewWorkflow })),
);
const NewLayout = lazy(() =>
  import('../../pages/layouts/new-layout').then((module) => ({ default: module.NewLayout })),
);

const KEYS = [
  ['↑↓', 'choose'],
  ['↵', 'opens'],
  ['>', 'actions only'],
  ['#', 'any id'],
] as const;

/** What an action opens in the place of the search. */
type Opened = 'hold' | 'workflow' | 'layout';

export function PaletteDialog() {
  const [opened, setOpened] = useState<Opened>();
  const { _id } = useEnvironment();
  if (opened === undefined) return <SearchDialog onOpen={setOpened} />;
  return (
    <Suspense>
      {opened === 'hold' && <HoldDialog target="environment" id={_id} name="all sending" onClose={closePalette} />}
      {opened === 'workflow' && <NewWorkflow onClose={closePalette} />}
      {opened === 'layout' && <NewLayout onClose={closePalette} />}
    </Suspense>
  );
}

function SearchDialog({ onOpen }: { onOpen(dialog: Opened): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const base = useId();
  const { name, kind } = useEnvironment();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const asked = usePause(typed, TYPING_PAUSE_MS);
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['palette', asked],
    queryFn: () => findItems(asked),
    enabled: readQuery(asked).text !== '',
    retry: false,
  });
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  const { text, only } = readQuery(typed);
  const isSearching = text !== '' && only !== 'actions' && (typed !== asked || isFetching);
  const items = arrange(typed, typed === asked ? found : [], useActions(onOpen));
  const current = Math.min(place, items.length - 1);

  const open = (item: Item | undefined): void => {
    if (!item) return;
    if (item.act) {
      item.act();
      return;
    }
    const { label, detail, icon, href = '' } = item;
    remember({ label, detail, icon, href });
    closePalette();
    void navigate({ href });
  };
  // Enter before the answer is there opens the first line of the answer.
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered(false);
    open(items[current]);
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === 'Enter') setEntered(true);
    else if (next === undefined || (typed !== '' && (event.key === 'Home' || event.key === 'End'))) return;
    else setPlace((next + items.length) % items.length);
    event.preventDefault();
  };
  const optionId = (index: number): string => `${base}-${index}`;
  useEffect(() => {
    document.getElementById(`${base}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [base, current]);
  return (
    <dialog
      ref={dialog}
      className={styles['palette']}
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        closePalette();
      }}
      onClick={(event) => void (event.target === dialog.current && closePalette())}
    >
      <div className={styles['field']}>
        <Icon name="search" size={18} />
        <input
          autoFocus
          role="combobox"
          aria-label="Search"
          aria-expanded="true"
          aria-controls={base}
          aria-activedescendant={items.length > 0 ? optionId(current) : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="A page, a name or any id"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
        />
        <span className={styles['where']} data-kind={kind}>
          in {name}
        </span>
        <kbd>Esc</kbd>
      </div>
      <ul id={base} role="listbox" aria-label="Results" className={styles['list']}>
        {items.map((item, index) => (
          <Line
            key={`${item.group} ${item.href ?? item.label}`}
            id={optionId(index)}
            item={item}
            heading={items[index - 1]?.group === item.group ? undefined : item.group}
            isCurrent={index === current}
            asked={text}
            onOpen={() => open(item)}
          />
        ))}
      </ul>
      <p className={styles['foot']} role="status">
        {isSearching
          ? 'Searching …'
          : text !== '' && only !== 'actions' && found.length === 0
            ? `Nothing has the name or the id ${text}`
            : KEYS.map(([keys, does]) => (
                <span key={does}>
                  {[...keys].map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}{' '}
                  {does}
                </span>
              ))}
      </p>
    </dialog>
  );
}

type LineProps = {
  id: string;
  item: Item;
  heading: string | undefined;
  isCurrent: boolean;
  asked: string;
  onOpen(): void;
};

function Line({ id, item: { label, detail, icon }, heading, isCurrent, asked, onOpen }: LineProps) {
  return (
    <>
      {heading && (
        <li role="presentation" className={styles['group']}>
          {heading}
        </li>
      )}
      <li id={id} role="option" aria-selected={isCurrent} className={styles['line']} onClick={onOpen}>
        <Icon name={icon} />
        <span className={styles['label']}>
          <bdi>
            <Marked text={label} asked={asked} />
          </bdi>
        </span>
        {detail && (
          <span className={styles['detail']}>
            <bdi>
              <Marked text={detail} asked={asked} />
            </bdi>
          </span>
        )}
      </li>
    </>
  );
}

/** The text with the letters that were asked for marked. */
function Marked({ text, asked }: { text: string; asked: string }) {
  const place = asked === '' ? -1 : text.toLowerCase().indexOf(asked.toLowerCase());
  if (place < 0) return text;
  const end = place + asked.length;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, end)}</mark>
      {text.slice(end)}
    </>
  );
}

function useActions(onOpen: (dialog: Opened) => void): Item[] {
  const leave = useSignOut();
  const navigate = useNavigate();
  const { environments, environmentId } = useSession();
  const { _id } = useEnvironment();
  const canWrite = useCanWrite();
  const action = (label: string, icon: Item['icon'], act: () => void, detail?: string): Item => ({
    group: 'Actions',
    label,
    detail,
    icon,
    act: () => {
      closePalette();
      act();
    },
  });
  const opening = (dialog: Opened, label: string, icon: Item['icon'], detail?: string): Item => ({
    ...{ group: 'Actions', label, icon, detail },
    act: () => onOpen(dialog),
  });
  const writing = [
    opening('workflow', 'New workflow', 'plus'),
    opening('layout', 'New layout', 'plus'),
    opening('hold', 'Hold all sending…', 'pause', 'asks first'),
  ];
  return [
    ...(canWrite ? writing : []),
    ...environments
      .filter((one) => one._id !== _id)
      .map((one) =>
        action(
          `Switch to ${one.name}`,
          'choose',
          () => openInEnvironment('/overview', one._id === environmentId ? null : one._id),
          one.kind,
        ),
      ),
    action('Theme: light', 'theme', () => chooseTheme('light')),
    action('Theme: dark', 'theme', () => chooseTheme('dark')),
    action('Theme: system', 'theme', () => chooseTheme('system')),
    action('Open the documentation', 'book', () => void navigate({ to: '/help/$' })),
    action('Open the API reference', 'book', () => window.location.assign(HELP_PATH)),
    action('Sign out', 'leave', leave),
  ];
}
