import { pipeline, Readable, Transform } from 'node:stream';
import { hideSignedLinks, isJsonObject, mapInSlices, mapItems, mapMembers, TimeSlices } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isMask, maskText } from './masked-text';
import { scopeCovers } from './route-policy';

type Caller = Pick<KeyOwner, 'scope' | 'isBrowser'>;

/** Whether responses show secrets in plain text: never in a browser, and only to a key that may change them. */
export const seesSecrets = ({ scope, isBrowser }: Caller): boolean => !isBrowser && scopeCovers(scope, ['full']);

/** Whether the caller may do what the signed links in messages do, such as to unsubscribe a person. */
export const maySeeLinks = ({ scope }: Caller): boolean => scopeCovers(scope, ['full']);

/**
 * Hides in every response what its caller may not see: addresses and headers that a trigger set, which are credentials
 * of subscribers, and the tokens of signed links, wherever a text repeats them.
 */
export function installDisclosure(server: FastifyInstance): void {
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    if (seesAll(request)) return done(null, payload);
    shownInSlices(payload).then((shown) => done(null, shown), done);
  });
  server.addHook('onSend', ({ owner, inboxCaller }, _reply, payload, done) => {
    const hidesLinks = owner ? !maySeeLinks(owner) : inboxCaller && !inboxCaller.signer;
    done(null, hidesLinks ? withoutLinks(payload) : payload);
  });
}

const seesAll = ({ owner, inboxCaller }: FastifyRequest): boolean => (owner ? seesSecrets(owner) : !inboxCaller);

/** The response without credentials, if the caller is a page or a weak key. Fastify asks for it unless it is a text. */
export const shownTo = (request: FastifyRequest, response: unknown): unknown =>
  seesAll(request) ? response : withoutCredentials(response);

/** The same for a page of rows, which can be large: others are served in between, and before the text is written. */
async function shownInSlices(response: unknown): Promise<unknown> {
  if (!isJsonObject(response) || !Array.isArray(response['data'])) return withoutCredentials(response);
  const slices = new TimeSlices();
  const data = await mapInSlices(response['data'], (row) => withoutCredentials(row), slices);
  await slices.rest();
  return { ...(withoutCredentials({ ...response, data: undefined }) as object), data };
}

function withoutLinks(payload: unknown): unknown {
  if (typeof payload === 'string') return hideSignedLinks(payload);
  if (!(payload instanceof Readable)) return payload;
  // Each chunk of a stream has whole rows.
  const hide = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, hideSignedLinks(chunk.toString('utf8'))),
  });
  return pipeline(payload, hide, () => undefined);
}

/** Members of overrides that say where a message goes. */
const ADDRESSES = new Set(['webhookUrl', 'deviceTokens', 'tokens']);
/** What is passed through to a provider may contain a key. */
const PASSED_THROUGH = new Set(['headers', 'query']);
/** What an author wrote stays as it is: a page that edits it sends it back. */
const AUTHORED = new Set(['controls', 'controlValues', 'controlVariables']);

function withoutCredentials(value: unknown, within?: 'overrides' | '_passthrough'): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => withoutCredentials(item, within));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return mapMembers(value, (member, name) => {
    if (within === 'overrides' && ADDRESSES.has(name)) return masked(member);
    if (within === '_passthrough' && PASSED_THROUGH.has(name)) return masked(member);
    if (name === 'payload') return withoutWebhook(member);
    if (AUTHORED.has(name)) return member;
    const isPart = name === 'overrides' || (within === 'overrides' && name === '_passthrough');
    return withoutCredentials(member, isPart ? name : within);
  });
}

/** A payload may name the webhook of its message. The differences of two payloads have a path and values. */
function withoutWebhook(payload: unknown): unknown {
  if (Array.isArray(payload)) {
    return payload.map((change: { path?: unknown }) =>
      change.path === 'webhookUrl' ? { ...(masked(change) as object), path: change.path } : change,
    );
  }
  if (typeof payload !== 'object' || payload === null || !('webhookUrl' in payload)) return payload;
  return { ...payload, webhookUrl: masked(payload.webhookUrl) };
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return isMask(value) ? value : maskText(value);
  if (Array.isArray(value)) return mapItems(value, masked);
  return typeof value === 'object' && value !== null ? mapMembers(value, masked) : value;
}
