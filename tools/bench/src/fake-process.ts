import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { type FakeCall, startFakeProvider } from '@clarion/testing';
import { delayIn } from './processes';

const ticketsFor = (messages: number): string =>
  JSON.stringify({ data: Array.from({ length: messages }, (_, index) => ({ status: 'ok', id: `ticket-${index}` })) });
/** The response to a call with a hundred messages. */
const TICKETS = ticketsFor(100);

/** The name of a message of `lanes`. */
const NAME = /(?:idle|redis|postgres)-[a-z0-9-]+/;

type Message = { delayMs?: number; prefix?: string };

/**
 * The provider in a separate process, so that it does not use the event loop of its callers. Prints its URL, then the
 * time of each call if `tell` is given. `delay=50` delays its responses. With `keep` it keeps the names of its messages
 * and answers those with a prefix.
 */
async function main(): Promise<void> {
  const words = process.argv.slice(2);
  let delayMs = delayIn(words);
  const kept: { name: string; at: number }[] = [];
  const keep = ({ body, at }: FakeCall): void => void kept.push({ name: NAME.exec(body)?.[0] ?? '', at });
  const fake = await startFakeProvider({ record: false });
  const keeps = words.includes('keep');
  if (keeps) {
    fake.always('/', (call, usual) => {
      keep(call);
      return usual;
    });
  }
  fake.always('/v3/mail/send', (call) => {
    if (keeps) keep(call);
    if (words.includes('tell')) process.send!({ calledAt: performance.timeOrigin + performance.now() });
    return { status: 202, headers: { 'x-message-id': `fake-${fake.count}` }, ...(delayMs > 0 && { delayMs }) };
  });
  fake.always('/--/api/v2/push/send', (call) => {
    if (!keeps) return { text: TICKETS };
    keep(call);
    return { text: ticketsFor(1) };
  });
  process.on('message', (message: Message) => {
    delayMs = message.delayMs ?? delayMs;
    const { prefix } = message;
    if (prefix !== undefined) process.send!(kept.filter(({ name }) => name.startsWith(prefix)));
  });
  process.send!({ url: fake.url });
  whenAskedToStop(() => fake.close());
}

main().catch(exitOnFault);
