import { accessibilityFaultsEverywhere, type Dashboard, startDashboard } from './harness';

jest.setTimeout(120_000);

describe('the settings page', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard.close());

  const open = async (tab: string): Promise<Dashboard['page']> => {
    const { page } = dashboard;
    await page.goto(`/settings?tab=${tab}`);
    await page.getByRole('tab', { selected: true }).waitFor();
    return page;
  };

  it('creates and renames environments', async () => {
    const page = await open('environments');
    await page.getByRole('button', { name: 'New environment' }).click();
    await page.getByLabel('Name').fill('Staging');
    await page.getByRole('button', { name: 'Create environment' }).click();
    await page.getByText(/^clr_stag_/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit Staging' }).click();
    await page.getByLabel('Name').fill('Canary');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Canary', exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('creates a key that is shown once, and revokes it after asking', async () => {
    const page = await open('keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Scope').selectOption('read');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.getByRole('region', { name: 'New API key' }).textContent())!;
    await page.getByRole('button', { name: 'Done' }).click();
    const call = () => fetch(`${dashboard.url}/v2/topics`, { headers: { authorization: `ApiKey ${key}` } });
    expect((await call()).status).toBe(200);
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);

    const reader = await dashboard.openPage({ key });
    await reader.goto('/settings?tab=keys');
    await reader.getByText('a key of the scope read').waitFor();
    expect(await reader.getByRole('button', { name: 'Create key' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Revoke Shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').waitFor();
    expect((await call()).status).toBe(401);
  });

  it('lists sessions and revokes another one', async () => {
    const other = await dashboard.openPage();
    const page = await open('sessions');
    await page.getByText('This session').waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the session of default' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The session is revoked.').waitFor();
    expect((await other.context().request.get('/v1/sessions/current')).status()).toBe(401);
  });

  it('shows the audit log with filters in the address', async () => {
    const page = await open('audit-log');
    await page.getByRole('cell', { name: 'api_key.revoked' }).waitFor();
    await page.getByLabel('Resource', { exact: true }).selectOption('environment');
    await page.getByRole('cell', { name: 'environment.created' }).waitFor();
    await page.getByRole('cell', { name: 'api_key.revoked' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('resourceType')).toBe('environment');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('audit-log.csv');
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    expect(dashboard.problems.filter((problem) => !/401/.test(problem))).toEqual([]);
  });
});
