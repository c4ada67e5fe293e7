import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

const mail = (subject: string) => ({
  name: 'Welcome',
  workflowId: 'welcome',
  steps: [{ name: 'Mail', stepId: 'mail', type: 'email', controlValues: { subject, body: '<p>Hello</p>' } }],
});

describe('the promotion page', () => {
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    dashboard = await startDashboard();
    ({ page } = dashboard);
    await dashboard.api('POST', '/v2/workflows', mail('Hi'));
    await dashboard.api('POST', '/v2/workflows', { ...mail('Bye'), name: 'Bye', workflowId: 'bye' });
  });
  afterAll(() => dashboard.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const publishIn = () => page.getByRole('dialog').getByRole('button', { name: 'Publish' });

  it('says what to do while there is one environment', async () => {
    await page.goto('/promotion');
    await page.getByText('There is only one environment').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await dashboard.api('POST', '/v1/environments', { name: 'Production' });
  });

  it('shows what would change, runs dry, and publishes what is chosen', async () => {
    await page.reload();
    await page.getByText('All chosen: 2 to add, 0 to change, 0 to delete in Production.').first().waitFor();
    await page.getByLabel('Publish workflow bye').click();
    await button('Dry run').click();
    await page.getByText('The dry run passed: 1 resource would be published').first().waitFor();
    await button('Publish 1').click();
    await publishIn().click();
    await page.getByText('1 resource published to Production.').first().waitFor();
    await page.getByRole('cell', { name: 'welcome created' }).waitFor();

    await dashboard.api('PUT', '/v2/workflows/welcome', mail('Welcome aboard'));
    await button('Compare again').click();
    await page.getByText('All chosen: 1 to add, 1 to change, 0 to delete in Production.').first().waitFor();
    await page.getByText('workflow Welcome welcome').click();
    const subject = page.getByRole('list', { name: /subject/ });
    await soon(async () => expect(await subject.innerText()).toMatch(/- Hi[^]*\+ Welcome aboard/));
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('publishes nothing after an edit that the reader did not see', async () => {
    await dashboard.api('PUT', '/v2/workflows/welcome', mail('Changed meanwhile'));
    await button('Publish 2').click();
    await publishIn().click();
    await page.getByRole('alert').getByText('Nothing was published.').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await button('Compare again').click();
    await page.getByText('+ Changed meanwhile').first().waitFor();
    await button('Publish 2').click();
    await publishIn().click();
    await page.getByText('Nothing differs').first().waitFor();
  });

  it('shows the history with each field, and undoes a publish', async () => {
    await button('Show').first().click();
    await page.getByRole('dialog').getByText('+ Changed meanwhile').first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('publish')).toMatch(/-/));
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await button('Undo').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The publish is undone.').first().waitFor();
    await page.getByText('All chosen: 1 to add, 1 to change, 0 to delete in Production.').first().waitFor();
    await page.getByText('Undone', { exact: true }).waitFor();
    // The browser reports the expected conflict by itself.
    expect(dashboard.problems.filter((problem) => !/status of 409/.test(problem))).toEqual([]);
  });
});
