import type { Pool as HttpPool } from 'undici';
import type { JsonObject } from '@clarion/contracts';

export type Caller = (path: string, body: JsonObject, method?: 'POST' | 'PUT') => Promise<number>;

/** Calls with one API key; resolves with the status. */
export const callerOf =
  (http: HttpPool, key: string): Caller =>
  async (path, json, method = 'POST') => {
    const { statusCode, body } = await http.request({
      method,
      path,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    await body.dump();
    return statusCode;
  };
