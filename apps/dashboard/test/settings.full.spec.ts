import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

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
    await page
      .getByText(/^clr_stag_/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit Staging' }).click();
    await page.getByLabel('Name').fill('Canary');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Canary', exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('changes every setting of an environment, with a link to the form, and deletes an environment', async () => {
    const { _id } = await dashboard.api<{ _id: string }>('GET', '/v1/environments/me');
    const { page } = dashboard;
    await page.goto(`/settings?tab=environments&edit=${_id}`);
    await page.getByText('Sessions need no signature').first().waitFor();
    await page.getByRole('button', { name: 'Rotate inbox secret' }).click();
    await page.getByLabel('The old secret ends').selectOption('24');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const secret = (await page.getByRole('region', { name: 'Inbox secret' }).textContent())!;
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await dashboard.api('GET', `/v1/environments/${_id}/inbox-secret`)).toMatchObject({ secret });
    await page.getByLabel('Signatures of sessions').selectOption('required');
    await page.getByText('Sessions need no signature').waitFor({ state: 'detached' });
    await page.getByLabel('Record which emails are opened').click();
    await page.getByLabel('Offer to unsubscribe').click();
    await page.getByLabel('Who may use the inbox').selectOption('listed');
    await page.getByLabel('Allowed origins').fill('not an origin');
    await page.getByLabel('Default locale').fill('de');
    await page.getByLabel('Messages of a channel').selectOption('hold');
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Allowed origins').fill('https://app.example.com\nhttps://shop.example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The environment is saved.').first().waitFor();
    expect(await dashboard.api('GET', '/v1/environments/me')).toMatchObject({
      tracking: { opens: true, clicks: false },
      oneClickUnsubscribe: false,
      allowedOrigins: ['https://app.example.com', 'https://shop.example.com'],
      defaultLocale: 'de',
      withoutIntegration: 'hold',
      inboxSignatures: 'required',
      kind: 'development',
    });
    await page.getByRole('button', { name: 'Edit Canary' }).click();
    await page.getByRole('button', { name: 'Delete the environment' }).click();
    await page.getByLabel('Type Canary to confirm').fill('canary');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This is not Canary.').first().waitFor();
    await page.getByLabel('Type Canary to confirm').fill('Canary');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Canary is deleted.').first().waitFor();
    await page.getByRole('cell', { name: 'Canary', exact: true }).waitFor({ state: 'detached' });
  });

  it('creates variables, never shows a secret, and says what uses a variable before it is deleted', async () => {
    await dashboard.api('POST', '/v2/workflows', {
      name: 'Greeting',
      workflowId: 'greeting',
      steps: [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello of {{ env.TOKEN }}' } }],
    });
    const page = await open('variables');
    await page.getByText('No variables yet').first().waitFor();
    await page.getByRole('button', { name: 'New variable' }).click();
    await page.getByLabel('Key').fill('TOKEN');
    await page.getByLabel('Secret').click();
    await page.getByLabel('Value in Development').fill('do-not-show');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('cell', { name: 'TOKEN Secret' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit TOKEN' }).click();
    await page.getByLabel('Key').fill('SITE_TOKEN');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'SITE_TOKEN Secret' }).waitFor();
    await page.getByRole('button', { name: 'Edit SITE_TOKEN' }).click();
    await page.getByLabel('Key').fill('TOKEN');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete TOKEN' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Greeting' }).waitFor();
    expect(await page.content()).not.toContain('do-not-show');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No variables yet').first().waitFor();
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
    await reader.getByText('a key of the scope read').first().waitFor();
    await soon(async () => expect(await reader.getByRole('button', { name: 'Create key' }).count()).toBe(0));

    await page.getByRole('button', { name: 'Revoke Shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect((await call()).status).toBe(401);
  });

  it('lists sessions and revokes another one', async () => {
    const other = await dashboard.openPage();
    const page = await open('sessions');
    await page.getByText('This session').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the session of default' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The session is revoked.').first().waitFor();
    expect((await other.context().request.get('/v1/sessions/current')).status()).toBe(401);
  });

  it('shows the audit log with filters in the address', async () => {
    const page = await open('audit-log');
    await page.getByRole('cell', { name: 'api_key.revoked' }).waitFor();
    await page.getByLabel('Resource', { exact: true }).selectOption('environment');
    await page.getByRole('cell', { name: 'environment.deleted' }).waitFor();
    await page.getByRole('cell', { name: 'api_key.revoked' }).waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'Resource id', exact: true }).fill('devel');
    await page.getByRole('option', { name: 'Development', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.has('resourceId'));
    await page.getByRole('cell', { name: 'environment.deleted' }).waitFor({ state: 'hidden' });
    await page.getByRole('cell', { name: 'environment.updated' }).first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('resourceType')).toBe('environment'));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('audit-log.csv');

    await dashboard.api('POST', '/v2/workflows', { workflowId: 'orders', name: 'Orders', steps: [] });
    await page.getByLabel('Resource', { exact: true }).selectOption('workflow');
    const resource = page.getByRole('combobox', { name: 'Resource id', exact: true });
    await resource.fill('order');
    await page.getByRole('option', { name: 'Orders', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.has('resourceId'));
    await page.reload();
    await soon(async () => expect(await resource.inputValue()).toBe('Orders'));
    const created = page.getByRole('row', { name: /workflow\.created/ });
    await created.getByRole('cell', { name: 'Orders', exact: true }).waitFor();
    await created.getByRole('cell', { name: 'default', exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    expect(dashboard.problems.filter((problem) => !/401|422/.test(problem))).toEqual([]);
  });
});
