import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = join(__dirname, '../pages');
const FIELD = /<(TextField|TextArea|SearchBox|Select)\b[^/]*?\blabel="([^"]+)"/g;

/** The words for something that exists, so that no person has to type its id. */
const EXISTING =
  /^(new |default |sample )?(workflow|layout|subscriber|topic|integration|provider|locale|time zone|actor|resource|of)s?( id| key|id|key| or layout)?$/i;

/** The fields that give something new its id. */
const CREATES = ['subscribers/subscriber-form.tsx: subscriberId'];
/** The kinds of resources, of which there are few. */
const KINDS = ['settings/audit-log.tsx: Resource'];

describe('fields of the pages', () => {
  it('offers what exists in a picker, and has no text or native list for it', () => {
    const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
    const labels = files.flatMap((name) =>
      [...readFileSync(join(PAGES, name), 'utf8').matchAll(FIELD)].map(([, , label]) => [name, label!] as const),
    );
    expect(labels.length).toBeGreaterThan(50);
    const wrong = labels.filter(([, label]) => EXISTING.test(label)).map(([name, label]) => `${name}: ${label}`);
    expect(wrong.sort()).toEqual([...KINDS, ...CREATES].sort());
  });
});
