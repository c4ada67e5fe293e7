import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { startFakeProvider } from '@clarion/testing';
import { delayIn } from './processes';

/** The response to a call with a hundred messages. */
const TICKETS = JSON.stringify({
  data: Array.from({ length: 100 }, (_, index) => ({ status: 'ok', id: `ticket-${index}` })),
});

/**
 * The provider in a separate process, so that it does not use the event loop of its callers. Prints its URL, then the
 * time of each call if `tell` is given. `delay=50` delays its responses.
 */
async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const delayMs = delayIn(words);
  const fake = await startFakeProvider({ record: false });
  fake.always('/v3/mail/send', () => {
    if (words.includes('tell')) process.send!({ calledAt: performance.timeOrigin + performance.now() });
    return { status: 202, headers: { 'x-message-id': `fake-${fake.count}` }, ...(delayMs > 0 && { delayMs }) };
  });
  fake.always('/--/api/v2/push/send', { text: TICKETS });
  process.send!({ url: fake.url });
  whenAskedToStop(() => fake.close());
}

main().catch(exitOnFault);
