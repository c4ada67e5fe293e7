import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { beside, integrationStatesQuery, overviewQuery } from '../pages/overview/queries';
import { isLate } from '../pages/overview/late';
import { endedSession } from '../session/ended';
import { useEnvironment } from '../session/session';
import { followed } from '../pages/activity/bulk/bulk-data';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { useShortcut } from '../ui/shortcuts';
import { Alert } from '../ui/page';
import { useStore } from '../ui/store';
import { Mark } from '../ui/status';
import { formatDuration, formatNumber } from '../ui/time';
import { Toasts } from '../ui/toasts';
import { Header } from './header';
import { OnHold } from './holds';
import { isGatewayAway, isOutdated } from './notices';
import { GROUPS } from './pages';
import { Palette } from './palette/palette';
import styles from './shell.module.css';

const More = lazy(() => import('./more'));
const BulkWindow = lazy(() => import('../pages/activity/bulk/bulk-window'));
const ShortcutsHelp = lazy(() => import('./shortcuts-help'));
const SessionEndedDialog = lazy(() => import('../session/session-ended-dialog'));

/** What surrounds every page: navigation, header, holds, and what went wrong. */
export function Shell() {
  const [isHelping, setHelping] = useState(false);
  const bulk = useStore(followed);
  useShortcut('?', 'Show the shortcuts', () => setHelping(true));
  return (
    <div className={styles['shell']} data-kind={useEnvironment().kind}>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <Rail />
      <Header />
      <div className={styles['content']}>
        <Notices />
        <OnHold />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <Outlet />
        </main>
      </div>
      <Tabs />
      <Palette />
      <Suspense>
        {isHelping && <ShortcutsHelp onClose={() => setHelping(false)} />}
        {useStore(endedSession) && <SessionEndedDialog />}
        {bulk && <BulkWindow id={bulk} />}
      </Suspense>
      <Toasts />
    </div>
  );
}

function Rail() {
  return (
    <aside className={styles['side']} aria-label="Clarion">
      <Link to="/overview" className={styles['brand']}>
        <svg viewBox="0 0 32 32" width={20} height={20} aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="var(--ink)" />
          <path d="M8 13v6h4l8 5V8l-8 5z" fill="var(--ink-text)" />
          <path d="M23 12a6 6 0 0 1 0 8" fill="none" stroke="var(--ink-text)" strokeWidth="2" strokeLinecap="round" />
        </svg>
        Clarion
      </Link>
      <nav aria-label="Main">
        {GROUPS.map(([group, pages]) => (
          <ul key={group} aria-label={group || undefined}>
            {group && (
              <li className={styles['group']} aria-hidden="true">
                {group}
              </li>
            )}
            {pages.map(([path, name, icon]) => (
              <li key={path}>
                <Link to={path} className={styles['link']}>
                  <Icon name={icon} />
                  {name}
                </Link>
                {path === '/activity' && <FailedCount />}
                {path === '/integrations' && <StoppedCount />}
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <Link to="/help/$" className={styles['link']}>
        <Icon name="book" />
        Documentation
      </Link>
      <Lag />
    </aside>
  );
}

function FailedCount() {
  const { data } = useQuery(beside(overviewQuery({})));
  return <Count of={data?.totals.failed} />;
}

function StoppedCount() {
  const { data } = useQuery(beside(integrationStatesQuery));
  return <Count of={data?.data.filter(({ active, health }) => active && health.state === 'open').length} />;
}

/** What is wrong now beside its page; the overview says the same in words. */
function Count({ of: count }: { of: number | undefined }) {
  if (!count) return null;
  return (
    <span className={styles['count']} aria-hidden="true">
      <Mark tone="bad" />
      {formatNumber(count)}
    </span>
  );
}

/** How far sending is behind now. */
function Lag() {
  const { data: overview } = useQuery(beside(overviewQuery({})));
  if (!overview) return null;
  const lagSeconds = Math.max(...overview.channels.map(({ backlog }) => backlog.lagSeconds));
  return (
    <p className={styles['lag']}>
      <Mark tone={isLate({ lagSeconds }) ? 'warn' : 'good'} />
      {lagSeconds > 0 ? `Oldest due step: ${formatDuration(lagSeconds * 1_000)}` : 'No step is due'}
    </p>
  );
}

const TABS = [
  ['/overview', 'Overview', 'overview', ['overview']],
  ['/activity', 'Activity', 'activity', ['activity']],
  ['/subscribers', 'People', 'people', ['subscribers', 'topics', 'suppressions']],
  ['/workflows', 'Content', 'workflow', ['workflows', 'layouts', 'translations', 'promotion']],
] as const;

function Tabs() {
  const [isOpen, setOpen] = useState(false);
  const place = useLocation().pathname.split('/')[1]!;
  const isElsewhere = TABS.every(([, , , pages]) => !(pages as readonly string[]).includes(place));
  return (
    <>
      <nav className={styles['tabs']} aria-label="Main">
        {TABS.map(([path, name, icon, pages]) => (
          <Link key={path} to={path} data-current={(pages as readonly string[]).includes(place) || undefined}>
            <Icon name={icon} size={20} />
            {name}
          </Link>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          data-current={isElsewhere || undefined}
          onClick={() => setOpen(true)}
        >
          <Icon name="menu" size={20} />
          More
        </button>
      </nav>
      <Suspense>{isOpen && <More onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function Notices() {
  const isAway = useStore(isGatewayAway);
  const isOld = useStore(isOutdated);
  if (!isAway && !isOld) return null;
  return (
    <div className={styles['notices']}>
      {isAway && <Alert tone="warn">The gateway does not answer. This page tries again by itself.</Alert>}
      {isOld && (
        <Alert tone="info" action={<Button onClick={() => location.reload()}>Reload</Button>}>
          A newer version of the dashboard was installed. Save your work, then reload the page.
        </Alert>
      )}
    </div>
  );
}
