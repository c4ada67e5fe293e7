import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { openInEnvironment } from '../session/environment';
import { signOut, useEnvironment, useSession } from '../session/session';
import { classes } from '../ui/classes';
import { Icon } from '../ui/icon';
import { pageTitle } from '../ui/page';
import { useStore } from '../ui/store';
import { HoldCount } from './holds';
import { pageOf } from './pages';
import { openPalette } from './palette/open';
import styles from './shell.module.css';
import { chooseTheme, theme, THEMES, type Theme } from './theme';

const THEME_NAMES: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function Header() {
  const leave = useSignOut();
  const { pathname } = useLocation();
  const title = useStore(pageTitle);
  const [path, page] = pageOf(pathname) ?? [];
  return (
    <header className={styles['header']}>
      <EnvironmentSwitch />
      {path !== undefined &&
        (path === pathname ? (
          <span className={styles['crumb']} aria-hidden="true">
            {page}
          </span>
        ) : (
          <>
            <Link to={path} className={styles['crumb']} aria-label={`Up to ${page}`}>
              {page}
            </Link>
            <span className={classes(styles['crumb'], styles['lastCrumb'])} aria-hidden="true">
              {title}
            </span>
          </>
        ))}
      <button type="button" className={styles['find']} aria-label="Search" onClick={openPalette}>
        <Icon name="search" />
        <span>Search</span>
      </button>
      <HoldCount />
      <HelpMenu />
      <span className={styles['tool']} title="Theme">
        <Icon name="theme" />
        <ThemeChoice />
      </span>
      <button type="button" className={styles['tool']} aria-label="Sign out" title="Sign out" onClick={leave}>
        <Icon name="leave" />
      </button>
    </header>
  );
}

const HelpLinks = lazy(() => import('./help-links'));

function HelpMenu() {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  return (
    <>
      <button type="button" className={styles['tool']} aria-label="Help" title="Help" popoverTarget={id}>
        <Icon name="help" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className={styles['menu']}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <Suspense>{isOpen && <HelpLinks onFollow={() => menu.current?.hidePopover()} />}</Suspense>
      </div>
    </>
  );
}

export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () => void signOut().finally(() => void navigate({ to: '/sign-in', search: {} }));
}

export function ThemeChoice() {
  return (
    <select aria-label="Theme" value={useStore(theme)} onChange={(event) => chooseTheme(event.target.value as Theme)}>
      {THEMES.map((name) => (
        <option key={name} value={name}>
          {THEME_NAMES[name]}
        </option>
      ))}
    </select>
  );
}

/** Beside a name that says the kind already. */
const KIND_WORDS = { production: 'live, real people', development: 'for tests', sandbox: 'calls no provider' };

/** The environments that the key may see. Production is solid, all others are hatched. */
function EnvironmentSwitch() {
  const { environments, environmentId } = useSession();
  const { _id, name, kind } = useEnvironment();
  const { pathname } = useLocation();
  const choose = (id: string): void => {
    // Ids differ between environments: a page about one thing leads to the list of such things.
    openInEnvironment(`/${pathname.split('/')[1]}`, id === environmentId ? null : id);
  };
  return (
    <span className={styles['environment']} data-kind={kind}>
      <span aria-hidden="true">
        <strong>{name}</strong> <small>{name.toLowerCase() === kind ? KIND_WORDS[kind] : kind}</small>
      </span>
      <select aria-label="Environment" value={_id} onChange={(event) => choose(event.target.value)}>
        {environments.map((one) => (
          <option key={one._id} value={one._id}>
            {one.name} ({one.kind})
          </option>
        ))}
      </select>
      <Icon name="choose" size={14} />
    </span>
  );
}
