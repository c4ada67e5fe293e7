import { isJsonObject, PROVIDER_IDS, type ProviderId, toOurName } from '@clarion/contracts/core';

/** Base URLs in place of the providers' APIs. They pass the guard because the operator set them. */
export type ProviderUrls = Readonly<Partial<Record<ProviderId, string>>>;

/** Parses the variable and normalizes the provider ids; anything else is left for the validation to reject. */
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

/** Why the map is invalid, as the end of a sentence. */
export function providerUrlsFault(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'must be a JSON object of provider ids and base URLs';
  const faults = Object.entries(value).flatMap(([id, url]) => {
    if (!(PROVIDER_IDS as readonly string[]).includes(id)) return [`${id} is not a provider`];
    return isBaseUrl(url)
      ? []
      : [
          `${id} needs a base URL of scheme and host, with a port and a path where they are needed, ` +
            'such as http://127.0.0.1:9001/twilio',
        ];
  });
  return faults.length > 0 ? `cannot be used: ${faults.join('; ')}` : undefined;
}

/** A path is valid only for HTTP, not for a mail server. */
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
