import type { Pooler } from './pooler';

/** Every wait has a limit: one stuck statement or lock would block the gateway. */
export function sessionSettings({ statementMs, lookupsOnly }: { statementMs: number; lookupsOnly: boolean }): Settings {
  return {
    statement_timeout: String(statementMs),
    lock_timeout: String(0.3 * statementMs),
    idle_in_transaction_session_timeout: String(1.5 * statementMs),
    // Compiling a plan takes seconds and running it milliseconds. A plan without sequential scans has a high estimate,
    // so Postgres would compile it.
    jit: 'off',
    ...(lookupsOnly && { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' }),
  };
}

type Settings = Record<string, string>;

/** For a connection that keeps its settings: they are sent when it is opened. */
export const asStartupOptions = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** How statements are sent, so that they run with the settings and as the right tenant. */
export type SendingRules = {
  begin: string;
  /** Sets the tenant ($1: role, $2: environment) until the transaction ends. Without a name it is parsed each time. */
  scope: { name?: string; text: string };
  /** Whether a statement of the service itself is also sent with its scope. */
  scopesAll: boolean;
  /** Whether statements may have names, under which a connection keeps them. */
  namesStatements: boolean;
};

const SET_SCOPE = `set_config('role', $1, true), set_config('clarion.environment_id', $2, true)`;

export const DIRECT: SendingRules = {
  begin: 'START TRANSACTION',
  scope: { name: 'clarion_scope', text: `SELECT ${SET_SCOPE}` },
  scopesAll: false,
  namesStatements: true,
};

/** A pooler changes connections, so the settings go with each transaction, in the same round trip. */
export function rulesForPooler({ tracksStatements }: Pooler, settings: Settings): SendingRules {
  const entries = Object.entries(settings);
  const local = entries.map(([name, value]) => `SET LOCAL ${name} = '${value}'`);
  const configured = entries.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return {
    begin: ['START TRANSACTION', ...local].join('; '),
    scope: {
      ...(tracksStatements && { name: 'clarion_scope' }),
      text: `SELECT ${[SET_SCOPE, ...configured].join(', ')}`,
    },
    scopesAll: true,
    namesStatements: tracksStatements,
  };
}
