import { type FakeProvider, startFakeProvider, until } from '@clarion/testing';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

type Listed = { data: { _id: string; jobs: { _id: string; type: string; status: string }[] }[] };

describe('the notification page', () => {
  let provider: FakeProvider;
  let dashboard: Dashboard;
  let notificationId: string;
  let mailId: string;

  beforeAll(async () => {
    provider = await startFakeProvider();
    dashboard = await startDashboard({
      CLARION_EGRESS_ALLOW: '127.0.0.1',
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: provider.url, resend: provider.url }),
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
        { name: 'Inbox', type: 'in_app', controlValues: { body: 'Order {{payload.id}}' } },
        { name: 'Mail', type: 'email', controlValues: { subject: 'Order {{payload.id}}', body: '<b>Thanks</b>' } },
      ],
    });
    await run(1);
    provider.always('/v3/mail/send', { status: 400, json: { errors: [{ message: 'The mailbox is full' }] } });
    await run(3);
    const failed = await run(2);
    notificationId = failed._id;
    mailId = failed.jobs.find(({ type }) => type === 'email')!._id;
  });
  afterAll(async () => {
    await dashboard.close();
    await provider.close();
  });

  /** Triggers the workflow for a person with markup as a name, and waits until its steps have ended. */
  async function run(id: number): Promise<Listed['data'][number]> {
    const { transactionId } = await dashboard.api<{ transactionId: string }>('POST', '/v1/events/trigger', {
      name: 'order',
      to: { subscriberId: 'ada', email: 'ada@x.test', firstName: '<img src=x onerror=alert(1)>' },
      payload: { id },
    });
    let found: Listed['data'][number] | undefined;
    await until(async () => {
      [found] = (await dashboard.api<Listed>('GET', `/v1/notifications?transactionId=${transactionId}`)).data;
      return found?.jobs.every(({ status }) => status === 'completed' || status === 'failed') === true;
    });
    return found!;
  }

  it('shows steps, details, rules, the message and the difference to the last good run', async () => {
    const { page } = dashboard;
    await page.goto(`/activity/${notificationId}`);
    await page.getByRole('heading', { level: 1, name: 'Order to <img src=x onerror=alert(1)>', exact: true }).waitFor();
    const cause = page.getByRole('region', { name: 'What went wrong', exact: true });
    await cause
      .getByRole('heading', { name: 'SendGrid refused the email: “The mailbox is full”', exact: true })
      .waitFor();
    await cause.getByText('400', { exact: true }).waitFor();
    await cause.getByText('What to do:').waitFor();
    await cause.getByRole('link', { name: 'ada@x.test', exact: true }).waitFor();
    await cause.getByText('Inbox (inbox message) delivered').waitFor();
    await cause.getByText('Working', { exact: true }).waitFor();
    await cause.getByRole('link', { name: 'Show all 2 like this', exact: true }).waitFor();
    const steps = page.getByRole('grid', { name: 'Trace', exact: true });
    await soon(async () => expect(await steps.getByRole('link').allTextContents()).toEqual(['Inbox', 'Mail']));
    await steps.getByRole('row', { name: /^Attempt 1 400 refused/ }).waitFor();
    await steps.getByRole('link', { name: 'Inbox', exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    await soon(async () => expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Mail'));
    const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
    await soon(async () => expect(await rules.last().textContent()).toContain('400: The mailbox is full'));
    await soon(async () => expect(await rules.last().textContent()).toContain('stopped here'));
    const before = await rules.allTextContents();
    expect(before.findIndex((text) => text.includes('preferences'))).toBeLessThan(before.length - 2);
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();

    // The failed step is selected, with the answer of its provider and what was sent.
    const pane = page.getByRole('region', { name: 'Step Mail', exact: true });
    await pane.getByRole('region', { name: 'Answer of the provider' }).getByText('The mailbox is full').waitFor();
    const frame = page.locator('iframe[title="Message as it was sent"]');
    await soon(async () => expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin'));
    await page.getByRole('tab', { name: 'As sent' }).click();
    await pane.getByText('Id at the provider').or(pane.getByText('Message id')).first().waitFor();
    await page.getByRole('tab', { name: 'Payload' }).click();
    await page.getByRole('region', { name: 'Payload of the trigger' }).getByText('"id": 2').waitFor();
    await page.getByRole('tab', { name: 'Against today' }).click();
    await page.getByText('what the template gives today').first().waitFor();
    await page.getByRole('tab', { name: 'Last good run' }).click();
    const compared = page.getByRole('region', { name: 'Values of the payload that differ' });
    await soon(async () => expect(await compared.getByRole('row').nth(1).textContent()).toBe('id21'));
    await page.getByRole('tab', { name: 'All events' }).click();
    const details = page.getByRole('list', { name: 'Execution details' });
    await details.getByText('Unexpected provider error').first().waitFor();
    await soon(async () => expect(await details.textContent()).toContain('UTC'));
    await soon(() => expect(new URL(page.url()).searchParams.get('tab')).toBe('events'));

    await steps.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('tab', { name: 'All events' }).click();
    await details.getByText('Message sent').first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('step')).toBeTruthy());
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    expect(dashboard.problems).toEqual([]);
  });

  it('leads to the notifications before and after it in the list', async () => {
    const { page } = dashboard;
    await page.goto('/activity');
    await page.getByRole('row', { name: /Order/ }).first().getByRole('link').click();
    await page.getByRole('button', { name: 'Copy the id', exact: true }).waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Next notification', exact: true }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press('k');
    await page.waitForURL(first);
  });

  it('has the cause on the first screen of a laptop and of a phone', async () => {
    for (const viewport of [
      { width: 1280, height: 720 },
      { width: 390, height: 844 },
    ]) {
      const small = await dashboard.openPage({ viewport });
      await small.goto(`/activity/${notificationId}`);
      const advice = small.getByText('What to do:');
      await advice.waitFor();
      const { y, height } = (await advice.boundingBox())!;
      expect(y + height).toBeLessThan(viewport.height);
      await small.context().close();
    }
  });

  it('replays the failed step as a frozen set that a reload still shows', async () => {
    const { page } = dashboard;
    provider.reset();
    await page.goto(`/activity/${notificationId}?step=${mailId}`);
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay notifications' });
    await dialog.getByText('1 step', { exact: true }).first().waitFor();
    await page.reload();
    await dialog.getByText('No message of them reached a provider.').first().waitFor();
    await dialog.getByLabel('Rate').fill('50');
    await dialog.getByRole('button', { name: 'Replay 1' }).click();
    await dialog.getByText('Finished. 1 replayed.').first().waitFor();
    await soon(async () => expect(await dialog.getByRole('progressbar').getAttribute('value')).toBe('1'));
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('grid', { name: 'Trace' }).getByText('delivered').nth(1).waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.has('bulk')).toBe(false));
    expect(dashboard.problems).toEqual([]);
  });

  it('sends a failed message through another integration, from the banner', async () => {
    const { page, api } = dashboard;
    provider.always('/v3/mail/send', { status: 400, json: { errors: [{ message: 'The mailbox is full' }] } });
    const { _id } = await run(4);
    await page.goto(`/activity/${_id}`);
    const cause = page.getByRole('region', { name: 'What went wrong', exact: true });
    await cause.getByText('Working', { exact: true }).waitFor();
    await soon(async () => expect(await cause.getByRole('button', { name: 'Use other provider' }).count()).toBe(0));
    const credentials = { apiKey: 're_key', from: 'hello@x.test', senderName: 'Clarion' };
    const backup = { providerId: 'resend', channel: 'email', name: 'Backup', identifier: 'backup', active: true };
    await api('POST', '/v1/integrations', { ...backup, credentials });
    await page.reload();
    await cause.getByRole('button', { name: 'Use other provider', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay notifications', exact: true });
    const through = dialog.getByRole('combobox', { name: 'Send through', exact: true });
    await soon(async () => expect(await through.inputValue()).toBe('backup'));
    await soon(async () =>
      expect(await through.getByRole('option').allTextContents()).toEqual([
        'The first that works',
        'Main email, working',
        'Backup, working',
      ]),
    );
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Replay 1', exact: true }).click();
    await dialog.getByText('Finished. 1 replayed.').first().waitFor();
    await until(async () => {
      const { jobs } = await api<{ jobs: { status: string; providerId: string }[] }>('GET', `/v1/notifications/${_id}`);
      return jobs.some(({ status, providerId }) => status === 'completed' && providerId === 'resend');
    });
    const toFirst = provider.calls.filter(({ path, body }) => path === '/v3/mail/send' && body.includes('Order 4'));
    expect(toFirst).toHaveLength(1);
    expect(dashboard.problems).toEqual([]);
  });

  it('says that a notification does not exist and offers no changes to a read key', async () => {
    const { page, api } = dashboard;
    await page.goto('/activity/0190c0de-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'This notification does not exist' }).waitFor();
    const [environment] = await api<{ _id: string }[]>('GET', '/v1/environments');
    const { key } = await api<{ key: string }>('POST', `/v1/environments/${environment!._id}/api-keys`, {
      scope: 'read',
    });
    const reader = await dashboard.openPage({ key });
    await reader.goto(`/activity/${notificationId}`);
    await reader.getByRole('button', { name: 'Copy as curl' }).waitFor();
    await soon(async () =>
      expect(await reader.getByRole('button', { name: /^(Replay|Cancel sending)$/ }).count()).toBe(0),
    );
  });
});
