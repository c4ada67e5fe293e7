import { isJsonObject, PROVIDER_IDS, type ProviderId, toOurName } from '@clarion/contracts/core';

/** Base addresses that the operator put in the place of providers' APIs. They pass the guard: the operator named them. */
export type ProviderUrls = Readonly<Partial<Record<ProviderId, string>>>;

/** The JSON of the variable, with our names for the providers; what is no JSON is left for the validation to refuse. */
export function parseProviderUrls({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  try {
    const urls: unknown = JSON.parse(value);
    if (!isJsonObject(urls)) return value;
    return Object.fromEntries(Object.entries(urls).map(([id, url]) => [toOurName(id), url]));
  } catch {
    return value;
  }
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'smtp:', 'smtps:']);

/** What is wrong with the map, as the end of a sentence. */
export function providerUrlsFault(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'must be a JSON object of provider ids and base URLs';
  const faults = Object.entries(value).flatMap(([id, url]) => {
    if (!(PROVIDER_IDS as readonly string[]).includes(id)) return [`${id} is no provider`];
    return isBaseUrl(url)
      ? []
      : [
          `${id} needs a base URL of scheme and host, with a port and a path where they are needed, such as http://127.0.0.1:9001/twilio`,
        ];
  });
  return faults.length > 0 ? `cannot be used: ${faults.join('; ')}` : undefined;
}

/** A mail server has no path, so one there is a mistake. */
function isBaseUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  return (
    SCHEMES.has(protocol) &&
    hostname !== '' &&
    [username, password, search, hash].join('') === '' &&
    (/^https?:$/.test(protocol) || /^\/?$/.test(pathname))
  );
}
