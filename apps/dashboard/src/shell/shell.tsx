import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { SessionEndedDialog } from '../session/session-ended-dialog';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { useStore } from '../ui/store';
import { Toasts } from '../ui/toasts';
import { Header } from './header';
import { isGatewayAway, isOutdated } from './notices';
import styles from './shell.module.css';
import { ShortcutsHelp } from './shortcuts-help';

/** The pages of the navigation, in groups. The first group needs no name. */
const GROUPS = [
  [
    '',
    [
      ['/overview', 'Overview'],
      ['/activity', 'Activity'],
    ],
  ],
  [
    'People',
    [
      ['/subscribers', 'Subscribers'],
      ['/topics', 'Topics'],
      ['/suppressions', 'Suppressions'],
    ],
  ],
  [
    'Content',
    [
      ['/workflows', 'Workflows'],
      ['/layouts', 'Layouts'],
      ['/translations', 'Translations'],
      ['/promotion', 'Promotion'],
    ],
  ],
  [
    'Connections',
    [
      ['/integrations', 'Integrations'],
      ['/outbox', 'Outbox'],
      ['/webhooks', 'Webhooks'],
    ],
  ],
  ['Organization', [['/settings', 'Settings']]],
] as const;

/** What surrounds every page: navigation, header, and what went wrong. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <div className={styles['side']}>
        <section className={styles['brand']} aria-label="Clarion">
          <img src="/icon.svg" alt="" width={24} height={24} />
          <span>Clarion</span>
          <Button
            className={styles['menu']}
            aria-expanded={isMenuOpen}
            aria-controls="navigation"
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            Menu
          </Button>
        </section>
        <nav id="navigation" aria-label="Main" data-open={isMenuOpen}>
          {GROUPS.map(([group, pages]) => (
            <ul key={group} aria-label={group || undefined}>
              {group && (
                <li className={styles['group']} aria-hidden="true">
                  {group}
                </li>
              )}
              {pages.map(([path, name]) => (
                <li key={path}>
                  <Link to={path} className={styles['link']} onClick={() => setMenuOpen(false)}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          ))}
        </nav>
      </div>
      <div className={styles['content']}>
        <Header />
        <Notices />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <Outlet />
        </main>
      </div>
      <ShortcutsHelp />
      <SessionEndedDialog />
      <Toasts />
    </div>
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
