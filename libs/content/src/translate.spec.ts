import type { JsonObject } from '@clarion/contracts/core';
import { renderText } from './templates';
import { environmentVariables, translateControls, translationKeys } from './translate';
import { endlessKeys, templateNames, translate } from './translation-jobs';
import { findEndless, localesFor, readContent, textIn } from './translation-texts';

const TEXTS: Record<string, string> = {
  hello: 'Hallo {{ payload.name }}',
  'cart.title': 'Warenkorb',
  both: '{{ t.hello }}: {{ t.cart.title }}',
  entry: '[{{ item }}]',
  loop: '{{ t.loop }}',
};
const textOf = (key: string): string | undefined => TEXTS[key];
const TEXT = { isEmail: false };

const translated = (body: string): string => (translateControls({ body }, textOf, TEXT)?.['body'] ?? body) as string;
const rendered = (body: string, variables: JsonObject = { payload: { name: 'Ada', list: ['a', 'b'] } }): string =>
  renderText(translated(body), variables);

describe('translateControls', () => {
  it.each([
    ['{{t.hello}}!', 'Hallo {{ payload.name }}!', 'Hallo Ada!'],
    ['a {{- t.cart.title -}} b', 'aWarenkorbb', 'aWarenkorbb'],
    ['{{ t.both }}', 'Hallo {{ payload.name }}: Warenkorb', 'Hallo Ada: Warenkorb'],
    ['{{ t.unknown.key }}', 'unknown.key', 'unknown.key'],
    [`{{ t["hello"] }} {{ t.cart['title'] }}`, 'Hallo {{ payload.name }} Warenkorb', 'Hallo Ada Warenkorb'],
    ['{{ t["a b"] }}', 'a b', 'a b'],
    ['{% raw %}{{ t.hello }}{% endraw %}', '{% raw %}{{ t.hello }}{% endraw %}', '{{ t.hello }}'],
    ['{{ payload.t.hello }}{{ "t.hello" }}', '{{ payload.t.hello }}{{ "t.hello" }}', 't.hello'],
    ['t.hello { {% unclosed', 't.hello { {% unclosed', undefined],
  ])('writes %s as %s', (template, expected, output) => {
    expect(translated(template)).toBe(expected);
    if (output !== undefined) expect(rendered(template)).toBe(output);
  });

  it.each([
    ['{{ t.hello | upcase }}', 'HALLO ADA'],
    ['{{ t["hello"] | upcase }}', 'HALLO ADA'],
    ['{{ payload.missing | default: t.cart.title }}', 'Warenkorb'],
    ['{% if payload.missing %}x{% elsif t.cart.title == "Warenkorb" %}{{ t.hello }}{% endif %}', 'Hallo Ada'],
    ['{% for item in payload.list %}{{ t.entry | upcase }}{% endfor %}', '[A][B]'],
    ['{% assign x = t.hello %}{{ x }}', 'Hallo Ada'],
  ])('lets filters and tags read translations: %s', (template, output) => {
    expect(rendered(template)).toBe(output);
  });

  it('ends with the key when a key names itself', () => {
    expect(translated('{{ t.loop }}')).toBe('loop');
  });

  it('translates texts and variables of the block editor, and keeps rules', () => {
    const document = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'variable', attrs: { id: 't.cart.title' }, marks: [{ type: 'bold' }] },
            { type: 'text', text: ' {{t.hello}}' },
          ],
        },
        { type: 'button', attrs: { text: 'x', url: 't.cart.title', isUrlVariable: true } },
      ],
    };
    const runIf = { '==': [{ var: 't.hello' }, '{{ t.hello }}'] };
    const controls = { subject: '{{ t.cart.title }}', body: JSON.stringify(document), runIf };
    expect(translationKeys(controls, { isEmail: true })).toEqual(['cart.title', 'hello']);
    expect(translateControls(controls, textOf, { isEmail: true })).toEqual({
      subject: 'Warenkorb',
      runIf,
      body: {
        type: 'doc',
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'Warenkorb', marks: [{ type: 'bold' }] },
              { type: 'text', text: ' Hallo {{ payload.name }}' },
            ],
          },
          { type: 'button', attrs: { text: 'x', url: 'Warenkorb', isUrlVariable: true } },
        ],
      },
    });
  });

  it('finds the variables of the environment and the keys without a text', () => {
    const controls = { body: '{{ env.URL }}/{{ t.both }}{{ t.gone }}{% if env.DEBUG == "env.X" %}{% endif %}' };
    expect(environmentVariables(controls, TEXT)).toEqual(['URL', 'DEBUG']);
    const missing = (body: string, { hello: _, ...texts }: Record<string, string>) =>
      templateNames([JSON.stringify([{ controls: { body }, isEmail: false }]), JSON.stringify(texts)], {
        chains: [[0]],
        together: false,
      });
    expect(missing(controls.body, { ...TEXTS, 'cart.title': 'x' })).toEqual([
      { environment: ['URL', 'DEBUG'], missing: [['gone', 'hello']] },
    ]);
    expect(missing(`{{ t["b"] }} {{ t.c['d'] | upcase }} {{ t["both"] }}`, TEXTS)).toMatchObject([
      { missing: [['b', 'c.d', 'hello']] },
    ]);
  });

  it.each([
    ['one control', { body: '{{ t.x }}'.repeat(50) }, 'body'],
    ['all controls together', { a: '{{ t.x }}'.repeat(10), b: { c: '{{ t.x }}'.repeat(10) } }, 'b.c'],
    ['one tag', { body: `{{ "" ${'| append: t.x '.repeat(50)} }}` }, 'body'],
  ])('refuses texts that get too long in %s', (_, controls, path) => {
    const long = () => translateControls(controls, () => 'x'.repeat(60_000), TEXT);
    expect(long).toThrow(expect.objectContaining({ path, message: expect.stringContaining('1048576') as string }));
  });

  it('resolves each key once, however often the texts name it', () => {
    const contents = { k1: '{{t.k2}}'.repeat(90), k2: '{{t.k3}}'.repeat(90), k3: '' };
    let reads = 0;
    const read = (key: string): string | undefined => {
      reads += 1;
      return contents[key as keyof typeof contents];
    };
    expect(translateControls({ body: '{{t.k1}}'.repeat(600) }, read, TEXT)).toEqual({ body: '' });
    expect(reads).toBe(3);
  });

  it('gives different names to the keys that filters read', () => {
    const contents = {
      outer: '{{ t.inner | upcase }}',
      inner: '{{ t.deep | append: t.other }}',
      deep: 'd',
      other: 'o',
    };
    const template = JSON.stringify({ controls: { body: '{{ t.outer | append: t.inner }}' }, isEmail: false });
    const { body } = translate([template, JSON.stringify(contents)]) as { body: string };
    expect(renderText(body, {})).toBe('DOdo');
  });

  it('takes time that grows with the length of the text only', () => {
    const hostile = [
      '{{ '.repeat(100_000),
      '{% raw %}'.repeat(50_000),
      `{{ ${'"'.repeat(200_001)} }}`,
      '{'.repeat(300_000),
    ];
    for (const text of hostile) expect(translated(text)).toBe(text);
  });
});

