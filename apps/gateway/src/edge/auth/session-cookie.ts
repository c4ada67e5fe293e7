import type { Config } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { readCookie, writeCookie } from '../http/cookies';

/** No browser sends it with a request that another site has caused. */
const COOKIE = { name: 'clarion_session', sameSite: 'Strict' } as const;

/** The secret in the cookie of the request; undefined if there is none. */
export const readSessionCookie = (headers: FastifyRequest['headers']): string | undefined =>
  readCookie(headers, COOKIE);

export function sessionCookie(config: Config, request: FastifyRequest, secret: string, expiresAt: Date): string {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
  return writeCookie(config, request, COOKIE, secret, seconds);
}

export const endedSessionCookie = (config: Config, request: FastifyRequest): string =>
  writeCookie(config, request, COOKIE, '', 0);
