import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

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

  const cell = (row: string, column: number) => page.getByRole('row', { name: row }).getByRole('gridcell').nth(column);
  const typed = (label: string) => page.getByRole('textbox', { name: label, exact: true });

  it('leads a translator through the missing texts in a grid by keyboard', async () => {
    await page.goto('/translations');
    await page.getByText('There are no texts yet').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    for (const [key, text] of [
      ['subject', 'Welcome'],
      ['body', 'Hello {{ subscriber.firstName }}'],
    ] as const) {
      await button('New key').click();
      const dialog = page.getByRole('dialog', { name: 'New key', exact: true });
      await dialog.getByRole('combobox', { name: 'Workflow or layout', exact: true }).fill('welc');
      await dialog.getByRole('option', { name: 'Welcome', exact: true }).click();
      await dialog.getByRole('textbox', { name: 'Key', exact: true }).fill(key);
      await dialog.getByRole('textbox', { name: 'Text in en_US', exact: true }).fill(text);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await cell(key, 0).waitFor();
    }
    await button('Add locale').click();
    const locale = page.getByRole('combobox', { name: 'Locale', exact: true });
    await locale.fill('french please');
    await button('Add').click();
    await page.getByText('“french please” is not a locale.').first().waitFor();
    await locale.fill('fr-fr');
    await button('Add').click();
    await page.getByRole('columnheader', { name: /^fr_FR French 2 missing/ }).waitFor();
    await cell('subject', 1).filter({ hasText: 'en_US is sent' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);

    await cell('subject', 0).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await typed('subject, fr_FR').fill('Bienvenue');
    await page.keyboard.press('Tab');
    await typed('body, fr_FR').fill('Salut {{ subscriber.firstName | nope }}');
    await page.keyboard.press('Enter');
    await cell('body', 1).getByRole('alert').getByText('The text is not saved').waitFor();
    await cell('body', 1).click();
    await soon(async () => expect(await typed('body, fr_FR').inputValue()).toContain('nope'));
    await typed('body, fr_FR').fill('Salut {{ subscriber.firstName }}');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: /^fr_FR French Complete/ }).waitFor();
    await cell('body', 1).filter({ hasText: 'Salut First name' }).waitFor();
    expect(await dashboard.api('GET', '/v2/translations/workflow/welcome/fr_FR')).toMatchObject({
      content: { subject: 'Bienvenue', body: 'Salut {{ subscriber.firstName }}' },
    });

    // Another person writes another key: both stay. Then the same key: theirs stays until ours is saved again.
    const french = (content: object) =>
      dashboard.api('POST', '/v2/translations', {
        ...{ resourceType: 'workflow', resourceId: 'welcome', locale: 'fr_FR', content },
      });
    const body = 'Salut {{ subscriber.firstName }}';
    await french({ subject: 'Bienvenue', body, other: 'Autre' });
    await cell('subject', 1).click();
    await typed('subject, fr_FR').fill('Bonjour');
    await page.keyboard.press('Enter');
    await cell('other', 1).filter({ hasText: 'Autre' }).waitFor();
    await cell('subject', 1).filter({ hasText: 'Bonjour' }).waitFor();
    await french({ subject: 'Coucou', body });
    await cell('subject', 1).click();
    await typed('subject, fr_FR').fill('Salutations');
    await page.keyboard.press('Enter');
    await cell('subject', 1).getByText('Another person wrote “Coucou” meanwhile.').waitFor();
    await cell('subject', 1).filter({ hasText: 'Coucou' }).click();
    await page.keyboard.press('Enter');
    await cell('subject', 1).getByRole('alert').waitFor({ state: 'detached' });
    await cell('subject', 1).filter({ hasText: 'Salutations' }).waitFor();

    await cell('subject', 1).click();
    await typed('subject, fr_FR').fill('');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Of', exact: true }).fill('welc');
    await page.getByRole('option', { name: 'Welcome', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('of') === 'workflow welcome');
    await button('Missing 1').click();
    await page.getByRole('row', { name: 'body' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Key or text', exact: true }).fill('nothing like it');
    await page.getByText('Nothing is missing here').first().waitFor();
  });

  it('edits the texts of a locale as code, and names what is missing', async () => {
    await page.goto('/translations?type=workflow&id=welcme');
    await page.getByText('This workflow does not exist').first().waitFor();
    await page.goto('/translations');
    await page.getByRole('link', { name: 'Welcome', exact: true }).click();
    await page.getByRole('link', { name: 'en_US', exact: true }).click();
    await editor().fill('{ "subject": "Welcome", "body": "Hello" ');
    await page.getByText('This is not valid').first().waitFor();
    await editor().fill('{ "subject": "Welcome", "body": "Hello" }');
    await page.keyboard.press('Control+s');
    await page.getByText('The texts in en_US are saved.').first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('locale')).toBe('en_US'));

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

  it('keeps what was typed when another person saved the locale meanwhile', async () => {
    await editor().fill('{ "subject": "Mine" }');
    await dashboard.api('POST', '/v2/translations', {
      ...{ resourceType: 'workflow', resourceId: 'welcome', locale: 'de', content: { subject: 'Theirs' } },
    });
    await button('Save').click();
    await page
      .getByText(/Another person saved this locale/)
      .first()
      .waitFor();
    await button('Load theirs').click();
    await editor().filter({ hasText: 'Theirs' }).waitFor();
  });

  it('asks before texts that are not saved are lost', async () => {
    await editor().fill('{ "subject": "Servus" }');
    await page.getByRole('link', { name: 'All translations' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await soon(async () => expect(await editor().innerText()).toContain('Servus'));
    await page.getByRole('link', { name: 'All translations' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('grid', { name: 'Translations', exact: true }).waitFor();
  });

  it('exports all texts of a locale as one file, and imports it for another locale', async () => {
    await page.goto('/translations');
    const saved = page.waitForEvent('download');
    await button('Export').click();
    await page.getByRole('menuitem', { name: 'en_US.json', exact: true }).click();
    expect((await saved).suggestedFilename()).toBe('en_US.json');
    const content = { workflows: { welcome: { subject: 'Bienvenue', body: 'Salut' } }, layouts: {} };
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'fr.json', mimeType: 'application/json', buffer: json(content) });
    await page.getByText('1 of 1 contents were stored in fr').first().waitFor();
    await page.getByRole('columnheader', { name: /^fr French Complete/ }).waitFor();
    await page.getByRole('link', { name: 'Welcome', exact: true }).click();
    await page.getByRole('row', { name: /^fr .*Complete/ }).waitFor();
    await button('Delete de').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row', { name: /^de / }).waitFor({ state: 'detached' });
    expect(await dashboard.api('GET', '/v2/translations/group/workflow/welcome')).toMatchObject({
      locales: ['en_US', 'fr', 'fr_FR'],
    });
    // The browser reports the expected error responses by itself.
    expect(dashboard.problems.filter((problem) => !/status of (404|409|422)/.test(problem))).toEqual([]);
  });
});
