import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, startDashboard } from './harness';

describe('the translations page', () => {
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    dashboard = await startDashboard();
    ({ page } = dashboard);
    await dashboard.api('POST', '/v2/workflows', {
      name: 'Welcome',
      workflowId: 'welcome',
      steps: [
        { name: 'Mail', type: 'email', controlValues: { subject: '{{ t.subject }}', body: '<p>{{ t.body }}</p>' } },
      ],
    });
  });
  afterAll(() => dashboard.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const editor = () => page.getByRole('textbox', { name: 'Texts' });
  const json = (content: unknown) => Buffer.from(JSON.stringify(content));

  it('adds texts, and names what is missing in a locale', async () => {
    await page.goto('/translations');
    await page.getByText('No texts in en_US').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await button('New translation').click();
    await page.getByLabel('workflowId').fill('welcome');
    await button('Open').click();
    await page.getByText('There are no texts yet.').first().waitFor();
    await page.getByLabel('New locale').fill('en-us');
    await button('Add locale').click();
    await editor().fill('{ "subject": "Welcome {{ nope | unknown }}" }');
    await button('Save').click();
    await page.getByRole('alert').getByText('What you typed is still here.').first().waitFor();
    await editor().fill('{ "subject": "Welcome", "body": "Hello" ');
    await page.getByText('This is not valid').first().waitFor();
    await editor().fill('{ "subject": "Welcome", "body": "Hello" }');
    await page.keyboard.press('Control+s');
    await page.getByText('The texts in en_US are saved.').first().waitFor();
    await page.getByRole('cell', { name: 'Complete' }).waitFor();
    expect(new URL(page.url()).searchParams.get('locale')).toBe('en_US');

    await page.locator('input[type=file]').setInputFiles([
      { name: 'de.json', mimeType: 'application/json', buffer: json({ subject: 'Willkommen' }) },
      { name: 'nonsense.json', mimeType: 'application/json', buffer: json({}) },
    ]);
    await page.getByText('1 of 2 files stored. nonsense.json').first().waitFor();
    await page.getByRole('row', { name: /^de .*1 missing.*body/ }).waitFor();
    await page.getByRole('link', { name: 'de', exact: true }).click();
    await page.getByText('Missing here, so another locale or the key itself is written: body').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('asks before texts that are not saved are lost', async () => {
    await editor().fill('{ "subject": "Servus" }');
    await page.getByRole('link', { name: 'All translations' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(await editor().innerText()).toContain('Servus');
    await page.getByRole('link', { name: 'All translations' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('cell', { name: 'welcome' }).waitFor();
  });

  it('exports all texts of a locale as one file, and imports it for another locale', async () => {
    await page.goto('/translations');
    const saved = page.waitForEvent('download');
    await button('Export JSON').click();
    expect((await saved).suggestedFilename()).toBe('en_US.json');
    const content = { workflows: { welcome: { subject: 'Bienvenue', body: 'Salut' } }, layouts: {} };
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'fr.json', mimeType: 'application/json', buffer: json(content) });
    await page.getByText('1 of 1 contents were stored in fr').first().waitFor();
    await page.getByLabel('Locale').fill('fr');
    await page.getByRole('heading', { name: 'Texts in fr' }).waitFor();
    await page.getByRole('link', { name: 'welcome' }).click();
    await page.getByRole('row', { name: /^fr .*Complete/ }).waitFor();
    await button('Delete de').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row', { name: /^de / }).waitFor({ state: 'detached' });
    expect(await dashboard.api('GET', '/v2/translations/group/workflow/welcome')).toMatchObject({
      locales: ['en_US', 'fr'],
    });
    // The browser reports the expected error responses by itself.
    expect(dashboard.problems.filter((problem) => !/status of (404|422)/.test(problem))).toEqual([]);
  });
});
