/** How a provider is asked, through its API, to report delivery events. */
import type { CredentialsDto } from '@clarion/contracts';
import { type Call, send } from '../call';
import { type Answer, beforeSending, outcomeOf } from '../outcome';
import { type CallContext, type ProviderError } from '../provider';

/** The key that the events are checked with: the provider has made it, or it was given the `key`. */
export type EventsSetUp = { ok: true; signingKey?: string } | ProviderError;

export type SetUpEvents = (
  request: { url: string; key: string },
  credentials: CredentialsDto,
  context: CallContext,
) => Promise<EventsSetUp>;

/** Makes one call; the response, or why the provider rejects it. */
export async function ask(
  call: Call,
  credentials: CredentialsDto,
  context: CallContext,
  error: readonly (string | number)[] = ['message'],
): Promise<Answer | ProviderError> {
  let read: Answer | undefined;
  const result = await send(call, credentials, context, (answer) => {
    if (!answer.isOk) return outcomeOf(answer, answer.at(...error));
    read = answer;
    // The response may contain keys, so it is not kept in the result.
    return { ok: true };
  });
  return result.ok ? read! : beforeSending(result);
}
