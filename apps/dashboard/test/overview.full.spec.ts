import type { Locator } from 'playwright-core';
import { type FakeProvider, startFakeProvider } from '@clarion/testing';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

describe('the overview page', () => {
  let provider: FakeProvider;
  let dashboard: Dashboard;

  beforeAll(async () => {
    provider = await startFakeProvider();
    provider.always('/v3/mail/send', { status: 400, json: { errors: [{ message: 'The mailbox is full' }] } });
    dashboard = await startDashboard({
      CLARION_EGRESS_ALLOW: '127.0.0.1',
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: provider.url }),
    });
    const { api } = dashboard;
    await api('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      name: 'Main email',
      active: true,
      credentials: { apiKey: 'SG.key', from: 'hello@x.test', senderName: 'Clarion' },
    });
    await api('POST', '/v2/workflows', {
      name: 'Order',
      workflowId: 'order',
      active: true,
      steps: [
        { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hi' } },
        { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hi' } },
        { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'days' } },
        { name: 'Text', type: 'sms', controlValues: { body: 'Hi' } },
      ],
    });
  });
  afterAll(async () => {
    await dashboard.close();
    await provider.close();
  });

  const figures = async (): Promise<Record<string, string>> => {
    const words = dashboard.page.locator('dl dt');
    const values = dashboard.page.locator('dl dd a');
    const names = await words.allTextContents();
    return Object.fromEntries((await values.allTextContents()).map((value, place) => [names[place]!, value]));
  };
  const region = (name: string): Locator => dashboard.page.getByRole('region', { name, exact: true });

  it('says what to do next while there is nothing to count', async () => {
    const { page } = dashboard;
    await page.goto('/overview');
    await region('Now').getByText('All is well').waitFor();
    await page.getByRole('heading', { name: 'Nothing was accepted in this range' }).waitFor();
    await soon(async () =>
      expect(await page.getByRole('region', { name: 'Command' }).textContent()).toContain('/v1/events/trigger'),
    );
    await soon(async () => expect(await figures()).toMatchObject({ Accepted: '0', 'In doubt': '0' }));
    await soon(async () => expect(await page.title()).toBe('Overview · Clarion'));
  });

  it('warns while the inboxes of a production environment need no signature', async () => {
    const { page, api } = dashboard;
    const { _id } = await api<{ _id: string }>('POST', '/v1/environments', {
      name: 'Open',
      kind: 'production',
      inboxSignatures: 'optional',
    });
    await page.goto(`/overview?environment=${_id}`);
    await page.getByRole('link', { name: 'Require signatures' }).click();
    await page.getByLabel('Signatures of sessions').selectOption('required');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The environment is saved.').first().waitFor();
    await page.goto(`/overview?environment=${_id}`);
    await page.getByRole('heading', { name: 'Nothing was accepted in this range' }).waitFor();
    await soon(async () => expect(await page.getByText('Signatures of inbox sessions are off').count()).toBe(0));
    await page.goto('/overview');
  });

  it('counts every outcome, adds up, and refreshes by itself', async () => {
    const { page, api } = dashboard;
    for (const subscriberId of ['ada', 'bob']) {
      await api('POST', '/v1/events/trigger', { name: 'order', to: { subscriberId, email: `${subscriberId}@x.test` } });
    }
    await region('Now').getByRole('heading', { name: 'SendGrid refuses Email', exact: true }).waitFor();
    await page.getByText('2 delivered + 2 failed + 0 skipped + 2 in flight + 0 in doubt').first().waitFor();
    const expected = { Accepted: '6', Delivered: '2', Failed: '2', Skipped: '0', 'In flight': '2', 'In doubt': '0' };
    await soon(async () => expect(await figures()).toEqual(expected));
    await page.getByText('Adds up', { exact: true }).waitFor();
    const reason = region('Now').getByRole('row').filter({ hasText: 'The mailbox is full' });
    // Each part of the page refreshes by itself.
    const facts =
      'permanent Email, SendGrid · Replay when the mailbox has room, or reach the person on another channel.';
    await soon(async () => expect(await reason.getByRole('cell').first().textContent()).toContain(facts));
    const heads = ['Reason', 'When', 'Steps', 'People', 'Reached otherwise', 'Last', 'Actions'];
    const columns = region('Now').getByRole('columnheader');
    await soon(async () => expect(await columns.allTextContents()).toEqual(heads));
    await soon(async () =>
      expect((await reason.getByRole('cell').allTextContents()).slice(2, 5)).toEqual(['2', '2', '2']),
    );
    const colours = await page
      .locator('dl dd a')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).color));
    expect(colours.filter((colour) => colour !== colours[0])).toEqual([colours[2]]);
    await region('Now').filter({ hasText: '2 people did not get 2 messages100 % of Email' }).waitFor();
    await region('Now').getByRole('button', { name: 'Hold Main email …', exact: true }).waitFor();
    const channels = region('Channels').getByRole('row', { name: /^All channels/ });
    await soon(async () => expect(await channels.innerText()).toMatch(/^All channels\s+6\s+2\s+2\s+0\s+2\s+0/));
    const menu = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('listitem');
    await soon(async () => expect(await menu.filter({ hasText: 'Activity' }).innerText()).toMatch(/Activity\s*2/));
    await page.getByRole('complementary', { name: 'Clarion' }).getByText('No step is due', { exact: true }).waitFor();
    await reason.getByRole('img', { name: /^2 steps between .+, most at .+: 2$/ }).waitFor();
    await reason.getByRole('button', { name: 'Notifications: The mailbox is full', exact: true }).click();
    const newest = region('Now').getByRole('list', { name: 'Newest notifications: The mailbox is full', exact: true });
    await newest.getByText('ada', { exact: true }).waitFor();
    await newest.getByText('bob', { exact: true }).waitFor();
    await reason.getByRole('button', { name: 'Notifications: The mailbox is full', exact: true }).click();
    const integration = region('Integrations').getByRole('row', { name: /Main email/ });
    await integration.getByText('The mailbox is full').first().waitFor();
    await soon(async () =>
      expect(await region('Channels').getByRole('row', { name: /Email/ }).textContent()).toContain('Email2020'),
    );
  });

  it('has bars with a tip and a table of the same figures, over the time that has data', async () => {
    const { page } = dashboard;
    const chart = page.getByRole('region', { name: 'Outcome of each minute', exact: true });
    const bars = chart.getByRole('group', { name: /^Outcomes over time/ });
    await bars.getByText(/ SendGrid refuses$/).waitFor();
    await bars.focus();
    await page.keyboard.press('ArrowLeft');
    await chart.getByRole('status').getByText('Accepted').waitFor();
    await chart.getByText('Show as a table').click();
    await soon(async () => {
      const rows = await chart.getByRole('row').allInnerTexts();
      expect(rows.slice(1).reduce((total, row) => total + Number(row.split('\t')[1]), 0)).toBe(6);
    });
  });

  it('leads with at most six clicks to the cause and the hold, and replays a group from its line', async () => {
    const { page } = dashboard;
    const reason = region('Now').getByRole('row').filter({ hasText: 'The mailbox is full' });
    await page.evaluate(() => {
      const counted = window as unknown as { clicks: number };
      counted.clicks = 0;
      addEventListener('click', ({ isTrusted }) => (counted.clicks += Number(isTrusted)), true);
    });
    await reason.getByRole('link', { name: 'The mailbox is full', exact: true }).click();
    await page.getByRole('table', { name: 'Notifications', exact: true }).getByRole('link').first().click();
    await region('What went wrong').getByText('SendGrid refused the email').waitFor();
    await page.goBack();
    await page.waitForURL('**/activity?**');
    await page.goBack();
    await page.waitForURL('**/overview**');
    await reason.getByRole('button', { name: 'Hold', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Hold Main email in Development?', exact: true });
    await question.getByRole('textbox', { name: 'Reason' }).fill('Mailboxes are full');
    await question.getByRole('button', { name: 'Hold', exact: true }).click();
    await region('On hold').getByText('Integration Main email is held.').waitFor();
    const integration = region('Integrations').getByRole('row', { name: /Main email/ });
    await integration.getByText('Held', { exact: true }).waitFor();
    const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks);
    process.stdout.write(`From an incident to its cause and a hold: ${clicks} clicks.\n`);
    expect(clicks).toBeLessThanOrEqual(6);
    await region('On hold').getByRole('button', { name: 'Release', exact: true }).click();
    await region('On hold').waitFor({ state: 'detached' });
    await reason.getByRole('button', { name: 'Replay group', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay notifications', exact: true });
    await dialog.getByText('2 steps', { exact: true }).first().waitFor();
    await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('leads from each figure and each error to the activity with the same filter and range', async () => {
    const { page } = dashboard;
    const target = async (link: Locator) => new URL((await link.getAttribute('href'))!, dashboard.url);
    const failed = await target(page.locator('dl dd a').nth(2));
    expect(failed.pathname).toBe('/activity');
    expect(failed.searchParams.get('status')).toBe('failed');
    const reason = await target(region('Now').getByRole('link', { name: 'The mailbox is full' }));
    expect(reason.searchParams.get('reason')).toBe('The mailbox is full');
    for (const { searchParams } of [failed, reason]) {
      const [after, before] = ['after', 'before'].map((name) => new Date(searchParams.get(name)!).getTime());
      expect(before! - after!).toBeGreaterThanOrEqual(24 * 3_600_000);
    }
  });

  it('keeps the time range in the address', async () => {
    const { page } = dashboard;
    await page.getByLabel('Time range').selectOption('Last 7 days');
    await page.waitForURL(/range=week/);
    await page.reload();
    await soon(async () => expect(await page.getByLabel('Time range').inputValue()).toBe('week'));
    await page.getByLabel('Time range').selectOption('Custom');
    await page.waitForURL(/range=custom/);
    await page.getByLabel('From').fill('2026-01-01T00:00');
    await page.getByLabel('To', { exact: true }).fill('2026-01-02T00:00');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Nothing was accepted in this range' }).waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('after')).toBe('2025-12-31T23:00:00.000Z'));
    await page.getByLabel('Time range').selectOption('Last 24 hours');
    await page.getByText('Adds up', { exact: true }).waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('after')).toBeNull());
  });

  it('has no fault that axe finds, in both themes and on a phone', async () => {
    const { page } = dashboard;
    // The most bars: a range that is named becomes as short as its data.
    const after = new Date(Date.now() - 7 * 86_400_000).toISOString();
    for (const path of ['/overview', `/overview?range=custom&after=${after}`]) {
      await page.goto(path);
      await page.getByText('Adds up', { exact: true }).waitFor();
      expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    }
    await page.goto('/overview');
    expect(dashboard.problems).toEqual([]);
  });

  it('shows three lines of a very long reason, and what to do beside it', async () => {
    const { page, api } = dashboard;
    const message = `The mailbox of ${'a very long answer '.repeat(200)}`;
    provider.always('/v3/mail/send', { status: 400, json: { errors: [{ message }] } });
    await api('POST', '/v1/events/trigger', { name: 'order', to: { subscriberId: 'cid', email: 'cid@x.test' } });
    const row = region('Now').getByRole('row').filter({ hasText: 'a very long answer' });
    await row.getByRole('button', { name: 'Replay group', exact: true }).waitFor();
    expect((await row.boundingBox())!.height).toBeLessThan(120);
    await row.getByRole('link', { name: /^The mailbox of/ }).click();
    await page.getByRole('table', { name: 'Notifications', exact: true }).getByRole('link').first().click();
    const banner = region('What went wrong');
    await banner.getByText('What to do:').waitFor();
    expect((await banner.boundingBox())!.height).toBeLessThan(300);
    await page.goto('/overview');
  });

  it('shows in words and red that the figures do not add up', async () => {
    await dashboard.database.database.query(`DELETE FROM work`);
    const { page } = dashboard;
    await page.reload();
    await page.getByText('Does not add up').first().waitFor();
    await page.getByText('3 steps missing (sms).').first().waitFor();
  });
});
