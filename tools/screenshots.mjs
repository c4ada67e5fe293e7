/**
 * `npm run screenshots`: starts Clarion in a temporary folder, fills it with the example data of `screenshots/`, and
 * takes pictures of every page of the dashboard into .cache/screenshots, on a desktop and on a phone in both themes.
 * Those that documents show are in docs/images and are replaced. `npm run screenshots -- activity outbox` takes those
 * pages only.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ensureBuilt, ensureDashboard, ensureDependencies, node, root, say, setUp } from './setup.mjs';

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt();
  await ensureDashboard();
});
const { chromium } = await import('playwright-core');
const { fill } = await import('./screenshots/example-data.mjs');
const { startProviders } = await import('./screenshots/providers.mjs');

const KEY = 'a-key-for-the-screenshots';
const VARIANTS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
};

const images = join(root, '.cache/screenshots');
const shown = join(root, 'docs/images');
const folder = mkdtempSync(join(tmpdir(), 'clarion-screenshots-'));
const providers = await startProviders();
const [port, observePort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}`;
const server = spawn(node, [join(root, 'apps/standalone/dist/main.js')], {
  env: {
    PATH: process.env.PATH,
    LOG_LEVEL: 'warn',
    PORT: String(port),
    CLARION_OBSERVE_PORT: String(observePort),
    CLARION_DATA_DIR: join(folder, 'data'),
    CLARION_API_KEY: KEY,
    CLARION_EGRESS_ALLOW: '127.0.0.1',
    CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: providers.url, twilio: providers.url, slack: providers.url }),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await ready(server);
  const pages = Object.entries(await fill(url, KEY, providers.url));
  const wanted = process.argv.slice(2);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  mkdirSync(images, { recursive: true });
  for (const [variant, options] of Object.entries(VARIANTS)) {
    const context = await browser.newContext({ baseURL: url, locale: 'en-US', timezoneId: 'UTC', ...options });
    await context.request.post('/v1/sessions', { data: { apiKey: KEY }, headers: { 'Clarion-Dashboard': '1' } });
    const page = await context.newPage();
    for (const [name, path] of pages.filter(([each]) => wanted.length === 0 || wanted.includes(each))) {
      await page.goto(path, { waitUntil: 'load' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => !document.querySelector('[aria-label="Loading"], [aria-busy="true"]'));
      // A message is written into its frame after the frame was loaded.
      for (const frame of page.frames().slice(1))
        await frame.waitForFunction(() => document.body?.childElementCount > 0);
      await page.evaluate(() => document.fonts.ready);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const file = `${name}-${variant}.png`;
      await page.screenshot({ path: join(images, file) });
      if (existsSync(join(shown, file))) copyFileSync(join(images, file), join(shown, file));
      say(`.cache/screenshots/${file}`);
    }
    if (variant === 'light') {
      // A spec compares it with the menu of the product.
      const menu = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
      writeFileSync(join(shown, 'menu.json'), `${JSON.stringify(menu, null, 2)}\n`);
    }
    await context.close();
  }
  await browser.close();
} finally {
  if (server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  providers.close();
  rmSync(folder, { recursive: true, force: true });
}

async function ready(child) {
  let output = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Clarion is ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`Clarion ended with ${code}`)));
  });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  await once(probe, 'close');
  return free;
}
