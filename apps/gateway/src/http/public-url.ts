import type { Config } from '@clarion/platform';

const NOWHERE = 'http://localhost';

/** Where the caller found us: what the operator says, else what the request says. Never with a slash at the end. */
export function publicUrl(config: Config, { protocol, host }: { protocol: string; host: string }): string {
  if (config.CLARION_PUBLIC_URL) return config.CLARION_PUBLIC_URL;
  const url = `${protocol}://${host}`;
  // The Host header is whatever the caller wrote.
  return URL.canParse(url) ? new URL(url).origin : NOWHERE;
}
