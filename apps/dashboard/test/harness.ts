import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import {
  createTestDatabase,
  freePort,
  startApp,
  type TestDatabase,
  testQueueBackend,
  uniquePrefix,
  until,
} from '@clarion/testing';

const KEY = 'a-key-for-the-dashboard-specs';
/** 32 bytes; the database of a spec holds no real secret. */
const ENCRYPTION_KEY = `spec:${Buffer.alloc(32, 7).toString('base64')}`;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Keeps Chromium from calling its maker, and lets it run as root in a container. */
const CHROMIUM = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** A page that several other specs run beside is slow. */
export const LONGEST_WAIT_MS = 90_000;

export type Dashboard = {
  url: string;
  key: string;
  database: TestDatabase;
  browser: Browser;
  /** A signed-in page; errors of the console and violations of the content security policy are collected. */
  page: Page;
  problems: string[];
  /** Calls the API with the key and returns the body; throws on an error response. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Another signed-in page, such as a phone or one with a read key. */
  openPage(options?: BrowserContextOptions & { key?: string }): Promise<Page>;
  close(): Promise<void>;
};

/** Starts every role in one process, as `npm start` does, on a separate database, and opens the dashboard. */
export async function startDashboard(environment: Record<string, string> = {}): Promise<Dashboard> {
  const database = await createTestDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const backend = testQueueBackend(database.url);
  const folder = mkdtempSync(join(tmpdir(), 'clarion-dashboard-'));
  const server = startApp('standalone', {
    PORT: String(port),
    // Two processes cannot share the folder of the default.
    CLARION_DATA_DIR: folder,
    DATABASE_URL: database.url,
    CLARION_API_KEY: KEY,
    CLARION_ENCRYPTION_KEY: ENCRYPTION_KEY,
    CLARION_QUEUE: backend.kind,
    ...(backend.kind === 'redis' && { REDIS_URL: backend.url }),
    CLARION_QUEUE_PREFIX: uniquePrefix(),
    ...environment,
  });
  await server.ready;
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM });
  const problems: string[] = [];
  const openPage: Dashboard['openPage'] = async ({ key = KEY, ...options } = {}) => {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    await signIn(context, key);
    const page = await context.newPage();
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    page.on('pageerror', (error) => problems.push(String(error)));
    return page;
  };
  return {
    url,
    key: KEY,
    database,
    browser,
    page: await openPage(),
    problems,
    openPage,
    async api<T>(method: string, path: string, body?: unknown): Promise<T> {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `ApiKey ${KEY}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    async close() {
      await browser.close();
      await server.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      await database.drop();
    },
  };
}

function chromiumPath(): string {
  const paths = process.env['PATH']!.split(delimiter).map((folder) => join(folder, 'chromium'));
  return paths.find((path) => existsSync(path))!;
}

/**
 * Repeats the assertions until they hold: a page draws a moment later what a click or an answer has changed. After the
 * longest wait the last failure counts.
 */
export async function soon(assertions: () => void | Promise<void>): Promise<void> {
  let failure: unknown;
  const holds = async (): Promise<boolean> => {
    try {
      await assertions();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await until(holds, LONGEST_WAIT_MS).catch(() => {
    throw failure;
  });
}

/** Exchanges the key for the cookie of a session, as the sign-in page does. */
async function signIn(context: BrowserContext, apiKey: string): Promise<void> {
  const response = await context.request.post('/v1/sessions', {
    data: { apiKey },
    headers: { 'Clarion-Dashboard': '1' },
  });
  if (!response.ok()) throw new Error(`cannot sign in: ${response.status()} ${await response.text()}`);
}

/** What axe finds on the page, as one line for each element; contents of message frames are not ours. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (): Promise<AxeResults> => {
    const options: RunOptions = { iframes: false, resultTypes: ['violations'] };
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return axe.run(options);
  });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

/** The short form checks the page once; `CLARION_TEST_AXE=all` checks both themes at both widths. */
const SHORT = [{ colorScheme: 'light', width: 1920 }] as const;
const OTHERS = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1920 },
  { colorScheme: 'dark', width: 320 },
] as const;
const LOOKS = process.env['CLARION_TEST_AXE'] === 'all' ? [...SHORT, ...OTHERS] : SHORT;

/** What axe finds, and whether the page is wider than a small phone. */
export async function accessibilityFaultsEverywhere(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const before = page.viewportSize()!;
  for (const { colorScheme, width } of LOOKS) {
    await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), colorScheme);
    await page.setViewportSize({ width, height: 900 });
    // The new theme has been drawn after two frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const found = await accessibilityFaults(page);
    faults.push(...found.map((fault) => `${colorScheme} ${width} px: ${fault}`));
  }
  await page.setViewportSize({ width: 320, height: 900 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) faults.push(`320 px: the page is ${overflow} px wider than the window`);
  await page.evaluate(() => delete document.documentElement.dataset['theme']);
  await page.setViewportSize(before);
  return faults;
}