describe('readContent', () => {
  it('reads objects inside objects and keys with dots as the same', () => {
    expect(readContent({ a: { b: 'x', 'c.d': 'y' }, 'a.e': 'z' })).toEqual({
      ok: true,
      texts: new Map([
        ['a.b', 'x'],
        ['a.c.d', 'y'],
        ['a.e', 'z'],
      ]),
    });
  });

  it.each([
    [{ a: { b: 1 } }, 'a.b', 'must be a text'],
    [{ a: ['x'] }, 'a', 'must be a text'],
    [{ 'a b': 'x' }, 'a b', 'is not a key'],
    [{ '': 'x' }, '', 'is not a key'],
    [{ a: { b: 'x' }, 'a.b': 'y' }, 'a.b', 'is there twice'],
    [{ a: 'x', 'a.b': 'y' }, 'a', 'is a text and has keys below it'],
    [Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`k${index}`, 'x'])), 'k2000', 'more than 2000'],
  ])('names the key that is wrong: %#', (content, key, message) => {
    expect(readContent(content as JsonObject)).toEqual({ ok: false, key, message: expect.stringContaining(message) });
  });
});

describe('findEndless', () => {
  const contents = (...locales: [string, Record<string, string>][]) =>
    new Map(locales.map(([locale, texts]) => [locale, new Map(Object.entries(texts))]));

  it('names a cycle, also one that only the fallback closes', () => {
    const both = contents(['en_US', { a: '{{ t.b }}', b: 'x' }], ['de', { b: '{{ t.a }}' }]);
    expect(findEndless(both, 'en_US', 'de')).toEqual({ locale: 'de', key: 'b', message: 'names itself: b -> a -> b' });
    expect(findEndless(contents(['en_US', { a: '{{ t.a | upcase }}' }]), 'en_US', 'en_US')).toMatchObject({ key: 'a' });
    expect(findEndless(contents(['en_US', { a: '{{ t.b }}', b: '{{ t.c }}' }]), 'en_US', 'en_US')).toBeUndefined();
  });

  it('checks new contents one after the other, each with those before it', () => {
    const loop: JsonObject = { a: '{{ t.a }}' };
    const stored: [string, JsonObject][] = [['en_US', { a: '{{ t.b }}' }]];
    const added: [string, JsonObject][] = [
      ['de', loop],
      ['de_AT', { b: 'x' }],
      ['de', { b: '{{ t.c }}' }],
      ['de_AT', { c: '{{ t.a }}' }],
    ];
    expect(endlessKeys({ stored, added, standard: 'en_US' })).toEqual([
      { key: 'a', message: 'names itself: a -> a (in de)' },
      null,
      null,
      { key: 'c', message: 'names itself: c -> a -> b -> c (in de_AT)' },
    ]);
  });

  it('names a text that doubles with each key, and a chain that is too deep', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 18 }, (_, index) => [`k${index}`, index === 0 ? 'x' : `{{ t.k${index - 1} }}`.repeat(2)]),
    );
    expect(findEndless(contents(['en_US', doubling]), 'en_US', 'en_US')).toMatchObject({
      message: expect.stringContaining('longer than 65536'),
    });
    const chain = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, `{{ t.k${index + 1} }}`]));
    expect(findEndless(contents(['en_US', chain]), 'en_US', 'en_US')).toMatchObject({
      message: expect.stringContaining('levels deep'),
    });
  });

  it('looks for a text in the locale, its language and the default', () => {
    const all = contents(['de', { a: 'de' }], ['en_US', { a: 'en', b: 'en' }], ['fr', { c: 'fr' }]);
    const text = textIn(all, localesFor(all, 'de-AT', 'en_US'));
    expect(['a', 'b', 'c'].map(text)).toEqual(['de', 'en', undefined]);
  });
});
