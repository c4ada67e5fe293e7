import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
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

/** Waits until the page has drawn what it was told: a change is on the screen after two frames. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** What axe finds on the page, as one line for each element; contents of message frames are not ours. */
async function axeFaults(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (values): Promise<AxeResults> => {
    const options: RunOptions = {
      iframes: false,
      resultTypes: ['violations'],
      ...(values && { runOnly: { type: 'rule', values } }),
    };
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return axe.run(options);
  }, rules);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

/**
 * What a person cannot reach, because it lies beyond the sides of the window and nothing scrolls there. A text that is
 * cut with an ellipsis counts as reached: its start is visible, and its whole is in a title or on its own page.
 */
const beyondTheWindow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isReached = (element: Element | null): boolean => {
      for (let each = element; each && each !== document.body; each = each.parentElement) {
        const { overflowX, textOverflow, clipPath } = getComputedStyle(each);
        const { left, right } = each.getBoundingClientRect();
        const isInside = left > -1 && right < width + 1;
        if (clipPath === 'inset(50%)') return true;
        if (isInside && (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis')) return true;
      }
      return false;
    };
    const isBeyond = ({ left, right, width: own }: DOMRect): boolean => own > 0 && (left <= -1 || right >= width + 1);
    const faults: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement!;
      const place = document.createRange();
      place.selectNodeContents(node);
      const boxes = node instanceof Element ? [node.getBoundingClientRect()] : [...place.getClientRects()];
      if (!boxes.some(isBeyond) || !element.checkVisibility({ visibilityProperty: true }) || isReached(element))
        continue;
      faults.push(
        `beyond the window: ${(node instanceof Element ? element.outerHTML : node.nodeValue!).slice(0, 200)}`,
      );
    }
    return faults.slice(0, 5);
  });

type Look = { colorScheme: 'light' | 'dark'; width: number; rules?: string[] };

const WIDE: Look = { colorScheme: 'light', width: 1920 };
/** A theme changes colours and nothing else, so in the dark only the rules about colours are asked again. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
export const FOUR_LOOKS: Look[] = [
  WIDE,
  { colorScheme: 'dark', width: 1920, rules: COLOURS },
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 320, rules: COLOURS },
];

/** What axe finds in these looks, and what a small phone cannot show. */
export async function accessibilityFaultsEverywhere(page: Page, looks: Look[] = [WIDE]): Promise<string[]> {
  const faults: string[] = [];
  const before = page.viewportSize()!;
  for (const { colorScheme, width, rules } of looks) {
    await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), colorScheme);
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    const found = await axeFaults(page, rules);
    faults.push(...found.map((fault) => `${colorScheme} ${width} px: ${fault}`));
  }
  await page.setViewportSize({ width: 320, height: 900 });
  await drawn(page);
  const unreached = await beyondTheWindow(page);
  faults.push(...unreached.map((fault) => `320 px: ${fault}`));
  await page.evaluate(() => delete document.documentElement.dataset['theme']);
  await page.setViewportSize(before);
  return faults;
}

/** Presses the key until the element has the focus, as a person without a mouse does. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let presses = 0; presses < 150; presses += 1) {
    const isFocused = await target
      .first()
      .evaluate((element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element);
    if (isFocused) return;
    await target.page().keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${target.toString()}`);
}
