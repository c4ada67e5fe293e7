import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };

const SITE = join(__dirname, '../dist/site');
const MANIFEST = JSON.parse(readFileSync(join(SITE, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const ENTRY = Object.keys(MANIFEST).find((name) => MANIFEST[name]!.isEntry)!;

/** The scripts and styles that the browser loads for these chunks before it draws. */
function filesOf(...names: string[]): string[] {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const { file, css = [], imports = [] } = MANIFEST[name]!;
    if (files.has(file)) return;
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(visit);
  };
  names.forEach(visit);
  return [...files];
}

const gzipped = (files: string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(SITE, file))).length, 0);

describe('sizes of the built dashboard', () => {
  it('loads at most 140 kB of script and style for the activity', () => {
    const size = gzipped(filesOf(ENTRY, 'src/pages/activity/activity-page.tsx'));
    process.stdout.write(`The activity loads ${Math.round(size / 1000)} kB of script and style, compressed.\n`);
    expect(size).toBeLessThanOrEqual(140_000);
  });

  it('does not load the template editor before it is used', () => {
    const pages = Object.keys(MANIFEST).filter((name) => name.startsWith('src/pages/'));
    expect(pages.length).toBeGreaterThan(10);
    const text = filesOf(ENTRY, 'src/pages/activity/activity-page.tsx')
      .map((file) => readFileSync(join(SITE, file), 'utf8'))
      .join('\n');
    expect(text).not.toMatch(/cm-editor\b.*cm-gutter/);
  });
});
