import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { LIMITS, RETRY_WAITS_MS } from '@clarion/contracts/core';
import { read, ROOT, SCRIPTS } from './repository';

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');

/** Names in guides that a reader chooses. */
const EXAMPLES = /^(acme|\.backends)\b/;

/** The anchors that GitHub gives to the headings of a file. */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const SOURCES = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .map((file) => basename(file)),
);

describe.each(FILES)('%s', (file) => {
  it(`${file} links to files and headings that exist`, () => {
    const links = [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    const broken = links
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [path, anchor] = target.split('#') as [string, string?];
        const found = path === '' ? file : normalize(join(dirname(file), path));
        if (!existsSync(join(ROOT, found))) return true;
        return anchor !== undefined && !anchorsOf(found).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it(`${file} names source files that exist`, () => {
    const named = [...read(file).matchAll(/`(?:[\w./-]+\/)?([\w.-]+\.(?:spec\.ts|ts|mjs))`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !SOURCES.has(name) && !EXAMPLES.test(name))).toEqual([]);
  });

  it(`${file} names npm scripts that exist`, () => {
    const scripts = [...read(file).matchAll(/\bnpm run ([\w-]+)/g)].map(([, script]) => script!);
    expect(scripts.filter((script) => !SCRIPTS[script])).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('lists every document and every decision', () => {
    const listed = [...read('docs/README.md').matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!);
    const wanted = [
      ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md'),
      ...['decisions', 'guide'].flatMap((folder) =>
        readdirSync(join(ROOT, 'docs', folder)).map((name) => `${folder}/${name}`),
      ),
    ];
    expect(wanted.filter((path) => !listed.includes(path))).toEqual([]);
  });
});

describe('documents that a newcomer reads first', () => {
  it.each([
    ['README.md', 1_300],
    ['ARCHITECTURE.md', 1_800],
  ])('%s has at most %i words', (file, words) => {
    expect(read(file).split(/\s+/).length).toBeLessThanOrEqual(words);
  });

  it('docs/glossary.md has at most 60 terms, each once', () => {
    const terms = [...read('docs/glossary.md').matchAll(/^\|([^|]+)\|/gm)].map(([, term]) => term!.trim());
    const defined = terms.filter((term) => term !== 'term' && !term.startsWith('-'));
    expect(defined.length).toBeLessThanOrEqual(60);
    expect(new Set(defined).size).toBe(defined.length);
  });
});

describe('documents about rolling back', () => {
  it.each(FILES)('%s does not say that a release needs its own schema: migrations only expand', (file) => {
    expect(read(file).replaceAll(/\s+/g, ' ')).not.toMatch(/rejects a newer schema|release had no migration/);
  });
});

describe('docs/images', () => {
  it('has only pictures that a document shows', () => {
    const texts = FILES.map(read).join('\n');
    const pictures = readdirSync(join(ROOT, 'docs/images')).filter((name) => name.endsWith('.png'));
    expect(pictures.filter((name) => !texts.includes(`images/${name}`))).toEqual([]);
  });

  it('shows the menu that the product has (npm run screenshots)', () => {
    const source = read('apps/dashboard/src/shell/pages.ts');
    const names = [...source.matchAll(/\['\/[\w-]+', '([^']+)'/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(JSON.parse(read('docs/images/menu.json'))).toEqual(names);
  });
});

describe('docs/decisions', () => {
  it.each(readdirSync(join(ROOT, 'docs/decisions')))('%s has context, decision and consequences', (name) => {
    const text = read(`docs/decisions/${name}`);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
    expect(text.split('\n').length).toBeLessThan(45);
  });
});

describe('README.md', () => {
  it('states the measured cost of a notification as tools/capacity/measured.json has it', () => {
    type Measured = { costs: { figures: { what: string; values: Record<string, number> }[] } };
    const { figures } = (JSON.parse(read('tools/capacity/measured.json')) as Measured).costs;
    const costOf = (channel: string): string => {
      const { values } = figures.find(({ what }) => what === `one ${channel} notification of many`)!;
      const seconds = ['gateway', 'engine', 'worker', 'postgres', 'redis'].reduce(
        (sum, part) => sum + values[part]!,
        0,
      );
      return (seconds * 1000).toFixed(2);
    };
    expect(read('README.md')).toContain(`${costOf('in_app')} ms in-app, ${costOf('email')} ms email`);
  });

  it('states the number of providers as PROVIDERS.md does', () => {
    const [, count] = /^(\d+) providers that send/m.exec(read('PROVIDERS.md'))!;
    const stated = [...read('README.md').matchAll(/\b(\d+)\s+providers\b/g)].map(([, number]) => number);
    expect(stated.length).toBeGreaterThan(0);
    expect(new Set(stated)).toEqual(new Set([count]));
  });
});

describe('the retry plan', () => {
  const waits = RETRY_WAITS_MS.map((wait) => wait / 1000);
  const text = (seconds: number): string => {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
  };
  const plan = `${waits.slice(0, -1).map(text).join(', ')} and ${text(waits.at(-1)!)}`;

  it.each(['docs/guide/sending.md', 'docs/runbook.md', 'docs/webhooks.md', 'docs/switching.md'])(
    'states the retry plan in %s as RETRY_WAITS_MS has it',
    (file) => {
      expect(read(file).replaceAll(/\s+/g, ' ')).toContain(plan);
    },
  );

  it('sums up the retry plan in the table of README.md', () => {
    const minutes = Math.round(waits.reduce((sum, wait) => sum + wait, 0) / 60);
    expect(read('README.md')).toContain(
      `${LIMITS.deliveryAttempts} attempts over ${Math.floor(minutes / 60)} h ${minutes % 60} min`,
    );
  });
});

describe('the areas of the gateway', () => {
  const areas = JSON.parse(read('tools/lint-rules/gateway-areas.json')) as Record<string, string[]>;

  it('ARCHITECTURE.md draws which area may import which, as the lint rules have it', () => {
    const arrows = Object.entries(areas).flatMap(([area, allowed]) =>
      allowed.filter((other) => other !== 'edge').map((other) => `  ${area} --> ${other}`),
    );
    expect(read('ARCHITECTURE.md')).toContain(['flowchart TD', '  edge', ...arrows].join('\n'));
  });

  it.each(Object.keys(areas))('%s has a README of at most 25 lines', (area) => {
    expect(read(`apps/gateway/src/${area}/README.md`).trim().split('\n').length).toBeLessThanOrEqual(25);
  });

  it('the gateway has no other folder', () => {
    const entries = readdirSync(join(ROOT, 'apps/gateway/src'), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.sort()).toEqual(Object.keys(areas).sort());
  });
});
