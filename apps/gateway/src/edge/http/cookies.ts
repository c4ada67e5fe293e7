import type { Config } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { publicUrl } from './public-url';

/** A cookie with 32 random bytes in base64url. `SameSite=Lax`: also sent when another site leads the browser here. */
type Cookie = { name: string; sameSite: 'Strict' | 'Lax' };

/** The value of the cookie in the request; undefined if it has none of this form. */
export const readCookie = ({ cookie }: FastifyRequest['headers'], { name }: Cookie): string | undefined =>
  cookie
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`) && /^[\w-]{43}$/.test(pair.slice(name.length + 1)))
    ?.slice(name.length + 1);

/** Scripts cannot read it. Without seconds the browser deletes it. */
export function writeCookie(
  config: Config,
  request: FastifyRequest,
  { name, sameSite }: Cookie,
  value: string,
  seconds: number,
): string {
  const isSecure = publicUrl(config, request).startsWith('https:');
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
}
