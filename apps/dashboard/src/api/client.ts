import createClient from 'openapi-fetch';
import { isGatewayAway } from '../shell/notices';
import { chosenEnvironment } from '../session/environment';
import { ApiError } from './error';
import type { components, paths } from '../../dist/api/schema';

export type Schemas = components['schemas'];

/** The public API, typed by its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: '/', fetch: send });

/** Adds what the session needs. The header that a form of another site cannot send protects against forged requests. */
async function send(request: Request): Promise<Response> {
  request.headers.set('Clarion-Dashboard', '1');
  const environment = chosenEnvironment();
  if (environment) request.headers.set('Clarion-Environment', environment);
  try {
    const response = await fetch(request);
    isGatewayAway.set(false);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) isGatewayAway.set(true);
    throw error;
  }
}

/** `fetch` for responses that are read as a stream or saved as a file. */
export async function fetchRaw(path: string, init?: RequestInit): Promise<Response> {
  const response = await send(new Request(new URL(path, location.origin), init));
  if (!response.ok) throw ApiError.of(response, await response.json().catch(() => undefined));
  return response;
}

/** The data of a response; an error response becomes an `ApiError`. */
export async function unwrap<T>(result: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await result;
  if (!response.ok) throw ApiError.of(response, error);
  return data as T;
}
