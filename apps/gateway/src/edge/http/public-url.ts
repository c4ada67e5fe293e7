import type { Config } from '@clarion/platform';

const FALLBACK_ORIGIN = 'http://localhost';

/**
 * The public URL of this installation: the configured one, else the origin of the request. It has no trailing slash.
 */
export function publicUrl(config: Config, { protocol, host }: { protocol: string; host: string }): string {
  if (config.CLARION_PUBLIC_URL) return config.CLARION_PUBLIC_URL;
  const url = `${protocol}://${host}`;
  // The caller controls the Host header, so it may not be part of a valid URL.
  return URL.canParse(url) ? new URL(url).origin : FALLBACK_ORIGIN;
}
