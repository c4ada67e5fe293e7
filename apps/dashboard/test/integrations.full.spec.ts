import { type FakeProvider, startFakeProvider } from '@clarion/testing';
import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

describe('the integrations page', () => {
  let dashboard: Dashboard;
  let fake: FakeProvider;
  let page: Page;

  beforeAll(async () => {
    fake = await startFakeProvider();
    dashboard = await startDashboard({
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: fake.url, resend: fake.url }),
      CLARION_EGRESS_ALLOW: '127.0.0.1',
    });
    ({ page } = dashboard);
  });
  afterAll(async () => {
    await dashboard.close();
    await fake.close();
  });

  const button = (name: string, within: Pick<Page, 'getByRole'> = page) =>
    within.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const region = (name: string) => page.getByRole('region', { name, exact: true });

  it('adds an integration from the catalogue, and never shows a stored secret', async () => {
    await page.goto('/integrations');
    await page.getByRole('link', { name: 'Add integration' }).click();
    await page.getByLabel('Search providers').fill('sendgr');
    await page.getByText('1 provider', { exact: true }).waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('find')).toBe('sendgr'));
    await page.getByRole('link', { name: /SendGrid/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mail <b>one</b>');
    await page.getByLabel('API key').fill('SG.a-secret-value-0123456789');
    await page.getByLabel('From', { exact: true }).fill('me@x.test');
    await page.getByLabel('Sender name').fill('Me');
    fake.next('/v3/scopes', { status: 401, json: { errors: [{ message: 'No such key' }] } });
    await button('Save').click();
    // Checked before it is stored.
    await page.getByRole('alert').getByText('No such key').waitFor();
    expect(dashboard.problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    await button('Save').click();
    await page.getByRole('heading', { name: 'Mail <b>one</b>' }).waitFor();
    await page.getByText('Set. Type a new value to replace it.').first().waitFor();
    await soon(async () => expect(await page.getByLabel('API key').inputValue()).toBe(''));
    expect(await page.content()).not.toContain('a-secret-value');
    await page.getByLabel('Sender name').fill('Team');
    await button('Save').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const [stored] = await dashboard
      .api<{ credentials: Record<string, string>; providerId: string }[]>('GET', '/v1/integrations/active')
      .then((all) => all.filter(({ providerId }) => providerId === 'sendgrid'));
    expect(stored!.credentials['senderName']).toBe('Team');
    expect(stored!.credentials['apiKey']).toBe('SG.a-secret-value-0123456789');
  });

  it("shows the provider's answer to a check, and the address of its delivery events", async () => {
    fake.next('/v3/scopes', { status: 401, json: { errors: [{ message: 'The key was revoked' }] } });
    await button('Check Mail <b>one</b>').click();
    await dialog().getByText('The key was revoked').first().waitFor();
    await button('Check again', dialog()).click();
    await dialog().getByText('SendGrid accepts the credentials.').first().waitFor();
    await button('Close', dialog()).click();
    await page.getByRole('tab', { name: 'Delivery events' }).click();
    await page.getByText('/v2/inbound-webhooks/delivery-providers/').first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('tab')).toBe('events'));
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('pauses with a reason, shows who paused, and resumes', async () => {
    await button('Pause Mail <b>one</b>').click();
    await dialog().getByLabel('Reason').fill('an incident');
    await button('Pause', dialog()).click();
    await page.getByText('Held', { exact: true }).waitFor();
    await page.getByText(/By “.+” .+: an incident\. 0 messages wait\./).waitFor();
    await dashboard.database.database.query(`UPDATE hold SET by_operator = true`);
    await page.reload();
    await page.getByText(/By “operator” .+: an incident/).waitFor();
    await page.getByText(/Only the operator .+ can resume it\./).waitFor();
    await soon(async () => expect(await button('Resume Mail <b>one</b>').count()).toBe(0));
    await dashboard.database.database.query(`UPDATE hold SET by_operator = false`);
    await page.getByRole('link', { name: 'All integrations' }).click();
    await page.reload();
    await region('Email').getByText('Held', { exact: true }).waitFor();
    await button('Resume Mail <b>one</b>').click();
    await button('Pause Mail <b>one</b>').waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('orders integrations and edits conditions by keyboard', async () => {
    const credentials = { apiKey: 're_key', from: 'a@x.test', senderName: 'A' };
    const body = { providerId: 'resend', channel: 'email', active: true, name: 'Second', credentials };
    const { _id } = await dashboard.api<{ _id: string }>('POST', '/v1/integrations', body);
    await page.reload();
    await button('Move Second up').focus();
    await page.keyboard.press('Enter');
    await page.getByText('The order is saved.').first().waitFor();
    const second = await dashboard.api<{ primary: boolean }>('GET', `/v1/integrations/${_id}`);
    expect(second.primary).toBe(true);
    await page.goto(`/integrations?integration=${_id}&tab=conditions`);
    await button('Add condition').click();
    await page.getByLabel('Field', { exact: true }).fill('plan');
    await page.getByLabel('Value', { exact: true }).fill('gold');
    await button('Save conditions').click();
    await page.getByText('With conditions', { exact: true }).waitFor();
    const { conditions } = await dashboard.api<{ conditions: object[] }>('GET', `/v1/integrations/${_id}`);
    expect(conditions).toMatchObject([
      { value: 'AND', children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'gold' }] },
    ]);
  });

  it('says what uses an integration before it deletes it', async () => {
    await button('Delete').first().click();
    await dialog().getByText('Its credentials are erased.', { exact: false }).waitFor();
    await button('Delete', dialog()).click();
    await page.getByText('Second is deleted.').first().waitFor();
    await region('Email').waitFor();
    await page.getByRole('link', { name: 'Second' }).waitFor({ state: 'detached' });
  });

  it('is read-only for a read key', async () => {
    const { key } = await dashboard.api<{ key: string }>(
      'POST',
      `/v1/environments/${(await dashboard.api<{ _id: string }>('GET', '/v1/environments/me'))._id}/api-keys`,
      { name: 'reader', scope: 'read' },
    );
    const reader = await dashboard.openPage({ key });
    await reader.goto('/integrations?add=catalogue');
    await reader.getByText('This key may only read.').first().waitFor();
    await reader.getByRole('link', { name: 'Mail <b>one</b>' }).click();
    await reader.getByRole('tab', { name: 'Settings' }).waitFor();
    for (const name of ['Save', 'Delete', /^Pause/, /^Check/]) {
      await soon(async () => expect(await reader.getByRole('button', { name }).count()).toBe(0));
    }
    expect(dashboard.problems).toEqual([]);
  });
});
