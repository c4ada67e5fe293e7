import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Secrets at rest: AES-256-GCM, text form `v1.<kid>.<iv>.<tag>.<ciphertext>`.
 *
 * The key id allows rotation: the first key of the list encrypts, every key of the list decrypts. The additional
 * authenticated data names the location of a secret (environment, table, row, field), so ciphertext copied to the row
 * of another tenant does not decrypt.
 */
export type SecretLocation = readonly [environmentId: string, ...path: string[]];

const KID = /^[A-Za-z0-9_-]{1,32}$/;

/** Why a `kid:base64` list is invalid; undefined when it is valid. */
export function encryptionKeysFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return 'must be a list of kid:base64';
  const seen = new Set<string>();
  for (const entry of value.split(',')) {
    const [kid = '', encoded = ''] = splitOnce(entry.trim());
    if (!KID.test(kid)) return `has an entry without a key id (1 to 32 letters, digits, - or _): write kid:base64`;
    if (Buffer.from(encoded, 'base64').length !== 32) return `key "${kid}" must be 32 bytes in base64`;
    if (seen.has(kid)) return `names the key id "${kid}" twice`;
    seen.add(kid);
  }
  return undefined;
}

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf(':');
  return at < 0 ? ['', entry] : [entry.slice(0, at), entry.slice(at + 1)];
}

export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  /** The id of the key that encrypts and signs. */
  readonly newest: string;
  /** The prefix of everything that is encrypted with the newest key. */
  readonly newestPrefix: string;

  constructor(list: string) {
    const fault = encryptionKeysFault(list);
    if (fault) throw new Error(`encryption keys: the list ${fault}`);
    for (const entry of list.split(',')) {
      const [kid, encoded] = splitOnce(entry.trim());
      this.keys.set(kid, Buffer.from(encoded, 'base64'));
    }
    this.newest = this.keys.keys().next().value!;
    this.newestPrefix = `v1.${this.newest}.`;
  }

  static generateKey(kid = 'k1'): string {
    return `${kid}:${randomBytes(32).toString('base64')}`;
  }

  encrypt(plaintext: string, location: SecretLocation): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(this.newest)!, iv);
    cipher.setAAD(additionalData(location));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return (
      this.newestPrefix + [iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url')).join('.')
    );
  }

  isUnderNewest(sealed: string): boolean {
    return sealed.startsWith(this.newestPrefix);
  }

  decrypt(sealed: string, location: SecretLocation): string {
    const [version, kid = '', iv = '', tag = '', ciphertext = ''] = sealed.split('.');
    if (version !== 'v1') throw new Error('unreadable secret: unknown format');
    const key = this.keys.get(kid);
    if (!key) throw new Error(`unreadable secret: key "${kid}" is not in CLARION_ENCRYPTION_KEY`);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
    decipher.setAAD(additionalData(location));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()]).toString('utf8');
  }

  /** Signs a text for one location, for links that are handed out. */
  sign(text: string, location: SecretLocation): string {
    return this.signWith(this.newest, text, location);
  }

  isSignature(signature: string, text: string, location: SecretLocation): boolean {
    const [kid = ''] = signature.split('.', 1);
    if (!this.keys.has(kid)) return false;
    return equalInConstantTime(Buffer.from(signature), Buffer.from(this.signWith(kid, text, location)));
  }

  /** A key for one purpose (HKDF, RFC 5869). Undefined when the list has no key of this id. */
  deriveKey(purpose: string, kid: string): Buffer | undefined {
    const key = this.keys.get(kid);
    return key && Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  }

  /** For links of limited length. It names no key: every key of the list is tried. */
  shortSignature(text: string, location: SecretLocation): string {
    return this.shortSignatureWith(this.newest, text, location);
  }

  isShortSignature(signature: string, text: string, location: SecretLocation): boolean {
    return [...this.keys.keys()].some((kid) =>
      equalInConstantTime(Buffer.from(signature), Buffer.from(this.shortSignatureWith(kid, text, location))),
    );
  }

  /** 192 bits. */
  private shortSignatureWith(kid: string, text: string, location: SecretLocation): string {
    const signature = createHmac('sha256', this.deriveKey('short signatures', kid)!);
    return signature
      .update(JSON.stringify([...location, text]))
      .digest('base64url')
      .slice(0, 32);
  }

  /** The keys for one purpose, one from each key of the list, the newest first. */
  deriveKeys(purpose: string): Buffer[] {
    return [...this.keys.keys()].map((kid) => this.deriveKey(purpose, kid)!);
  }

  /** Signs with a derived key: an encryption key should not be used for anything else. */
  private signWith(kid: string, text: string, location: SecretLocation): string {
    const key = createHmac('sha256', this.keys.get(kid)!).update('signatures').digest();
    const signature = createHmac('sha256', key).update(JSON.stringify([...location, text]));
    return `${kid}.${signature.digest('base64url')}`;
  }
}

function additionalData(location: SecretLocation): Buffer {
  return Buffer.from(location.join('|'), 'utf8');
}

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer');

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

export function equalInConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
