import { type FakeAnswer, type FakeCall, startFakeProvider } from '@clarion/testing';
import type { ProviderCall } from './history';

/** How the provider answers the calls of one account: undefined is the usual success. */
export type Behavior = (call: LoggedCall) => FakeAnswer | undefined;

/** A call with its account: the experiment chose the API key of each integration, and the call contains it. */
export type LoggedCall = ProviderCall & { account: string; port: number };

/**
 * The fake of all providers. It logs every call with what the message says about itself, and behaves for each account
 * as the experiment asks. A provider that knows idempotency keys is an account whose calls have keys: the checker
 * counts a repeated key once.
 */
export type ProviderLog = {
  readonly url: string;
  /** The calls for transactions that begin with this prefix. */
  calls(prefix: string): LoggedCall[];
  /** The number of all calls. */
  readonly count: number;
  behave(account: string, behavior: Behavior | undefined): void;
  /** Forgets the calls of finished experiments. */
  clear(): void;
  close(): Promise<void>;
};

/** The latency of a real provider, so that a process that is killed has calls in flight. */
const USUAL_DELAY_MS = 30;

export async function startProviderLog(): Promise<ProviderLog> {
  const fake = await startFakeProvider({ record: false });
  const behaviors = new Map<string, Behavior>();
  let calls: LoggedCall[] = [];
  fake.always('/', (call, usual) => {
    const logged = loggedCall(call);
    if (!logged) return usual;
    calls.push(logged);
    const answer = behaviors.get(logged.account)?.(logged);
    if (!answer) return { ...usual, delayMs: USUAL_DELAY_MS };
    const isAnswered = !answer.hang && !answer.close && answer.dripMs === undefined && answer.bytes === undefined;
    logged.accepted = isAnswered && (answer.status ?? 200) < 300;
    return logged.accepted ? { ...usual, ...answer } : answer;
  });
  return {
    url: fake.url,
    calls: (prefix) => calls.filter(({ transactionId }) => transactionId.startsWith(prefix)),
    get count() {
      return fake.count;
    },
    behave(account, behavior) {
      if (behavior) behaviors.set(account, behavior);
      else behaviors.delete(account);
    },
    clear: () => void (calls = []),
    close: () => fake.close(),
  };
}

/** Contents of messages begin with such a mark: event, subscriber, step. */
export const mark = (stepKey: string): string => `~{{payload.t}}~{{subscriber.subscriberId}}~${stepKey}~`;
/** The events of the digest step `collect`. */
export const DIGEST_MARK = '^{% for event in steps.collect.events %}{{event.payload.t}},{% endfor %}^';

const MARK = /~([\w.-]+)~([\w.-]+)~([\w.-]+)~/;
const DIGEST = /\^([\w.,-]*)\^/;

function loggedCall({ at, headers, body, path, port }: FakeCall): LoggedCall | undefined {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const text = isForm ? decodeURIComponent(body.replaceAll('+', ' ')) : body;
  const found = MARK.exec(text);
  if (!found) return undefined;
  const key = headers['idempotency-key'];
  const digest = DIGEST.exec(text);
  return {
    at,
    transactionId: found[1]!,
    subscriberId: found[2]!,
    stepKey: found[3]!,
    port,
    account: accountOf(headers.authorization ?? '', path),
    ...(key !== undefined && { key: String(key) }),
    ...(digest && { digested: digest[1]!.split(',').filter(Boolean) }),
    accepted: true,
  };
}

function accountOf(authorization: string, path: string): string {
  const [scheme, value = ''] = authorization.split(' ');
  if (scheme === 'Basic') return Buffer.from(value, 'base64').toString().split(':')[0]!;
  return value || path;
}
