import { randomUUID } from 'node:crypto';
import { type EmailLink, LinkTokens } from './link-tokens';
import { SecretBox } from './secret-box';

describe('LinkTokens', () => {
  const [oldKey, newKey] = [SecretBox.generateKey('k1'), SecretBox.generateKey('k2')];
  const tokens = new LinkTokens(new SecretBox(newKey));
  const environmentId = randomUUID();
  const links: EmailLink[] = [
    { kind: 'open', environmentId, messageId: randomUUID() },
    { kind: 'click', environmentId, messageId: randomUUID(), url: 'https://x.test/ä?b=1#c' },
    { kind: 'preferences', environmentId, subscriberId: randomUUID(), workflowId: randomUUID() },
  ];

  it.each(links)('reads a link of the kind $kind, and as no other kind', (link) => {
    const token = tokens.issue(link);
    expect(token).toMatch(/^[\w-]+$/);
    expect(tokens.read(link.kind, token)).toEqual(link);
    for (const { kind } of links) if (kind !== link.kind) expect(tokens.read(kind, token)).toBeUndefined();
  });

  it('rejects every changed token, and tokens of other installations', () => {
    const link = links[1]!;
    const bytes = Buffer.from(tokens.issue(link), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(tokens.read('click', changed.toString('base64url'))).toBeUndefined();
    }
    const foreign = new LinkTokens(new SecretBox(SecretBox.generateKey()));
    expect(tokens.read('click', foreign.issue(link))).toBeUndefined();
    for (const text of ['', 'a', '=', 'a b', '\0', 'é', 'A'.repeat(20_000)]) {
      expect(tokens.read('click', text)).toBeUndefined();
    }
  });

  it('reads tokens of a former key as long as the list has it', () => {
    const former = new LinkTokens(new SecretBox(oldKey)).issue(links[0]!);
    expect(new LinkTokens(new SecretBox(`${newKey},${oldKey}`)).read('open', former)).toEqual(links[0]);
    expect(tokens.read('open', former)).toBeUndefined();
  });
});
