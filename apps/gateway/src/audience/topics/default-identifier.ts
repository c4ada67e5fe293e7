import { joinContextKeys } from '@clarion/contracts';
import { sha256Hex } from '@clarion/platform';

/** The identifier of a subscription if the caller gives none. It differs for each set of contexts. */
export function defaultIdentifier(topicKey: string, subscriberId: string, contextKeys: string[] = []): string {
  const contexts = contextKeys.length === 0 ? '' : `:ctx_${sha256Hex(joinContextKeys(contextKeys)).slice(0, 16)}`;
  return `tk_${topicKey}:si_${subscriberId}${contexts}`;
}
