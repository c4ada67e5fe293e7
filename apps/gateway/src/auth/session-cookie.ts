import type { Config } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '../http/public-url';

const NAME = 'clarion_session';

/** The secret in the cookie of the request: 32 random bytes in base64url. Undefined if there is none. */
export function readSessionCookie({ cookie }: FastifyRequest['headers']): string | undefined {
  return new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?:;|$)`).exec(cookie ?? '')?.[1];
}

/** Scripts cannot read it, and no browser sends it with a request that another site has caused. */
export function sessionCookie(config: Config, request: FastifyRequest, secret: string, expiresAt: Date): string {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
  return written(config, request, secret, seconds);
}

/** Makes the browser delete the cookie. */
export const endedSessionCookie = (config: Config, request: FastifyRequest): string => written(config, request, '', 0);

function written(config: Config, request: FastifyRequest, value: string, seconds: number): string {
  const isSecure = publicUrl(config, request).startsWith('https:');
  return `${NAME}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
}
