import process from 'node:process';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `CLARION_URL=http://127.0.0.1:3000 npx vite apps/dashboard` develops against a running gateway. */
const gateway = process.env['CLARION_URL'] ?? 'http://127.0.0.1:3000';

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
          groups: [{ name: 'search', test: /src\/(pages\/[\w-]+\/)?search\.ts$/ }],
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
