import type { Page } from 'playwright-core';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard, tabTo as tabToTarget } from './harness';

describe('the workflows page', () => {
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    dashboard = await startDashboard();
    page = dashboard.page;
    const body = { type: 'doc', content: [{ type: 'heading', attrs: { level: 1 } }] };
    const steps = [{ name: 'Email', type: 'email', controlValues: { subject: 'Order', body: JSON.stringify(body) } }];
    await dashboard.api('POST', '/v2/workflows', { name: 'Order shipped', workflowId: 'order-shipped', steps });
  });
  afterAll(() => dashboard.close());

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const stepLink = (place: number) => page.getByRole('navigation', { name: 'Steps' }).getByRole('link').nth(place);
  const press = (keys: string) => page.keyboard.press(keys);
  /** Without blocks the field for their JSON becomes one for HTML. */
  const writeHtml = async (html: string) => {
    await field('Body').fill('');
    await page.getByText('HTML with templates such as').waitFor();
    await field('Body').fill(html);
  };
  const tabTo = (role: 'button' | 'textbox', name: string, key?: string) =>
    tabToTarget(page.getByRole(role, { name, exact: true }), key);

  it('shows the blocks as code and HTML as a block, and keeps both', async () => {
    await page.goto('/workflows/order-shipped');
    await button('Code').click();
    await field('Body').filter({ hasText: '"type": "heading"' }).waitFor();
    await field('Body').fill('');
    await button('Code').click();
    await field('Body').fill('Plain {{ payload.name }}');
    await button('Code').click();
    await writeHtml('<p>Dear {{ payload.name | upcase }}</p>');
    await button('Code').click();
    await page.getByText('HTML', { exact: true }).first().waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.frameLocator('iframe').getByText('Dear NAME').first().waitFor();
  });

  it('writes variables as pills in subjects and in-app messages by keyboard, and keeps tags', async () => {
    const body = '{% if payload.vip %}Dear {{payload.name}}{% endif %}\nYour order';
    const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body } }];
    await dashboard.api('POST', '/v2/workflows', { name: 'Pills', workflowId: 'pills', steps });
    await page.goto('/workflows/pills');
    await field('Body').getByTitle('{{payload.name}}', { exact: true }).filter({ hasText: 'Name' }).waitFor();
    await tabTo('textbox', 'Subject');
    await page.keyboard.type('For {{ subscriber.firstN');
    await page.getByRole('option', { name: 'subscriber.firstName', exact: true }).waitFor();
    await press('Enter');
    await page.keyboard.type(', order {{ payload.order }} of {{ payload.total | upcase }}');
    await field('Subject').getByText('Order', { exact: true }).waitFor();
    // One line has no second one.
    await press('Enter');
    await tabTo('textbox', 'Body');
    await press('Control+End');
    // The workflow has no schema: the name is known from the subject.
    await page.keyboard.type(' {{ payload.or');
    await page.getByRole('option', { name: 'payload.order', exact: true }).waitFor();
    await press('Enter');
    await press('Enter');
    await page.keyboard.type('Bye');
    await press('Control+s');
    await page.getByText('Saved.').first().waitFor();
    expect(await dashboard.api('GET', '/v2/workflows/pills')).toMatchObject({
      steps: [
        {
          controlValues: {
            subject: 'For {{ subscriber.firstName }}, order {{ payload.order }} of {{ payload.total | upcase }}',
            body: `${body} {{ payload.order }}\nBye`,
          },
        },
      ],
    });
  });

  it('reorders steps by keyboard, shows issues in place, and restores a version', async () => {
    await page.goto('/workflows/order-shipped');
    await button('Add step').last().click();
    await page.getByRole('menuitem', { name: 'Delay' }).click();
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('2');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('hours');
    await button('Move up').press('Enter');
    await stepLink(1).filter({ hasText: 'Email' }).waitFor();
    await soon(async () => expect(await stepLink(0).innerText()).toContain('Delay'));
    await page.getByRole('link', { name: /Email/ }).click();
    await field('Body').fill('{{ subscriber.fristName }}');
    await button('Save').click();
    await page
      .getByText(/did you mean "subscriber.firstName"/)
      .first()
      .waitFor();

    await button('Versions').click();
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await dialog.getByText('Added the delay step "Delay".').first().waitFor();
    await soon(async () =>
      expect(await dialog.getByText(/^Version \d$/).allInnerTexts()).toEqual(['Version 2', 'Version 1']),
    );
    await dialog.getByRole('button', { name: 'Compare version 1' }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 1 is restored.').first().waitFor();
    await stepLink(0).filter({ hasText: 'Email' }).waitFor();
    await soon(async () => expect(await stepLink(1).count()).toBe(0));
  });

  it('says a digest in one sentence and shows what the next step gets', async () => {
    await dashboard.api('POST', '/v2/workflows', { name: 'Daily', workflowId: 'daily', steps: [] });
    await page.goto('/workflows/daily');
    await button('Add step').last().click();
    await page.getByRole('menuitem', { name: 'Digest' }).click();
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('hours');
    await stepLink(0)
      .filter({ hasText: 'Wait for 1 hour, then send one message with everything that arrived.' })
      .waitFor();
    await page.getByText('Sample values', { exact: true }).click();
    await field('Sample').fill('{"payload": {"order": "A-20431"}}');
    const collected = page.getByRole('region', { name: 'What the next step gets', exact: true });
    await collected.getByText('Order: A-20431').nth(1).waitFor();
    await collected.getByText('digest · Event count', { exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Type' }).selectOption('timed');
    await stepLink(0).filter({ hasText: 'Wait until it is the next time of the schedule' }).waitFor();
    await button('Undo').click();
    await button('Save').click();
    await page.getByText('Saved.').first().waitFor();
  });

  it('offers the earlier steps that send a message to a delay until a message is read', async () => {
    await page.goto('/workflows/order-shipped');
    await button('Add step').last().click();
    await page.getByRole('menuitem', { name: 'Delay' }).click();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('until_read');
    const step = page.getByRole('combobox', { name: 'Step', exact: true });
    await soon(async () =>
      expect(await step.getByRole('option').allInnerTexts()).toEqual(['Not set', 'Email (email)']),
    );
    await step.selectOption('email');
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('30');
    await page.getByRole('combobox', { name: 'Unit' }).selectOption('minutes');
    await button('Save').click();
    await page.getByText('Saved.').first().waitFor();
    expect(await dashboard.api('GET', '/v2/workflows/order-shipped')).toMatchObject({
      steps: [{}, { controlValues: { type: 'until_read', step: 'email', amount: 30, unit: 'minutes' } }],
    });
  });

  it('adds a step between two, moves it by drag, and undoes both', async () => {
    await page.goto('/workflows/order-shipped');
    await button('Add step').nth(1).click();
    await page.getByRole('menuitem', { name: 'SMS', exact: true }).click();
    await stepLink(1).filter({ hasText: 'SMS' }).waitFor();
    await stepLink(1).dragTo(stepLink(0), { targetPosition: { x: 20, y: 2 } });
    await stepLink(0).filter({ hasText: 'SMS' }).waitFor();
    await button('Undo').click();
    await stepLink(1).filter({ hasText: 'SMS' }).waitFor();
    await button('Undo').click();
    await stepLink(1).filter({ hasText: 'Wait until' }).waitFor();
    await button('Undo').and(page.locator(':disabled')).waitFor();
    await button('Redo').click();
    await stepLink(1).filter({ hasText: 'SMS' }).waitFor();
    await button('Undo').click();
    await button('Undo').and(page.locator(':disabled')).waitFor();
  });

  it('keeps what is typed while a save is under way', async () => {
    await page.goto('/workflows/order-shipped');
    let answer = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/v2/workflows/order-shipped', async (route) => {
      if (route.request().method() === 'PUT') await isTyped;
      await route.continue();
    });
    await field('Step name').fill('First');
    await button('Save').click();
    await field('Step name').fill('Second');
    answer();
    await page.getByText('Saved.').first().waitFor();
    await soon(async () => expect(await field('Step name').inputValue()).toBe('Second'));
    await page.unroute('**/v2/workflows/order-shipped');
    await button('Save').click();
    // A page that opens before it is saved is one revision behind.
    await button('Undo').and(page.locator(':disabled')).waitFor();
    await stepLink(0).filter({ hasText: 'Second' }).waitFor();
  });

  it('says conditions in words and edits the variants of a step', async () => {
    await page.goto('/workflows/order-shipped');
    await button('Add condition').click();
    await page.getByText('Sample values', { exact: true }).click();
    await field('Sample').fill('{"payload": {"total": 64.9}}');
    await page.getByRole('combobox', { name: 'Path', exact: true }).fill('tot');
    await page.getByRole('option', { name: 'Total (payload.total)', exact: true }).click();
    await button('Use the example values').click();
    await page.getByRole('combobox', { name: 'Operator', exact: true }).selectOption('is more than');
    await field('Value').fill('20');
    await stepLink(0).filter({ hasText: 'If total is more than 20' }).waitFor();
    await button('Add variant').click();
    const variant = page.getByRole('group', { name: 'Variant 1', exact: true });
    await variant.getByRole('button', { name: 'Add condition', exact: true }).click();
    await variant.getByRole('combobox', { name: 'Path', exact: true }).fill('subscriber.locale');
    await variant.getByRole('textbox', { name: 'Value', exact: true }).fill('de');
    await button('Save').click();
    await button('Undo').and(page.locator(':disabled')).waitFor();
    expect(await dashboard.api('GET', '/v2/workflows/order-shipped')).toMatchObject({
      steps: [
        {
          filters: [{ children: [{ on: 'payload', field: 'total', operator: 'LARGER', value: '20' }] }],
          variants: [
            {
              name: 'Variant 1',
              filters: [{ children: [{ on: 'subscriber', field: 'locale', operator: 'EQUAL', value: 'de' }] }],
            },
          ],
        },
        {},
      ],
    });
    await dashboard.api('POST', '/v2/subscribers', { subscriberId: 'linus' });
    await page.getByRole('combobox', { name: 'Sample subscriber', exact: true }).fill('linus');
    await page.getByText('The step does not run for this sample.').first().waitFor();
    await page.getByText('false, no value').first().waitFor();
    await page.getByText('Sample values', { exact: true }).click();
    await field('Sample').fill('{"payload": {"total": 64.9}}');
    await page.getByText('true, 64.9').first().waitFor();
    // What is typed counts, although it is not saved.
    await field('Value').first().fill('70');
    await page.getByText('false, 64.9').first().waitFor();
    await button('Use the example values').click();
    await button('Undo').click();
  });

  it('previews as a real person in a locale, and the test run uses the sample', async () => {
    await dashboard.api('POST', '/v2/subscribers', {
      subscriberId: 'grace',
      firstName: 'Grace',
      email: 'grace@x.test',
    });
    await dashboard.api('POST', '/v2/translations', {
      ...{ resourceType: 'workflow', resourceId: 'order-shipped', locale: 'de', content: { hello: 'Hallo' } },
    });
    await page.goto('/workflows/order-shipped');
    await button('Code').click();
    await writeHtml('<p>{{ t.hello }} {{ subscriber.firstName }}, {{ payload.order }}</p>');
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await preview.getByRole('combobox', { name: 'Sample subscriber', exact: true }).fill('grace');
    await preview.getByRole('combobox', { name: 'Locale', exact: true }).fill('de');
    await preview.frameLocator('iframe').getByText('Hallo Grace, order').first().waitFor();
    await preview.getByText('Sample values', { exact: true }).click();
    // The gateway is busy once.
    await page.route('**/preview', (route) => route.fulfill({ status: 429, json: { message: 'busy' } }), { times: 1 });
    await field('Sample').fill('{"payload": {"order": "77", "total": 30}}');
    await preview.frameLocator('iframe').getByText('Hallo Grace, 77').first().waitFor();
    await button('Save').click();
    await page.getByText('Saved.').first().waitFor();
    await page.goto('/workflows/order-shipped');
    await preview.frameLocator('iframe').getByText('Hallo Grace, 77').first().waitFor();
    await button('Test run').click();
    const subscriber = page.getByRole('combobox', { name: 'Subscriber', exact: true });
    await soon(async () => expect(await subscriber.inputValue()).toMatch(/^(Grace \()?grace\)?$/));
    await field('Payload').filter({ hasText: '"77"' }).waitFor();
    await button('Dry run').click();
    await page.getByText('Would be sent').first().waitFor();
    await button('Send').click();
    await page.getByText('The trigger is accepted.').first().waitFor();
    await soon(async () => expect(await dashboard.api('GET', '/v2/subscribers/grace')).toMatchObject({ locale: 'de' }));
    await press('Escape');
  });

  it('says so when there is no such workflow', async () => {
    await page.goto('/workflows/order-shiped');
    await page.getByRole('heading', { name: 'This workflow does not exist' }).waitFor();
    await soon(async () => expect(await button('Save').count()).toBe(0));
  });

  it('keeps what was typed when another person saved meanwhile, and asks before leaving', async () => {
    await page.goto('/workflows/order-shipped?part=settings');
    await field('Description').fill('Mine');
    await dashboard.api('PATCH', '/v2/workflows/order-shipped', { description: 'Theirs' });
    await button('Save').click();
    await page
      .getByText(/Another person saved this workflow/)
      .first()
      .waitFor();
    await soon(async () => expect(await field('Description').inputValue()).toBe('Mine'));
    await page.getByRole('link', { name: 'Layouts' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Keep' }).click();
    await button('Save mine').click();
    await page.getByText('Saved.').first().waitFor();
    const { description } = await dashboard.api<{ description: string }>('GET', '/v2/workflows/order-shipped');
    expect(description).toBe('Mine');
  });

  it('lists workflows with their figures and has no accessibility fault in either theme', async () => {
    await page.goto('/workflows');
    await page.getByRole('link', { name: 'Order shipped' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('link', { name: 'Order shipped' }).click();
    await page.getByRole('region', { name: 'Preview' }).locator('iframe').waitFor();
    await field('Body').waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('shows a read key the workflow without controls that change it', async () => {
    const { _id } = await dashboard.api<{ _id: string }>('GET', '/v1/environments/me');
    const keys = `/v1/environments/${_id}/api-keys`;
    const { key } = await dashboard.api<{ key: string }>('POST', keys, { scope: 'read' });
    const reader = await dashboard.openPage({ key });
    await reader.goto('/workflows/order-shipped');
    await reader
      .getByText(/Your key may read only/)
      .first()
      .waitFor();
    for (const name of ['Save', 'Add step', 'Test run', 'Move up', 'Delete']) {
      await soon(async () => expect(await reader.getByRole('button', { name, exact: true }).count()).toBe(0));
    }
    // The gateway refuses a template that is typed halfway, a wrong name, an older revision and, once, a preview.
    expect(dashboard.problems.filter((problem) => !/status of 4(?:04|09|22|29)/.test(problem))).toEqual([]);
  });
});
