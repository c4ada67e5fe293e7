import { encryptionKeysFault, SecretBox } from './secret-box';

const PLACE = ['env', 'integration', 'id', 'apiKey'] as const;

describe('SecretBox', () => {
  it('decrypts what it encrypted, with a different ciphertext each time', () => {
    const box = new SecretBox(SecretBox.generateKey());
    const [first, second] = [box.encrypt('süß', PLACE), box.encrypt('süß', PLACE)];
    expect(first).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
    expect(first).not.toBe(second);
    expect(box.decrypt(first, PLACE)).toBe('süß');
    expect(box.decrypt(box.encrypt('', PLACE), PLACE)).toBe('');
  });

  it('rejects ciphertext that was moved to another location or modified', () => {
    const box = new SecretBox(SecretBox.generateKey());
    const sealed = box.encrypt('secret', PLACE);
    expect(() => box.decrypt(sealed, ['other', 'integration', 'id', 'apiKey'])).toThrow();
    for (const part of [2, 3, 4]) {
      const parts = sealed.split('.');
      parts[part] = (parts[part]!.startsWith('A') ? 'B' : 'A') + parts[part]!.slice(1);
      expect(() => box.decrypt(parts.join('.'), PLACE)).toThrow();
    }
    const [version, kid, iv, tag, text] = sealed.split('.');
    expect(() => box.decrypt([version, kid, iv, tag!.slice(0, 8), text].join('.'), PLACE)).toThrow();
  });

  it('encrypts with the first key, decrypts with every key and names an unknown key', () => {
    const [old, fresh] = [SecretBox.generateKey('old'), SecretBox.generateKey('new')];
    const sealed = new SecretBox(old).encrypt('secret', PLACE);
    const both = new SecretBox(`${fresh}, ${old}`);
    expect(both.decrypt(sealed, PLACE)).toBe('secret');
    expect(both.encrypt('x', PLACE)).toMatch(/^v1\.new\./);
    expect(both.isUnderNewest(both.encrypt('x', PLACE))).toBe(true);
    expect(both.isUnderNewest(sealed)).toBe(false);
    expect(both.isUnderNewest(sealed.replace('old', 'new-2'))).toBe(false);
    expect(() => new SecretBox(fresh).decrypt(sealed, PLACE)).toThrow('key "old" is not in CLARION_ENCRYPTION_KEY');
  });

  it('signs a text for one location and verifies with every key of the list', () => {
    const [old, fresh] = [SecretBox.generateKey('old'), SecretBox.generateKey('new')];
    const both = new SecretBox(`${fresh},${old}`);
    const signature = new SecretBox(old).sign('text', PLACE);
    expect(signature).toMatch(/^old\.[\w-]{43}$/);
    expect(both.isSignature(signature, 'text', PLACE)).toBe(true);
    expect(both.sign('text', PLACE)).toMatch(/^new\./);
    expect(both.isSignature(signature, 'other', PLACE)).toBe(false);
    expect(both.isSignature(signature, 'text', ['other', 'integration', 'id', 'apiKey'])).toBe(false);
    expect(both.isSignature(signature, 'text', ['env', 'integration', 'id|apiKey'])).toBe(false);
    expect(new SecretBox(fresh).isSignature(signature, 'text', PLACE)).toBe(false);
    for (const forged of ['', 'old', 'old.', `${signature}x`, signature.replace('old', 'new')]) {
      expect(both.isSignature(forged, 'text', PLACE)).toBe(false);
    }
  });

  it('derives a key for each purpose and key id', () => {
    const box = new SecretBox(`k1:${Buffer.alloc(32).toString('base64')},${SecretBox.generateKey('k2')}`);
    expect(box.newest).toBe('k1');
    // HKDF-SHA256 of 32 zero bytes, without salt, with the purpose as info.
    expect(box.deriveKey('tokens', 'k1')!.toString('hex')).toBe(
      '198cc4f6b2280fbf4ae3243b559b8fd7f85728989ac8de901b76ee8ee26d8da7',
    );
    expect(box.deriveKey('links', 'k1')).not.toEqual(box.deriveKey('tokens', 'k1'));
    expect(box.deriveKey('tokens', 'k2')).not.toEqual(box.deriveKey('tokens', 'k1'));
    expect(box.deriveKey('tokens', 'k3')).toBeUndefined();
  });

  it.each([
    ['', 'must be a list'],
    ['nokid', 'without a key id'],
    ['k1:abc', 'must be 32 bytes'],
    [`k1:${Buffer.alloc(32).toString('base64')},k1:${Buffer.alloc(32).toString('base64')}`, 'twice'],
  ])('finds the fault in the key list "%s"', (list, fault) => {
    expect(encryptionKeysFault(list)).toContain(fault);
  });
});
