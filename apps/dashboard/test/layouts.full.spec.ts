import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, startDashboard } from './harness';

type Layout = { name: string; isDefault: boolean; controls: { values: { email: { body: string } } } };

describe('the layouts page', () => {
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    dashboard = await startDashboard();
    page = dashboard.page;
  });
  afterAll(() => dashboard.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const body = () => page.getByRole('textbox', { name: 'Body', exact: true });
  const stored = (layoutId: string) => dashboard.api<Layout>('GET', `/v2/layouts/${layoutId}`);

  it('creates, previews, saves and duplicates a layout', async () => {
    await page.goto('/layouts');
    await page.getByRole('heading', { name: 'There are no layouts yet' }).waitFor();
    await button('New layout').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Brand frame');
    await button('Create').click();
    await page.waitForURL('**/layouts?layout=brand-frame');
    await body().fill('<main>{{content}}<p>Bye {{ subscriber.firstName }}</p></main>');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.frameLocator('iframe').getByText('Bye firstName').first().waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').first().waitFor();
    const { controls } = await stored('brand-frame');
    expect(controls.values.email.body).toContain('Bye {{ subscriber.firstName }}');

    await body().fill('<p>No content</p>');
    await button('Save').click();
    await page
      .getByText(/must have \{\{content\}\} in it/)
      .first()
      .waitFor();
    await body().fill('<p>{{content}}</p>');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await button('Save').click();
    await saved;

    await body().fill('<p>Mine {{content}}</p>');
    const email = { body: '<p>Theirs {{content}}</p>', editorType: 'html' };
    await dashboard.api('PUT', '/v2/layouts/brand-frame', { name: 'Brand frame', controlValues: { email } });
    await button('Save').click();
    await page
      .getByText(/Another person saved this layout/)
      .first()
      .waitFor();
    await button('Save mine').click();
    await page
      .getByText(/Another person saved this layout/)
      .first()
      .waitFor({ state: 'detached' });
    expect((await stored('brand-frame')).controls.values.email.body).toContain('Mine');

    await button('Duplicate').click();
    await button('Create').click();
    await page.waitForURL('**/layouts?layout=copy-of-brand-frame');
    await button('Make default').click();
    await page.getByText('It is the default layout now.').first().waitFor();
    expect((await stored('copy-of-brand-frame')).isDefault).toBe(true);
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('shows what uses a layout before it is deleted, and deletes an unused one', async () => {
    const controlValues = { subject: 'x', body: 'y', layoutId: 'brand-frame' };
    const steps = [{ name: 'Mail', type: 'email', controlValues }];
    await dashboard.api('POST', '/v2/workflows', { name: 'Framed', workflowId: 'framed', steps });
    await page.goto('/layouts?layout=brand-frame');
    await button('Delete').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Framed' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog
      .getByText(/is used by workflows: framed/)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await dashboard.api('DELETE', '/v2/workflows/framed');
    await button('Delete').click();
    await dialog.getByText('No workflow uses it.').first().waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The layout is deleted.').first().waitFor();
    await page.getByRole('link', { name: 'Copy of Brand frame' }).waitFor();
    await page.getByRole('link', { name: 'Brand frame', exact: true }).waitFor({ state: 'detached' });
    // The refused deletion is the only error that the browser may report.
    expect(dashboard.problems.filter((problem) => !/40[09]|422/.test(problem))).toEqual([]);
  });
});
