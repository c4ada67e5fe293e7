import type { Config } from '@clarion/platform';

const FALLBACK_ORIGIN = 'http://localhost';

/** The configured URL of this installation, else the origin of the request, without a trailing slash. */
export function publicUrl(config: Config, { protocol, host }: { protocol: string; host: string }): string {
  if (config.CLARION_PUBLIC_URL) return config.CLARION_PUBLIC_URL;
  const url = `${protocol}://${host}`;
  // The caller controls the Host header, so it may not be part of a valid URL.
  return URL.canParse(url) ? new URL(url).origin : FALLBACK_ORIGIN;
}
