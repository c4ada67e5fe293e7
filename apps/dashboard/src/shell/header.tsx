import { useLocation, useNavigate } from '@tanstack/react-router';
import { openInEnvironment } from '../session/environment';
import { signOut, useEnvironment, useSession } from '../session/session';
import { Button } from '../ui/button';
import { useStore } from '../ui/store';
import { LookupBox } from './lookup-box';
import styles from './shell.module.css';
import { chooseTheme, theme, THEMES, type Theme } from './theme';

const THEME_NAMES: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function Header() {
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } finally {
      await navigate({ to: '/sign-in', search: {} });
    }
  };
  return (
    <header className={styles['header']}>
      <LookupBox />
      <div className={styles['tools']}>
        <EnvironmentSwitch />
        <label className={styles['choice']}>
          Theme
          <select value={useStore(theme)} onChange={(event) => chooseTheme(event.target.value as Theme)}>
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {THEME_NAMES[name]}
              </option>
            ))}
          </select>
        </label>
        <Button onClick={() => void leave()}>Sign out</Button>
      </div>
    </header>
  );
}

/** The environments that the key may see. Production has a colour and its word. */
function EnvironmentSwitch() {
  const { environments, environmentId } = useSession();
  const { _id, kind } = useEnvironment();
  const { pathname } = useLocation();
  const choose = (id: string): void => {
    // Ids differ between environments: a page about one thing leads to the list of such things.
    openInEnvironment(`/${pathname.split('/')[1]}`, id === environmentId ? null : id);
  };
  return (
    <label className={styles['choice']} data-kind={kind}>
      Environment
      <select value={_id} onChange={(event) => choose(event.target.value)}>
        {environments.map((one) => (
          <option key={one._id} value={one._id}>
            {one.name} ({one.kind})
          </option>
        ))}
      </select>
    </label>
  );
}
