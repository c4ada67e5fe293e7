import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { renderMarkdown } from './src/pages/help/markdown.ts';

/** `CLARION_URL=http://127.0.0.1:3000 npx vite apps/dashboard` develops against a running gateway. */
const gateway = process.env['CLARION_URL'] ?? 'http://127.0.0.1:3000';

/** What every page needs before it draws. */
const FIRST = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack)/',
    'src/(pages/[\\w-]+/)?search\\.ts$',
    'src/pages/(activity/bulk/bulk-data|overview/queries)\\.ts$',
    'src/api/(channels|client|error|holds|queries)\\.ts$',
    'src/session/(ended|environment|session)\\.ts$',
    'src/shell/(header|hold-button|holds|notices|pages|palette/(open|palette)|shell|theme)\\.tsx?$',
    'src/ui/(button|classes|icon|page|shortcuts|status|store|time|toasts|use-latest)\\.tsx?$',
  ].join('|'),
);

const DOCUMENTS = join(import.meta.dirname, '../../docs');

/** The address in the help of what a document links to; undefined for what is not part of the help. */
const linkFrom = (file) => (address) => {
  if (/^(https?:|\/|#)/.test(address)) return address;
  const [path, anchor] = address.split('#');
  const target = join(dirname(file), path);
  const name = relative(DOCUMENTS, target).replace(/\.md$/, '');
  if (name.startsWith('..') || !path.endsWith('.md') || !existsSync(target)) return undefined;
  return `/help/${name === 'README' ? '' : name}${anchor ? `#${anchor}` : ''}`;
};

/** The documents of the repository as modules of the help. */
const documents = {
  name: 'documents',
  transform(text, id) {
    if (!id.endsWith('.md')) return undefined;
    return {
      code: `export default ${JSON.stringify(renderMarkdown(text, linkFrom(id)))};`,
      map: null,
      moduleType: 'js',
    };
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), documents],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    // Names the files of each page; the spec of the sizes reads it.
    manifest: true,
    target: 'es2023',
    // Data URLs of small files would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The first load needs all of them, and one file compresses better than many small ones.
          groups: [{ name: 'base', test: FIRST }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/v2', '/docs', '/message-frame', '/openapi.json'].map((path) => [path, gateway]),
    ),
  },
});
