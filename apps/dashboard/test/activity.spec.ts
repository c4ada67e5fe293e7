import { readFileSync } from 'node:fs';
import { type BuiltNotification, type GivenStep, insertNotifications, insertSteps } from '@clarion/testing';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp.exe';

describe('the activity page', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
    const { api, database } = dashboard;
    const environmentId = (await api<{ _id: string }>('GET', '/v1/environments/me'))
      ._id as BuiltNotification['environmentId'];
    const ada = { subscriberId: 'ada', firstName: HOSTILE, email: 'ada@x.test' };
    const { _id: subscriberId } = await api<{ _id: string }>('POST', '/v2/subscribers', ada);
    const { _id: workflowId } = await api<{ _id: string }>('POST', '/v2/workflows', {
      workflowId: 'orders',
      name: 'Orders',
      steps: [
        { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } },
        { name: 'Mail', type: 'email', active: false, controlValues: { subject: 'Hello', body: 'Hello' } },
      ],
    });
    const start = Date.now() - 3_600_000;
    const planned: (Partial<BuiltNotification> & { steps: GivenStep[] })[] = [
      ...Array.from({ length: 110 }, () => ({ steps: [sent] })),
      { steps: [failed('Mailbox is full, says the provider')], createdAt: new Date(start - 1_000) },
      { steps: [failed('Mailbox is full'), { ...sent, type: 'in_app' }], transactionId: 'tx-failed' },
      { steps: [failed('<b>Rate</b> exceeded')], payload: { order: { id: 42 } } },
    ];
    const rows = await insertNotifications(
      database.database,
      planned.map(({ steps, ...fields }, index) => ({
        environmentId,
        subscriberId,
        workflowId,
        createdAt: new Date(start + index * 1_000),
        channels: steps.map(({ type }) => type!),
        ...fields,
      })),
    );
    await Promise.all(rows.map((row, index) => insertSteps(database.database, row, planned[index]!.steps)));
  });
  afterAll(() => dashboard.close());

  const sent: GivenStep = { type: 'email', state: 'completed', providerId: 'sendgrid' };
  const failed = (message: string): GivenStep => ({ ...sent, state: 'failed', error: { message } });
  const rows = () => dashboard.page.locator('tbody tr[data-index]');

  it('shows rows newest first as text, loads older ones, and works by keyboard', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    const first = rows().first();
    await first.waitFor();
    await soon(async () => expect(await page.title()).toBe('Activity · Clarion'));
    await soon(async () => expect(await first.innerText()).toContain('<b>Rate</b> exceeded'));
    await soon(async () => expect(await first.innerText()).toContain('<img src=x onerror=alert(1)>'));
    await soon(async () => expect(await page.locator('tbody img').count()).toBe(0));

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const link = first.getByRole('link');
    await page.waitForFunction(() => document.activeElement?.closest('tr')?.dataset['index'] === '0');
    await soon(async () => expect(await link.getAttribute('href')).toMatch(/^\/activity\/[0-9a-f-]{36}$/));

    await page.mouse.wheel(0, 100_000);
    await page.getByText('113 notifications, the oldest is shown.').first().waitFor();
    await soon(async () => expect(await rows().count()).toBeLessThan(60));
  });

  it('keeps filters in the address and removes them with chips', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    await page.getByRole('button', { name: 'Add filter', exact: true }).click();
    await page.getByLabel('Status').selectOption('failed');
    await page.waitForURL('**/activity?status=failed');
    await page.getByLabel('Payload').fill('order.id=42');
    await page.waitForURL('**payload=order.id%3D42');
    await page.getByText('1 notification, the oldest is shown.').first().waitFor();
    await page.reload();
    await page.getByText('1 notification, the oldest is shown.').first().waitFor();
    await page.getByRole('button', { name: /Remove Payload/ }).click();
    await page.getByText('3 notifications, the oldest is shown.').first().waitFor();
    await page.getByRole('button', { name: 'Add filter', exact: true }).click();
    // A picker finds by a part of the name, and the keyboard chooses.
    const workflow = page.getByRole('combobox', { name: 'Workflow', exact: true });
    await workflow.fill('orde');
    await page.getByRole('option', { name: 'Orders', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**workflowId=**');
    await workflow.fill('');
    await page.keyboard.press('Tab');
    await page.waitForURL((url) => !url.searchParams.has('workflowId'));
    await page.getByLabel('Payload').fill('42');
    await page.getByText('1 notification, the oldest is shown.').first().waitFor();
    await page.getByRole('button', { name: /Remove Payload/ }).click();
    await page.getByLabel('Transaction id').fill('none');
    await page.getByRole('heading', { name: 'No notification matches' }).waitFor();
  });

  it('filters by several statuses, opened with a key', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    await rows().first().waitFor();
    await page.keyboard.press('f');
    const status = page.getByLabel('Status', { exact: true });
    await soon(async () => expect(await status.evaluate((field) => field === document.activeElement)).toBe(true));
    await status.selectOption('Several …');
    const several = page.getByRole('group', { name: 'Any status of', exact: true });
    await several.getByLabel('Failed').check();
    await several.getByLabel('In doubt').check();
    await page.waitForURL('**/activity?status=failed&status=in_doubt');
    await page.getByText('3 notifications, the oldest is shown.').first().waitFor();
    await several.getByLabel('In doubt').uncheck();
    await page.waitForURL('**/activity?status=failed');
  });

  it('has saved views, each with its filters in the address', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    const views = page.getByRole('navigation', { name: 'Saved views', exact: true });
    await views.getByRole('link', { name: 'Not delivered', exact: true }).click();
    await page.waitForURL('**/activity?status=failed&status=in_doubt');
    await soon(async () => expect(await views.getByRole('button', { name: 'Save view' }).count()).toBe(0));
    await page.goto('/activity?status=failed&channel=email');
    await views.getByRole('button', { name: 'Save view', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Failed email');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await views.getByRole('link', { name: 'All', exact: true }).click();
    await views.getByRole('link', { name: 'Failed email', exact: true }).click();
    await page.waitForURL('**/activity?status=failed&channel=email');
    await views.getByRole('button', { name: 'Forget the view Failed email', exact: true }).click();
    await soon(async () => expect(await views.getByRole('link', { name: 'Failed email' }).count()).toBe(0));
  });

  it('groups by reason and filters by a group', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    await page.getByLabel('Group by reason').check();
    await page.waitForURL('**group=reason');
    const why = page.getByRole('link', { name: 'Mailbox is full', exact: true });
    const group = page.getByRole('row').filter({ has: why });
    await soon(async () => expect(await group.innerText()).toMatch(/SendGrid\s+1\s+1\s+1\s/));
    await group.getByRole('button', { name: 'Hold', exact: true }).waitFor();
    await group.getByRole('button', { name: 'Replay group', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay notifications', exact: true });
    await dialog.getByText('1 step', { exact: true }).first().waitFor();
    const replayed = dialog.getByRole('list', { name: 'Reasons', exact: true }).getByRole('listitem');
    await replayed.filter({ hasText: 'Mailbox is fullEmail, SendGrid1 step' }).waitFor();
    await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
    // The group opens in its place.
    await group.getByRole('img', { name: /^1 step between .+, most at .+: 1$/ }).waitFor();
    const toggle = page.getByRole('button', { name: 'Notifications: Mailbox is full', exact: true });
    await toggle.click();
    const newest = page.getByRole('list', { name: 'Newest notifications: Mailbox is full', exact: true });
    // Fails too when the list has a second one.
    await newest.getByRole('link', { name: 'Orders', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Show all as a list', exact: true }).waitFor();
    await toggle.click();
    await newest.waitFor({ state: 'detached' });
    // The other failure has these words too, and more.
    await why.click();
    await page.getByText('1 notification, the oldest is shown.').first().waitFor();
    await page.getByRole('button', { name: /^Remove Error group/ }).click();
    await page.getByText('2 notifications, the oldest is shown.').first().waitFor();
  });

  it('announces new notifications with a button instead of moving rows, and updates rows in flight', async () => {
    const { page, api } = dashboard;
    await page.goto('/activity?workflowId=orders');
    await rows().first().waitFor();
    const link = rows().first().getByRole('link');
    const before = await link.getAttribute('href');
    await api('POST', '/v1/events/trigger', { name: 'orders', to: 'ada', payload: {} });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await page.getByText('Paused', { exact: true }).waitFor();
    await soon(async () => expect(await link.getAttribute('href')).toBe(before));
    await page.keyboard.press('n');
    await page.getByText('Live', { exact: true }).waitFor();
    await rows().first().getByRole('img', { name: 'In-app Delivered', exact: true }).waitFor();
  });

  it('says that it is offline while the stream cannot be opened', async () => {
    const { page } = dashboard;
    await page.route('**/v1/activity/stream', (route) => route.abort());
    await page.goto('/activity');
    await page.getByText('Offline', { exact: true }).waitFor();
    await page.unroute('**/v1/activity/stream');
    await page.getByText('Live', { exact: true }).waitFor();
    // The browser reports the connection that it could not make.
    dashboard.problems.length = 0;
  });

  it('downloads what the filters leave', async () => {
    const { page } = dashboard;
    await page.goto('/activity?transactionId=tx-failed');
    for (const [name, format] of [
      ['Export CSV', 'csv'],
      ['Export JSON', 'json'],
    ]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      expect(download.suggestedFilename()).toBe(`activity.${format}`);
      const text = readFileSync(await download.path(), 'utf8');
      expect(text).toContain('tx-failed');
      expect(text).not.toContain('Rate');
    }
  });

  it('goes from any id, name or page to it, what was opened lately first', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    await rows().first().waitFor();
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Search', exact: true });
    const box = dialog.getByRole('combobox', { name: 'Search', exact: true });
    await box.fill('tx-failed');
    await box.press('Enter');
    await page.waitForURL('**/activity?transactionId=tx-failed');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await dialog.getByRole('option', { name: 'tx-failed' }).first().waitFor();
    await soon(async () => expect(await dialog.getByRole('option').first().textContent()).toContain('tx-failed'));
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await box.fill('order');
    await dialog.getByRole('option', { name: 'Orders orders', exact: true }).waitFor();
    await box.fill('> dark');
    await box.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await soon(async () => expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark'));
    await page.getByRole('combobox', { name: 'Theme', exact: true }).selectOption('System');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await box.fill('nothing');
    await dialog.getByText('Nothing has the name or the id nothing').waitFor();
    await box.fill('');
    await dialog.getByRole('option', { name: 'Webhooks', exact: true }).click();
    await page.waitForURL('**/webhooks');

    // What is done with a workflow, and what was opened without the search.
    await page.keyboard.press('/');
    await box.fill('order');
    await dialog.getByRole('option', { name: 'Orders orders', exact: true }).locator('mark').first().waitFor();
    await dialog.getByRole('option', { name: 'Test run asks for whom', exact: true }).click();
    await page.waitForURL('**/workflows/orders?dialog=test-run');
    await page.getByRole('dialog', { name: 'Test run', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    await page.getByRole('heading', { name: 'Subscribers', exact: true }).waitFor();
    await page.keyboard.press('/');
    await dialog.getByRole('option', { name: 'Orders Workflows', exact: true }).waitFor();
    await box.fill('> new work');
    await box.press('Enter');
    await page.getByRole('dialog', { name: 'New workflow', exact: true }).getByLabel('Name').fill('By search');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/workflows/by-search');
  });

  it('has no accessibility faults and no errors', async () => {
    const { page, problems } = dashboard;
    await page.goto('/activity?status=failed');
    await rows().first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.goto('/activity?group=reason');
    await page.getByRole('button', { name: 'Notifications: Mailbox is full', exact: true }).click();
    await page.getByRole('link', { name: 'Show all as a list', exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
