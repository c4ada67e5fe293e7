import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Chunk = { file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[]; css?: string[] };

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
  it('loads at most 145 kB of script and style for the activity', () => {
    const size = gzipped(filesOf(ENTRY, 'src/pages/activity/activity-page.tsx'));
    process.stdout.write(`The activity loads ${Math.round(size / 1000)} kB of script and style, compressed.\n`);
    expect(size).toBeLessThanOrEqual(145_000);
  });

  it('loads no editor, no chart and no dialog before it is used', () => {
    const first = filesOf(ENTRY, 'src/pages/activity/activity-page.tsx');
    const later = Object.keys(MANIFEST).filter(
      (name) => MANIFEST[name]!.isDynamicEntry && name !== 'src/pages/activity/activity-page.tsx',
    );
    expect(later.length).toBeGreaterThan(20);
    expect(later.filter((name) => first.includes(MANIFEST[name]!.file))).toEqual([]);
    const text = first.map((file) => readFileSync(join(SITE, file), 'utf8')).join('\n');
    // What ProseMirror, CodeMirror and the bars of the overview are known by.
    for (const mark of ['ProseMirror', 'cm-gutter', 'Outcomes over time']) expect(text).not.toContain(mark);
    const whole = readdirSync(join(SITE, 'assets')).map((file) => readFileSync(join(SITE, 'assets', file), 'latin1'));
    for (const mark of ['ProseMirror', 'cm-gutter', 'Outcomes over time']) expect(whole.join('\n')).toContain(mark);
  });

  it('has fonts of at most 60 kB', () => {
    const fonts = readdirSync(join(SITE, 'assets')).filter((file) => /\.(woff2?|ttf|otf)$/.test(file));
    const size = fonts.reduce((sum, file) => sum + statSync(join(SITE, 'assets', file)).size, 0);
    process.stdout.write(`The ${fonts.length} fonts have ${Math.round(size / 1000)} kB.\n`);
    expect(fonts.length).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(60_000);
  });
});
