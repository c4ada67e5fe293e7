import { DomainError } from '@clarion/contracts';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser adds the cookie by itself, so a session request must prove that a page of this origin sent it. Only such a
 * page can add the header `Clarion-Dashboard`: from another origin a browser asks for permission first (CORS), which
 * this server never gives. Reading is harmless without the header, because no other origin can read the response.
 */
export function checkForgery(request: FastifyRequest): void {
  refuseCrossSite(request);
  const needsProof = !SAFE_METHODS.has(request.method) || isFromOtherOrigin(request);
  if (!needsProof || request.headers['clarion-dashboard'] === '1') return;
  throw new DomainError(
    'forbidden',
    'A session may send this request only with the header Clarion-Dashboard: 1, as the pages of the dashboard do',
  );
}

/** Refuses what a browser says another site has caused. Also for signing in, so that no site can change the user. */
export function refuseCrossSite({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] !== 'cross-site') return;
  throw new DomainError('forbidden', 'Another site may not use a session of the dashboard');
}

function isFromOtherOrigin({ headers: { origin }, host }: FastifyRequest): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
