import process from 'node:process';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `CLARION_URL=http://127.0.0.1:3000 npx vite apps/dashboard` develops against a running gateway. */
const gateway = process.env['CLARION_URL'] ?? 'http://127.0.0.1:3000';

/** What every page needs before it draws. */
const FIRST = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack)/',
    'src/(pages/[\\w-]+/)?search\\.ts$',
    'src/api/(channels|client|error|holds|queries)\\.ts$',
    'src/session/(ended|environment|session)\\.ts$',
    'src/shell/(header|hold-button|holds|notices|pages|palette/(open|palette)|shell|theme)\\.tsx?$',
    'src/ui/(button|classes|icon|page|shortcuts|status|store|time|toasts|use-latest)\\.tsx?$',
  ].join('|'),
);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
