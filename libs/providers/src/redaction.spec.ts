import type { SendResult } from './provider';
import { redactText, withoutSecrets } from './redaction';

const SECRET = `p@ss/"wörd' & <more>+?`;

describe('redaction of provider texts', () => {
  it.each<[string, (text: string) => string]>([
    ['as it is', (text) => text],
    ['in JSON', (text) => JSON.stringify(text)],
    ['in JSON inside of JSON', (text) => JSON.stringify(JSON.stringify({ text }))],
    ['in a form', (text) => new URLSearchParams({ text }).toString()],
    ['in a query', (text) => encodeURIComponent(text)],
    ['in HTML', (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
    [
      'in an attribute of HTML',
      (text) =>
        text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#39;'),
    ],
    ['in base64', (text) => Buffer.from(text).toString('base64')],
    ['in the base64 of a text', (text) => Buffer.from(`a${text}b`).toString('base64')],
    ['in the base64 of another text', (text) => Buffer.from(`ab${text}`).toString('base64')],
    ['in base64url', (text) => Buffer.from(`>>>${text}`).toString('base64url')],
  ])('redacts a secret %s', (_, write) => {
    const clean = redactText(`before ${write(SECRET)} after`, {}, [SECRET]);
    expect(clean).toContain('[redacted]');
    expect(clean.length).toBeLessThan(50);
    for (const part of ['p@ss', 'wörd', 'more', 'p%40ss']) expect(clean).not.toContain(part);
  });

  it('redacts a secret that begins before the cut and ends after it', () => {
    for (let length = 2_040; length <= 2_048; length += 1) {
      const clean = redactText(`${'.'.repeat(length)}topsecret`, {}, ['topsecret']);
      expect('[redacted]').toContain(clean.replaceAll('.', ''));
    }
    // What many long secrets leave of the text does not let the end of one appear.
    const secret = 'topsecret'.repeat(20);
    expect(redactText(`${secret}.`.repeat(100), {}, [secret])).toMatch(/^(\[redacted\]\.?)+$/);
  });

  it('keeps the texts that a secret with less than four characters is part of', () => {
    expect(redactText('abcdef', {}, ['abc'])).toBe('abcdef');
    expect(redactText('abcdef', {}, ['abcd'])).toBe('[redacted]ef');
  });

  it('redacts the texts and the id of results, but not a short secret in an id', () => {
    const clean = (result: SendResult): SendResult =>
      withoutSecrets([result], { apiKey: 'key1' }, () => ['topsecret'])[0]!;
    expect(clean({ ok: true, id: 'topsecret', raw: 'key1 topsecret' })).toEqual({
      ok: true,
      id: '[redacted]',
      raw: '[redacted] [redacted]',
    });
    expect(clean({ ok: true, id: 'key1-7' })).toEqual({ ok: true, id: 'key1-7' });
    expect(clean({ ok: false, kind: 'content', message: 'bad topsecret' })).toMatchObject({
      message: 'bad [redacted]',
    });
  });
});
