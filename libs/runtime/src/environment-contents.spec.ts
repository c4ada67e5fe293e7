import type { TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, type JsonObject, newId } from '@clarion/contracts/core';
import type { TranslatedContent } from '@clarion/persistence';
import { type ContentStore, EnvironmentContents } from './environment-contents';

describe('the contents of environments', () => {
  const environmentId = newId() as EnvironmentId;
  const [workflow, other] = [newId(), newId()];
  /** JSON by row and locale. */
  let stored: Map<string, string>;
  let asked: TranslatedContent[][];
  let translations: number;
  let contents: EnvironmentContents;

  beforeEach(async () => {
    stored = new Map([
      [`${workflow} en_US`, '{"k":"color"}'],
      [`${workflow} en`, '{"k":"colour"}'],
      [`${workflow} de`, '{"k":"Farbe"}'],
      [`${workflow} fr`, '{"k":"couleur"}'],
      // More than fits into the cache.
      [`${other} en_US`, JSON.stringify({ k: 'x'.repeat(32 * 1024 * 1024) })],
    ]);
    asked = [];
    translations = 0;
    const store = {
      load: () => Promise.resolve({ name: 'Spec', type: 'dev', defaultLocale: 'en_US', variables: [] }),
      contents: (_: EnvironmentId, wanted: TranslatedContent[]) => {
        asked.push(wanted);
        return Promise.resolve(
          wanted.flatMap(({ id, locale }) => {
            const json = stored.get(`${id} ${locale}`);
            return json === undefined ? [] : [{ id, locale, json }];
          }),
        );
      },
    } as unknown as ContentStore;
    const translate = ([item]: { contents: string[]; controls: JsonObject }[]) => {
      translations += 1;
      const texts = item!.contents.map((text) => text.slice(0, 20));
      return Promise.resolve([
        { ok: true, controls: { texts, long: 'x'.repeat(Number(item!.controls['long'] ?? 0)) } },
      ]);
    };
    contents = new EnvironmentContents(store, { translate } as unknown as TemplateRenderer);
    await contents.load([{ environmentId, contentStamp: '1' }]);
  });

  const textsOf = async (...items: { resourceId: string; locale: string | null }[]) => {
    const controls = (): JsonObject => ({ body: '{{t.k}}' });
    const found = await contents.translate(
      items.map((item) => ({ ...item, environmentId, isEmail: false, controls: controls() })),
    );
    return found.map((one) => one.ok && one.controls['texts']);
  };

  it('reads the locales of the subscriber and no other, each once', async () => {
    expect(await textsOf({ resourceId: workflow, locale: 'de_AT' })).toEqual([
      ['{"k":"Farbe"}', '{"k":"color"}', '{"k":"colour"}'],
    ]);
    expect(asked).toEqual([['de_AT', 'de', 'en_US', 'en'].map((locale) => ({ id: workflow, locale }))]);
    expect(await textsOf({ resourceId: workflow, locale: 'de' }, { resourceId: workflow, locale: null })).toEqual([
      ['{"k":"Farbe"}', '{"k":"color"}', '{"k":"colour"}'],
      ['{"k":"color"}', '{"k":"colour"}'],
    ]);
    expect(asked).toHaveLength(1);
  });

  it('keeps the texts of a message when others empty the cache before it is written', async () => {
    await textsOf({ resourceId: workflow, locale: null });
    const both = [workflow, other].map((resourceId) => ({ resourceId, locale: null }));
    expect(await textsOf(...both)).toEqual([
      ['{"k":"color"}', '{"k":"colour"}'],
      [expect.stringContaining('{"k":"xxx')],
    ]);
    expect(await textsOf({ resourceId: workflow, locale: null })).toEqual([['{"k":"color"}', '{"k":"colour"}']]);
  });

  it('keeps the translated controls of a few languages, and of many at most as many bytes', async () => {
    const steps = [1, 2, 3, 4, 5].map((): JsonObject => ({ body: '{{t.k}}', long: 480_000 }));
    const send = (languages: string[]) =>
      contents.translate(
        languages.flatMap((locale) =>
          steps.map((controls) => ({ environmentId, resourceId: workflow, isEmail: false, locale, controls })),
        ),
      );
    await send(['de']);
    await send(['de']);
    expect(translations).toBe(steps.length);
    const languages = Array.from({ length: 20 }, (_, at) => `en_${String.fromCharCode(65 + at)}Z`);
    for (const language of languages) stored.set(`${workflow} ${language}`, '{}');
    await send(languages);
    expect(translations).toBe(21 * steps.length);
    expect(contents.bytes).toBeLessThan(5_000_000);
  });
});
