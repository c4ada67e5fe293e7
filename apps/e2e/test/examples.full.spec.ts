import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { RunningGateway } from '@clarion/gateway';
import { until } from '@clarion/testing';
import { type Clarion, startAnotherGateway, startClarion } from './harness';

const ROOT = join(__dirname, '../../..');
const EXAMPLES = join(ROOT, 'examples');
const CHROMIUM = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Pictures of the page, for a person who wants to look at them. */
const PICTURES = process.env['CLARION_TEST_PICTURES'];

describe('the examples', () => {
  let clarion: Clarion;
  let second: RunningGateway;
  let backend: { child: ChildProcess; url: string };
  let site: { server: Server; url: string; folder: string };
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  const startSecond = (port?: number) => startAnotherGateway(clarion, port);

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app'], demoProviders: true });
    second = await startSecond();
    backend = await startBackend(clarion);
    site = await startSite();
    const environments = await clarion.callOk<{ identifier: string }[]>('GET', '/v1/environments');
    const hash = createHmac('sha256', clarion.key).update('ada').digest('hex');
    const options = { clarion: second.url, application: environments[0]!.identifier, subscriber: 'ada', hash };
    browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM });
    page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    page.setDefaultTimeout(90_000);
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${site.url}/?${new URLSearchParams(options)}`);
  });
  afterAll(async () => {
    await browser.close();
    site.server.close();
    rmSync(site.folder, { recursive: true, force: true });
    backend.child.kill();
    await second.close();
    await clarion.close();
  });

  const ship = async (order: string) => {
    const answer = await fetch(`${backend.url}/orders/${order}/ship`, { method: 'POST', body: '{"customer":"ada"}' });
    expect(answer.status).toBe(202);
  };
  const picture = async (name: string) => {
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  };
  const shown = (order: number) => page.getByText(textOf(order), { exact: true });

  it('triggers a workflow from the Node backend, and shows it in the open page without a reload', async () => {
    const bell = page.locator('.nv-bellContainer');
    await bell.waitFor();
    await bell.click();
    await page.getByText('Quiet for now').first().waitFor();
    const start = performance.now();
    await ship('17');
    const accepted = performance.now();
    await shown(17).waitFor();
    const [whole, after] = [performance.now() - start, performance.now() - accepted].map(Math.round);
    process.stdout.write(
      `shown in the open page ${whole} ms after the call of the backend, ${after} ms after its answer\n`,
    );
    await picture('arrived');
    await ship('17');
    expect(await shown(17).count()).toBe(1);
  });

  it('runs the route handler of the Next.js example', async () => {
    const handler = pathToFileURL(join(EXAMPLES, 'next-route/app/api/orders/route.js')).href;
    const script = `
      const { POST } = await import(${JSON.stringify(handler)});
      const call = (body) => POST(new Request('http://shop.example/api/orders', { method: 'POST', body }));
      const answers = [await call('{"order":"18","customer":"ada"}'), await call('{"order":18}'), await call('no')];
      console.log(JSON.stringify(await Promise.all(answers.map(async (a) => [a.status, await a.json()]))));`;
    const env = { ...process.env, CLARION_URL: clarion.url, CLARION_API_KEY: clarion.key };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
    const refused = [422, { message: 'order and customer must be texts' }];
    const accepted = { transactionId: 'order-18-shipped', status: 'processed' };
    expect(JSON.parse(stdout)).toEqual([[202, accepted], refused, refused]);
    // The list is open, so the component offers the new one and does not move what is being read.
    await page.getByText('1 new notification').click();
    await shown(18).waitFor();
  });

  it('reads, archives and snoozes, and changes preferences, with the buttons of the component', async () => {
    const state = async () =>
      (
        await clarion.callOk<{ data: { body: string; isRead: boolean; isArchived: boolean; isSnoozed: boolean }[] }>(
          'GET',
          '/v2/subscribers/ada/notifications?limit=10',
        )
      ).data.map(({ body, isRead, isArchived, isSnoozed }) => ({ body, isRead, isArchived, isSnoozed }));
    const isNow = (order: number, expected: object) =>
      until(async () => {
        const row = (await state()).find(({ body }) => body === textOf(order));
        return Object.entries(expected).every(([name, value]) => Reflect.get(row!, name) === value);
      });
    const press = async (order: number, button: string) => {
      const item = page.locator('.nv-notification').filter({ hasText: textOf(order) });
      await item.hover();
      await item.locator(button).click();
    };
    await press(18, '.nv-notificationRead__button');
    await isNow(18, { isRead: true });
    await press(18, '.nv-notificationSnooze__button');
    await picture('snooze');
    await page.getByText('Tomorrow').click();
    await isNow(18, { isSnoozed: true });
    await shown(18).waitFor({ state: 'detached' });
    await press(17, '.nv-notificationArchive__button');
    await isNow(17, { isArchived: true });
    await shown(17).waitFor({ state: 'detached' });
    await page.locator('.nv-preferences__button').click();
    await page.getByText('Order shipped').click();
    await picture('preferences');
    await page
      .locator('.nv-workflowContainer')
      .filter({ hasText: 'Order shipped' })
      .locator('.nv-channelSwitch')
      .click();
    const isOff = async () =>
      (
        await clarion.callOk<{ workflows: { workflow: { identifier: string }; channels: { in_app?: boolean } }[] }>(
          'GET',
          '/v2/subscribers/ada/preferences',
        )
      ).workflows.some(
        ({ workflow, channels }) => workflow.identifier === 'order-shipped' && channels.in_app === false,
      );
    await until(isOff);
    await page
      .locator('.nv-workflowContainer')
      .filter({ hasText: 'Order shipped' })
      .locator('.nv-channelSwitch')
      .click();
    await until(async () => !(await isOff()));
    await page.locator('.nv-preferencesHeader__back__button').click();
  });

  it('shows what came while the gateway of the page was away', async () => {
    const { port } = new URL(second.url);
    await second.close();
    await ship('19');
    second = await startSecond(Number(port));
    await shown(19).waitFor();
    await ship('20');
    await page.getByText('1 new notification').click();
    await shown(20).waitFor();
    expect([await shown(19).count(), await shown(20).count()]).toEqual([1, 1]);
    await picture('after-restart');
    expect(problems).toEqual([]);
  });
});

const textOf = (order: number): string => `Your order ${order} is on its way.`;

async function startBackend({ url, key }: Clarion): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, CLARION_URL: url, CLARION_API_KEY: key, PORT: '0' };
  const child = spawn(process.execPath, [join(EXAMPLES, 'node-backend/server.mjs')], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ready = () => /Ready: POST (http:\/\/[\d.:]+)/.exec(output)?.[1];
  await until(() => ready() !== undefined || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(output);
  return { child, url: ready()! };
}

/** Builds the page and serves its files. */
async function startSite(): Promise<{ server: Server; url: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-example-'));
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', join(EXAMPLES, 'react-inbox'), '--outDir', folder]);
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname;
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder };
}

function chromiumPath(): string {
  const paths = process.env['PATH']!.split(delimiter).map((folder) => join(folder, 'chromium'));
  return paths.find((path) => existsSync(path))!;
}
