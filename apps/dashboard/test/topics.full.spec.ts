import { accessibilityFaultsEverywhere, type Dashboard, startDashboard } from './harness';

describe('the pages of topics', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
    await dashboard.api('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@x.test' });
  });
  afterAll(() => dashboard.close());

  it('creates, renames, fills and deletes a topic whose key is an address', async () => {
    const { page, api } = dashboard;
    await page.goto('/topics');
    await page.getByText('No topics yet').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'New topic' }).click();
    await page.getByRole('dialog').getByLabel('Key').fill('team@x.test');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'team@x.test' }).waitFor();

    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Team');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team', exact: true }).waitFor();

    await page.getByLabel('subscriberId').fill('missing');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page
      .getByText(/missing/)
      .first()
      .waitFor();
    await page.getByLabel('subscriberId').fill('ada');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: 'ada' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove ada' }).click();
    await page.getByText('The topic has no subscribers.').first().waitFor();
    await api('POST', '/v2/topics/team%40x.test/subscriptions', { subscriberIds: ['ada'] });

    await page.goto('/topics?key=TEAM');
    await page.getByRole('button', { name: 'Delete team@x.test' }).click();
    await page.getByText('The topic has 1 subscriber.').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No topics yet').first().waitFor();
    // The browser reports the response to the unknown subscriber.
    expect(dashboard.problems.filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([]);
  });
});
