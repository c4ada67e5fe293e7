import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Icon } from '../ui/icon';
import { ThemeChoice, useSignOut } from './header';
import HelpLinks from './help-links';
import { PAGES } from './pages';
import styles from './shell.module.css';

/** On a phone: every page, and what the header of a desktop has. */
export default function More({ onClose }: { onClose(): void }) {
  const leave = useSignOut();
  return (
    <Dialog title="More" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <nav className={styles['more']} aria-label="All pages">
        {PAGES.map(([path, name, icon]) => (
          <Link key={path} to={path} className={styles['link']} onClick={onClose}>
            <Icon name={icon} />
            {name}
          </Link>
        ))}
      </nav>
      <HelpLinks onFollow={onClose} />
      <div className={styles['moreTools']}>
        <label>
          Theme <ThemeChoice />
        </label>
        <Button onClick={leave}>
          <Icon name="leave" />
          Sign out
        </Button>
      </div>
    </Dialog>
  );
}
