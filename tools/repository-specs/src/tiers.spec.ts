import { readSources } from './sources';

const specs = readSources('.ts').filter(({ path }) => path.endsWith('.spec.ts'));
const firstTier = new Set(specs.map(({ path }) => path.split('/').at(-1)!).filter((name) => !/\.full\./.test(name)));

const textOf = (document: string): string => readSources('.md').find(({ path }) => path === document)!.text;
/** The names of specs in a text, which must exist. */
const namedIn = (text: string): string[] => [...text.matchAll(/`([\w.-]+\.spec\.ts)`/g)].map(([, name]) => name!);
const withoutSpec = (rules: readonly string[]): string[] =>
  rules.filter((rule) => !namedIn(rule).some((name) => firstTier.has(name)));

describe('the first tier of the suite', () => {
  it('has a spec of each wall of SECURITY.md', () => {
    const walls = textOf('SECURITY.md').match(/^\| \*\*.+$/gm)!;
    expect(walls.length).toBeGreaterThan(20);
    expect(withoutSpec(walls)).toEqual([]);
  });

  it('has a spec of each promise of docs/reliability.md', () => {
    const [, promises] = /\n## The promises\n([^]*?)\n## /.exec(textOf('docs/reliability.md'))!;
    const each = promises!.split(/\n(?=\d+\. )/).filter((text) => /^\d+\. /.test(text));
    expect(each.length).toBeGreaterThan(7);
    expect(withoutSpec(each)).toEqual([]);
  });
});
