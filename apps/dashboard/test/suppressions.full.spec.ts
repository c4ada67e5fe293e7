import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

describe('the page of suppressions', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard.close());

  it('adds, filters and lifts a suppression', async () => {
    const { page, api } = dashboard;
    await page.goto('/suppressions');
    await page.getByText('No address is suppressed').first().waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('dialog').getByLabel('Address').fill('S@x.test');
    await page.getByRole('button', { name: 'Suppress' }).click();
    await page.getByRole('cell', { name: 's@x.test', exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);

    await page.getByLabel('Channel').selectOption('sms');
    await page.getByText('No suppression matches').first().waitFor();
    await soon(() => expect(new URL(page.url()).search).toBe('?channel=sms'));
    await page.goto('/suppressions?address=S%40X.TEST');
    await page.getByRole('button', { name: 'Lift s@x.test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await page.getByText('No suppression matches').first().waitFor();
    expect(await api('GET', '/v1/suppressions')).toMatchObject({ data: [] });
    expect(dashboard.problems).toEqual([]);
  });
});
