import { readsEnvironment, readsTranslations } from './template-reads';

describe('what templates may read', () => {
  it.each([
    '{{t.a}}',
    '{{ t["a"] }}',
    '{{ "x" | append:t.a }}',
    '{{\nt.a}}',
    '{{\tt.a}}',
    '{{\u0001t.a}}',
    '{% if\r\nt.a %}{% endif %}',
    JSON.stringify({ type: 'doc', content: [{ type: 'text', text: '{{\nt.a\n}}' }] }),
    JSON.stringify({ type: 'doc', content: [{ type: 'variable', attrs: { id: 't.a' } }] }),
  ])('finds the translation in %j', (body) => expect(readsTranslations({ body })).toBe(true));

  it.each(['plain text.', '{{ payload.t.a }}', '{{ at.a }}', '{{ t }}', '{{ payload["t"] }}'])(
    'finds no translation in %j',
    (body) => expect(readsTranslations({ body })).toBe(false),
  );

  it('finds the environment in any spelling', () => {
    expect(readsEnvironment({ body: '{{ env["A"] }}' })).toBe(true);
    expect(readsEnvironment({ body: '{{ payload.a }}' })).toBe(false);
  });
});
