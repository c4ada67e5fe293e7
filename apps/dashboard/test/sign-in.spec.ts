import { hash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, LONGEST_WAIT_MS, soon, startDashboard } from './harness';

describe('the sign-in page', () => {
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    dashboard = await startDashboard();
    const context = await dashboard.browser.newContext({ baseURL: dashboard.url });
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    page = await context.newPage();
  });
  afterAll(() => dashboard.close());

  const signIn = async (key: string): Promise<void> => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const path = (): string => new URL(page.url()).pathname + new URL(page.url()).search;

  it('asks for a key, explains a wrong one, and then shows the page that was asked for', async () => {
    await page.goto('/settings?tab=sessions');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await soon(async () => expect(await page.title()).toBe('Sign in · Clarion'));
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await signIn('a-wrong-key');
    await page.getByRole('alert').getByText('API Key not found').first().waitFor();
    await soon(async () => expect(await page.getByLabel('API key').inputValue()).toBe('a-wrong-key'));
    await signIn(dashboard.key);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await soon(() => expect(path()).toBe('/settings?tab=sessions'));
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain(dashboard.key);
    expect(stored).not.toContain('clarion_session');
  });

  it('signs out, and asks again over the page when the session has ended', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await signIn(dashboard.key);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.context().clearCookies();
    // The overview asks the gateway by itself.
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await dialog.getByLabel('API key').fill(dashboard.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('exchanges the token of a sign-in link once and removes it from the address', async () => {
    const token = 'a-token-for-the-spec';
    await dashboard.database.database.query(
      `INSERT INTO sign_in_token (hash, key_id, expires_at)
       SELECT $1, id, now() + interval '1 hour' FROM api_key WHERE scope = 'admin'`,
      [hash('sha256', token, 'buffer')],
    );
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(`/#token=${token}`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await soon(() => expect(page.url()).not.toContain(token));
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(`/#token=${token}`);
    await page.getByText('This sign-in link was used before').first().waitFor();
  });
});
