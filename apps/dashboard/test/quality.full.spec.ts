import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, drawn, FOUR_LOOKS, soon, startDashboard } from './harness';

/** A word that has no place to break. */
const long = (first: string, letters = 180): string => first.padEnd(letters, 'abcdefghij');

/** What holds for every page: it can be read in four looks, nothing lies beyond a small phone, and it stays quick. */
describe('the quality of every page', () => {
  let dashboard: Dashboard;
  let page: Page;
  let notificationId: string;

  beforeAll(async () => {
    dashboard = await startDashboard();
    ({ page } = dashboard);
    const { api } = dashboard;
    const steps = [
      { name: long('Inbox'), type: 'in_app', controlValues: { body: long('Text') } },
      { name: 'Mail', type: 'email', controlValues: { subject: long('Subject'), body: 'Thanks' } },
    ];
    await api('POST', '/v2/workflows', { name: long('Workflow'), workflowId: 'orders', steps });
    await api('POST', '/v2/layouts', { name: long('Layout'), layoutId: 'frame', controlValues: {} });
    const names = { firstName: long('First'), lastName: long('Last'), email: `${'a'.repeat(60)}@x.test` };
    await api('POST', '/v2/subscribers', { subscriberId: long('s-'), ...names });
    await api('POST', '/v2/topics', { key: long('t-', 100), name: long('Topic', 100) });
    await api('POST', `/v2/topics/${long('t-', 100)}/subscriptions`, { subscriberIds: [long('s-')] });
    await api('POST', '/v1/events/trigger', { name: 'orders', to: long('s-'), payload: { text: long('Payload') } });
    await soon(async () => {
      const { data } = await api<{ data: { _id: string; outcome: string }[] }>('GET', '/v1/activity?limit=1');
      expect(data[0]?.outcome).toBe('delivered');
      notificationId = data[0]!._id;
    });
  });
  afterAll(() => dashboard.close());

  it('has no accessibility fault on any page of the router', async () => {
    const endpoint = await dashboard.api<{ _id: string }>('POST', '/v1/webhook-endpoints', { url: 'https://x.test' });
    const ids: Record<string, string> = {
      notificationId,
      subscriberId: long('s-'),
      topicKey: long('t-', 100),
      workflowId: 'orders',
      endpointId: endpoint._id,
    };
    const router = readFileSync(join(__dirname, '../src/router.tsx'), 'utf8');
    const paths = [...router.matchAll(/(?:page\(\s*|path: )'(\/[^']+)'/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(18);
    const faults: Record<string, string[]> = {};
    for (const path of paths.map((each) => each.replace(/\$(\w*)/, (_, name: string) => ids[name] ?? ''))) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => !document.querySelector('[aria-label="Loading"]'));
      const found = await accessibilityFaultsEverywhere(page, FOUR_LOOKS);
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
    expect(dashboard.problems).toEqual([]);
  });

  it('leads from each page to its document and to its operations', async () => {
    await page.goto('/overview');
    const main = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link');
    await main.first().waitFor();
    const paths = await Promise.all((await main.all()).map((link) => link.getAttribute('href')));
    const help = page.getByRole('navigation', { name: 'Help', exact: true });
    const operations = new Set<string>();
    for (const path of paths) {
      await page.goto(path!);
      await page.getByRole('button', { name: 'Help', exact: true }).click();
      const document = help.getByRole('link').first();
      const title = await document.innerText();
      for (const link of await help.getByRole('link').all()) operations.add((await link.getAttribute('href'))!);
      await document.click();
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    }
    const references = [...operations].filter((href) => href.startsWith('/docs'));
    expect(references.length).toBeGreaterThan(20);
    const answers = await Promise.all(references.map((href) => fetch(dashboard.url + href)));
    expect(answers.filter(({ ok }) => !ok).map(({ url }) => url)).toEqual([]);
    await page.goto('/help/');
    await page.getByRole('link', { name: 'Runbook', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Runbook' }).waitFor();
  });

  it('tries an operation in the reference with the session, or with a key', async () => {
    dashboard.problems.length = 0;
    await page.goto('/docs');
    await page.getByRole('searchbox', { name: 'Search' }).fill('topics_create');
    await page.getByRole('link', { name: /^POST Create a topic, or update/ }).click();
    await page.getByText(`${dashboard.url}/v2/topics`).first().waitFor();
    const body = page.getByRole('textbox', { name: 'Body', exact: true });
    await body.fill('{ "key": "tried", "name": "Tried" }');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const response = page.getByRole('status').filter({ hasText: '"key": "tried"' });
    await response.getByText(/^201/).waitFor();
    expect(await dashboard.api('GET', '/v2/topics/tried')).toMatchObject({ name: 'Tried' });
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByLabel('API key', { exact: true }).fill('a-wrong-key');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').filter({ hasText: /^401/ }).waitFor();
    // The browser reports the expected error response by itself.
    expect(dashboard.problems.splice(0)).toEqual([expect.stringContaining('status of 401')]);
  });

  it('shows the shortcuts of the page', async () => {
    await page.goto('/activity');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Search for a page, a name or any id').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  describe('with 10,000 rows', () => {
    const ROWS = 10_000;
    const PAGE = 100;
    /** A person takes an answer within this time as immediate. */
    const LONGEST_MS = 100;
    /** A page of rows answers when the spec lets it. */
    let open: () => void;
    let gate: Promise<void> = Promise.resolve();
    let metrics: CDPSession;
    const table = () => page.getByRole('table', { name: 'Notifications', exact: true });
    const rows = () => table().locator('tbody tr[data-index]');

    beforeAll(async () => {
      const { data } = await dashboard.api<{ data: object[] }>('GET', '/v1/activity?limit=1');
      // React reports each commit here, as it does to the developer tools.
      await page.addInitScript(() => {
        const counted = { commits: 0, added: 0, changed: new Set<Element>() };
        const hook = {
          renderers: new Map(),
          supportsFiber: true,
          inject: () => 1,
          onCommitFiberUnmount: () => undefined,
        };
        Object.assign(window, {
          counted,
          __REACT_DEVTOOLS_GLOBAL_HOOK__: { ...hook, onCommitFiberRoot: () => (counted.commits += 1) },
        });
      });
      await page.route('**/v1/activity?*', async (route) => {
        const query = new URL(route.request().url()).searchParams;
        const from = Number(query.get('cursor') ?? 0);
        // What follows the first two pages comes in a few large ones.
        const to = Math.min(ROWS, from + (from < 2 * PAGE ? PAGE : 2_450));
        const list = Array.from({ length: to - from }, (_, place) => ({ ...data[0], _id: `row-${from + place}` }));
        await gate;
        await route.fulfill({ json: { data: list, next: to < ROWS ? String(to) : null } });
      });
      metrics = await page.context().newCDPSession(page);
      // Processor time, which is about the same on a busy machine.
      await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.goto('/activity');
      await rows().first().waitFor();
      await page.evaluate(() => {
        const { counted } = window as unknown as { counted: { added: number; changed: Set<Element> } };
        const isRow = (node: Node): boolean => node instanceof HTMLElement && node.dataset['index'] !== undefined;
        new MutationObserver((mutations) => {
          for (const { type, target, addedNodes } of mutations) {
            if (type === 'childList') counted.added += [...addedNodes].filter(isRow).length;
            const row = (target instanceof Element ? target : target.parentElement)?.closest('tr[data-index]');
            if (row) counted.changed.add(row);
          }
        }).observe(document.querySelector('tbody')!, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
      });
    });
    afterAll(() => page.unroute('**/v1/activity?*'));

    const commits = () => page.evaluate(() => (window as unknown as { counted: { commits: number } }).counted.commits);

    /** Until nothing is drawn any more that earlier interactions have caused. */
    async function rest(): Promise<void> {
      for (let before = -1; before !== (await commits());) {
        before = await commits();
        for (let frames = 0; frames < 5; frames += 1) await drawn(page);
      }
    }

    type Work = { commits: number; added: number; changed: number; milliseconds: number };

    /** What the page does for an interaction: commits of React, rows that are new, rows that changed, and its time. */
    async function workOf(name: string, act: () => Promise<unknown>): Promise<Work> {
      const busy = async (): Promise<number> => {
        const found = (await metrics.send('Performance.getMetrics')).metrics;
        const parts = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'];
        return found.reduce((sum, each) => sum + (parts.includes(each.name) ? each.value * 1_000 : 0), 0);
      };
      await rest();
      await page.evaluate(() => {
        const { counted } = window as unknown as { counted: { commits: number; added: number; changed: Set<Element> } };
        Object.assign(counted, { commits: 0, added: 0 }).changed.clear();
      });
      const before = await busy();
      await act();
      await drawn(page);
      const milliseconds = Math.round(await busy()) - Math.round(before);
      const work = await page.evaluate(() => {
        const { counted } = window as unknown as { counted: { commits: number; added: number; changed: Set<Element> } };
        return { ...counted, changed: counted.changed.size };
      });
      process.stdout.write(
        `${name}: ${milliseconds} ms of processor for script, style and layout, ${work.commits} commits, ` +
          `${work.added} rows drawn, ${work.changed} changed.\n`,
      );
      expect(milliseconds).toBeLessThan(LONGEST_MS);
      return { ...work, milliseconds };
    }

    const loaded = async (): Promise<number> => Number(await table().getAttribute('aria-rowcount')) - 1;

    it('draws no row again when a page arrives, and only what is near the window', async () => {
      gate = new Promise((resolve) => (open = resolve));
      // Near enough to the end to ask for the next page, and so far from it that no row of it is near the window.
      await page.evaluate((last) => {
        const body = document.querySelector('tbody')!;
        const height = body.querySelector('tr[data-index]')!.getBoundingClientRect().height;
        window.scrollBy(0, body.getBoundingClientRect().top + last * height - window.innerHeight);
      }, PAGE - 18);
      await soon(async () => expect(await page.locator(`tr[data-index="${PAGE - 12}"]`).count()).toBe(1));
      const work = await workOf('A page of 100 rows', async () => {
        open();
        await soon(async () => expect(await loaded()).toBe(2 * PAGE));
      });
      expect(work).toMatchObject({ added: 0, changed: 0 });
      expect(work.commits).toBeLessThanOrEqual(2);

      while ((await loaded()) < ROWS) {
        await page.mouse.move(700, 500);
        await page.mouse.wheel(0, 20_000);
      }
      await page.getByText('10,000 notifications, the oldest is shown.').first().waitFor();
      const [height, shown] = [900 / 36, await rows().count()];
      expect(shown).toBeLessThanOrEqual(height + 2 * 8 + 2 * 4);
      await soon(async () => expect(await page.locator('*').count()).toBeLessThan(2_500));
    });

    it('does the same work for a key and a scroll as with few rows', async () => {
      await page.evaluate(() => window.scrollTo(0, 180_000));
      await drawn(page);
      await rows().nth(20).getByRole('link').focus();
      const next = await workOf('j', () => page.keyboard.press('j'));
      expect(next).toMatchObject({ commits: 0, added: 0, changed: 0 });
      const selected = await workOf('x', () => page.keyboard.press('x'));
      expect(selected).toMatchObject({ added: 0, changed: 1 });
      expect(selected.commits).toBeLessThanOrEqual(1);
      const line = await workOf('A scroll by one row', () => page.evaluate(() => window.scrollBy(0, 36)));
      expect(line.added).toBeLessThanOrEqual(4);
      expect(line.commits).toBeLessThanOrEqual(1);
      expect(line.changed).toBe(0);
      const screen = await workOf('A scroll by one window', () => page.evaluate(() => window.scrollBy(0, 900)));
      expect(screen.added).toBeLessThanOrEqual(25 + 4);
      expect(screen).toMatchObject({ commits: 1, changed: 0 });
      const far = await workOf('A jump to the top', () => page.evaluate(() => window.scrollTo(0, 0)));
      expect(far.added).toBeLessThanOrEqual(25 + 8 + 4);
      expect(far.commits).toBeLessThanOrEqual(1);
    });
  });
});
