import type { EnvironmentDto, InboxSessionDto } from '@clarion/contracts';
import { callGateway, OPERATOR_KEY, signatureOf, type TestGateway } from './harness';

export type Reply = { status: number; text: string; body: Record<string, unknown> };

/** A caller with one credential. */
export type Caller = {
  name: string;
  /** The credential, if it is an API key. */
  apiKey?: string;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
};

export const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();
export const LOOPBACK = ['127.0.0.0/8'];

const KEYS = {
  'read key': { scope: 'read' },
  'trigger key': { scope: 'trigger' },
  'full key': { scope: 'full' },
  'full key for an hour': { scope: 'full', expiresAt: IN_AN_HOUR },
  'full key for some addresses': { scope: 'full', allowedAddresses: LOOPBACK },
  'admin key': { scope: 'admin' },
  'admin key for an hour': { scope: 'admin', expiresAt: IN_AN_HOUR },
  'admin key for some addresses': { scope: 'admin', allowedAddresses: LOOPBACK },
};
const SESSIONS = { 'read session': 'read key', 'full session': 'full key', 'admin session': 'admin key' };

/** What comes after this notification is sent at once to a caller that follows the activity. */
const LONG_AGO = { 'last-event-id': '0190c0de-0000-7000-8000-000000000000' };

export const newKey = async (gateway: TestGateway, rights: object): Promise<{ _id: string; key: string }> =>
  (await gateway.call<{ _id: string; key: string }>('POST', keysPath(gateway), rights)).body;

export const keysPath = ({ environmentId }: TestGateway): string => `/v1/environments/${environmentId}/api-keys`;

/** A caller for each kind of credential, and their secrets. */
export async function openCallers(gateway: TestGateway): Promise<{ callers: Caller[]; secrets: string[] }> {
  const callerWith = (name: string, headers: Record<string, string>, apiKey?: string): Caller => ({
    name,
    ...(apiKey !== undefined && { apiKey }),
    call: (method, path, body, more) => send(gateway.url + path, method, { ...LONG_AGO, ...headers, ...more }, body),
  });
  const withKey = (name: string, key: string, more = {}): Caller =>
    callerWith(name, { authorization: `ApiKey ${key}`, ...more }, key);
  const operator = withKey('operator key', OPERATOR_KEY, { 'clarion-environment': gateway.environmentId });
  const callers = [callerWith('nobody', {}), operator];
  const secrets = [OPERATOR_KEY];
  for (const [name, rights] of Object.entries(KEYS)) {
    const { key } = await newKey(gateway, rights);
    callers.push(withKey(name, key));
    secrets.push(key);
  }
  for (const [name, of] of Object.entries(SESSIONS)) {
    const { apiKey } = callers.find((caller) => caller.name === of)!;
    const opened = await fetch(`${gateway.url}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey }),
    });
    const cookie = opened.headers.get('set-cookie')!.split(';', 1)[0]!;
    callers.push(callerWith(name, { cookie, 'clarion-dashboard': '1' }));
    secrets.push(cookie.split('=', 2)[1]!);
  }
  for (const [name, key] of Object.entries({ 'unsigned page': undefined, 'signed page': gateway.key })) {
    const token = await openInbox(gateway, key);
    callers.push(callerWith(name, { authorization: `Bearer ${token}` }));
    secrets.push(token!);
  }
  return { callers, secrets };
}

/** The token of an inbox session of the subscriber `ada`, which the key signs. */
export async function openInbox({ url, call }: TestGateway, key?: string): Promise<string | undefined> {
  const { identifier } = (await call<EnvironmentDto>('GET', '/v1/environments/me')).body;
  const { body } = await callGateway<{ data?: InboxSessionDto }>(url, '', 'POST', '/v1/inbox/session', {
    applicationIdentifier: identifier,
    subscriber: { subscriberId: 'ada' },
    ...(key !== undefined && { subscriberHash: signatureOf('ada', key) }),
  });
  return body.data?.token;
}

async function send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const text = type === 'text/event-stream' ? await firstPart(response) : await response.text();
  const isJson = type.startsWith('application/json') && text !== '';
  return { status: response.status, text, body: isJson ? (JSON.parse(text) as Reply['body']) : {} };
}

/** A stream has no end. */
async function firstPart(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const { value } = (await reader.read()) as { value?: Uint8Array };
  await reader.cancel();
  return Buffer.from(value ?? []).toString('utf8');
}
