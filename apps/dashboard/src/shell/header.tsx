import { useNavigate } from '@tanstack/react-router';
import { queries } from '../api/queries';
import { chosenEnvironment } from '../session/environment';
import { sessionQuery, signOut, useSession } from '../session/session';
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

/** The environments that the key may see. Another environment has other data, so everything is read again. */
function EnvironmentSwitch() {
  const { environments, environmentId } = useSession();
  const navigate = useNavigate();
  const choose = async (id: string): Promise<void> => {
    await navigate({ to: '/overview', search: { environment: id === environmentId ? undefined : id } });
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    await queries.invalidateQueries();
  };
  return (
    <label className={styles['choice']}>
      Environment
      <select value={chosenEnvironment() ?? environmentId} onChange={(event) => void choose(event.target.value)}>
        {environments.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
