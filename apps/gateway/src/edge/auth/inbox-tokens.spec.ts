import { createHmac } from 'node:crypto';
import { type EnvironmentId, newId, type SubscriberRowId } from '@clarion/contracts';
import { SecretBox } from '@clarion/platform';
import { InboxTokens } from './inbox-tokens';

const HOUR = 3600 * 1000;
const oldKey = SecretBox.generateKey('k1');
const newKey = SecretBox.generateKey('k2');
const tokens = new InboxTokens(new SecretBox(oldKey));
const claims = {
  environmentId: newId<EnvironmentId>(),
  subscriberRowId: newId<SubscriberRowId>(),
  subscriberId: 'ana ✓',
  contextKeys: ['region:eu', 'workspace:a'],
  signer: newId(),
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Signs as InboxTokens does, so that only the changed part can be the reason for a refusal. */
function forge(change: { header?: object; payload?: object }, now = Date.now()): string {
  const [header, payload] = tokens.issue(claims, now).split('.') as [string, string];
  const signed = [
    { ...decode(header), ...change.header },
    { ...decode(payload), ...change.payload },
  ].map(encode);
  const key = new SecretBox(oldKey).deriveKey('inbox session tokens', 'k1')!;
  return [...signed, createHmac('sha256', key).update(signed.join('.')).digest('base64url')].join('.');
}

it('returns the claims of a token that it issued, for at most 24 hours', () => {
  const now = Date.now();
  const token = tokens.issue(claims, now);
  const { expiresAt, ...rest } = tokens.verify(token, now);
  expect(rest).toEqual(claims);
  expect(expiresAt - now).toBeGreaterThan(23 * HOUR);
  expect(expiresAt - now).toBeLessThanOrEqual(24 * HOUR);
  expect(tokens.verify(token, expiresAt - 1)).toMatchObject(claims);
  expect(() => tokens.verify(token, expiresAt)).toThrow('The inbox session has ended');
});

it('accepts tokens of an older key while it is in the list, and issues under the newest', () => {
  const rotated = new InboxTokens(new SecretBox(`${newKey},${oldKey}`));
  expect(rotated.verify(tokens.issue(claims))).toMatchObject(claims);
  expect(() => tokens.verify(rotated.issue(claims))).toThrow('not valid');
  expect(() => new InboxTokens(new SecretBox(newKey)).verify(tokens.issue(claims))).toThrow('not valid');
});

it('refuses a token that was changed, has another algorithm or is no token', () => {
  const [header, payload, signature] = tokens.issue(claims).split('.') as [string, string, string];
  const other = encode({ ...decode(payload), subscriberId: 'bob' });
  const unsigned = encode({ alg: 'none', kid: 'k1' });
  expect(tokens.verify(forge({}))).toMatchObject(claims);
  for (const forged of [
    `${header}.${other}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${unsigned}.${payload}.`,
    `${unsigned}.${payload}.${signature}`,
    `${header}.${payload}.${signature}.`,
    forge({ header: { alg: 'HS512' } }),
    forge({ header: { kid: 'k9' } }),
    forge({ header: { kid: 7 } }),
    forge({ payload: { aud: 'dashboard' } }),
    forge({ payload: { sub: 'ana' } }),
    forge({ payload: { environmentId: null } }),
    forge({ payload: { contextKeys: 'workspace:a' } }),
    forge({ payload: { signer: true } }),
    forge({ payload: { exp: '9999999999' } }),
    forge({ payload: { iat: Math.floor(Date.now() / 1000) + 3600 } }),
    '',
    '..',
    'a.b.c',
    'x'.repeat(100_000),
  ]) {
    expect(() => tokens.verify(forged)).toThrow('The inbox token is not valid');
  }
});

it('refuses a signed token that would last longer than 24 hours', () => {
  const now = Math.floor(Date.now() / 1000);
  expect(() => tokens.verify(forge({ payload: { iat: now, exp: now + 25 * 3600 } }))).toThrow('has ended');
});
