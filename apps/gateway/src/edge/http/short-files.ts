import { isJsonObject, type JsonObject } from '@clarion/contracts';
import { sha256Hex } from '@clarion/platform';

/** Longer files are compared by their hash. */
const LONG_FILE = 1_024;

/** The event with a hash in place of each long file: its text of 20 MB would block the event loop. */
export function withShortFiles<T>(event: T): T {
  const payload = isJsonObject(event) ? event['payload'] : undefined;
  const attachments = isJsonObject(payload) ? payload['attachments'] : undefined;
  if (!Array.isArray(attachments)) return event;
  const short = attachments.map((item) =>
    isJsonObject(item) && typeof item['file'] === 'string' && item['file'].length > LONG_FILE
      ? { ...item, file: `sha256 ${sha256Hex(item['file'])}` }
      : item,
  );
  return { ...event, payload: { ...(payload as JsonObject), attachments: short } };
}
