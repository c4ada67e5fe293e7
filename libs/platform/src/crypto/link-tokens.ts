import { createHmac } from 'node:crypto';
import { equalInConstantTime, type SecretBox } from './secret-box';

/** A token of one kind is never valid as another. Links do not expire: people open emails after months. */
export type EmailLink =
  | { kind: 'open'; environmentId: string; messageId: string }
  | { kind: 'click'; environmentId: string; messageId: string; url: string }
  | { kind: 'preferences'; environmentId: string; subscriberId: string; workflowId: string };

const KINDS = ['open', 'click', 'preferences'] as const satisfies EmailLink['kind'][];
const ID_BYTES = 16;
const MAC_BYTES = 16;
/** No link is longer: see `MOST_TRACKED_CHARACTERS` in libs/content. */
const MOST_CHARACTERS = 8_000;

/** Makes and reads the tokens of links, signed by a key that is derived from each key of CLARION_ENCRYPTION_KEY. */
export class LinkTokens {
  /** The first key signs, all of them verify. */
  private readonly keys: Buffer[];

  constructor(secrets: SecretBox) {
    this.keys = secrets.deriveKeys('clarion email links v1');
  }

  issue(link: EmailLink): string {
    const body = bodyOf(link);
    return Buffer.concat([this.macOf(this.keys[0]!, body), body]).toString('base64url');
  }

  /** Undefined for a token that this installation did not issue, or not for this kind of link. */
  read<Kind extends EmailLink['kind']>(kind: Kind, token: string): Extract<EmailLink, { kind: Kind }> | undefined {
    if (token.length > MOST_CHARACTERS || !/^[\w-]+$/.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
    if (body[0] !== KINDS.indexOf(kind) || body.length < 1 + 2 * ID_BYTES) return undefined;
    if (!this.keys.some((key) => equalInConstantTime(mac, this.macOf(key, body)))) return undefined;
    return linkOf(body) as Extract<EmailLink, { kind: Kind }>;
  }

  private macOf(key: Buffer, body: Buffer): Buffer {
    return createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES);
  }
}

function bodyOf(link: EmailLink): Buffer {
  const parts = [Buffer.of(KINDS.indexOf(link.kind)), bytesOf(link.environmentId)];
  if (link.kind === 'preferences') parts.push(bytesOf(link.subscriberId), bytesOf(link.workflowId));
  else parts.push(bytesOf(link.messageId));
  if (link.kind === 'click') parts.push(Buffer.from(link.url, 'utf8'));
  return Buffer.concat(parts);
}

function linkOf(body: Buffer): EmailLink {
  const kind = KINDS[body[0]!]!;
  const idAt = (place: number): string => idOf(body.subarray(1 + place * ID_BYTES, 1 + (place + 1) * ID_BYTES));
  const environmentId = idAt(0);
  if (kind === 'preferences') return { kind, environmentId, subscriberId: idAt(1), workflowId: idAt(2) };
  if (kind === 'open') return { kind, environmentId, messageId: idAt(1) };
  return { kind, environmentId, messageId: idAt(1), url: body.subarray(1 + 2 * ID_BYTES).toString('utf8') };
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function idOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
