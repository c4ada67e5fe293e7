import { until } from '@clarion/testing';
import type { Page } from 'playwright-core';
import { type Dashboard, startDashboard, soon, tabTo as tabToTarget } from './harness';

describe('the workflow editor', () => {
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    dashboard = await startDashboard();
    page = dashboard.page;
  });
  afterAll(() => dashboard.close());

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const press = (keys: string) => page.keyboard.press(keys);
  const focused = (name: string) => field(name).and(page.locator(':focus')).waitFor();
  const outbox = async () =>
    (await dashboard.api<{ data: { subject: string; html: string }[] }>('GET', '/v1/outbox')).data;

  const tabTo = (role: 'button' | 'textbox', name: string, key?: string) =>
    tabToTarget(page.getByRole(role, { name, exact: true }), key);

  it('leads an author from a new workflow to a delivered message by keyboard', async () => {
    await page.goto('/workflows');
    await page.getByRole('heading', { name: 'There are no workflows yet' }).waitFor();
    await tabTo('button', 'New workflow');
    await press('Enter');
    await focused('Name');
    await page.keyboard.type('Order shipped');
    await soon(async () => expect(await field('Workflow id').inputValue()).toBe('order-shipped'));
    await press('Enter');
    await page.waitForURL('**/workflows/order-shipped');

    await tabTo('button', 'Add step');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Email' }).waitFor();
    await page.keyboard.type('Em');
    await press('Enter');
    await page.waitForURL('**step=email**');
    await tabTo('textbox', 'Subject');
    await page.keyboard.type('Order {{ payload.order }}');
    await press('Escape');
    await tabTo('textbox', 'Body');
    await page.keyboard.type('# Hello {{ payload.name }}');
    await press('Enter');
    await page.keyboard.type('For {{ subscriber.firstN');
    await page.getByRole('option', { name: 'subscriber.firstName', exact: true }).waitFor();
    await press('Enter');
    await page.keyboard.type(': {{ payload.name | upcase }}');
    await press('Enter');
    await page.keyboard.type('/but');
    await page.getByRole('option', { name: 'Button', exact: true }).waitFor();
    await press('Enter');
    await tabTo('textbox', 'Button text');
    await press('Control+a');
    await page.keyboard.type('Track it');
    await tabTo('textbox', 'Button address');
    await page.keyboard.type('https://x.test/{{ payload.order }}');
    await tabTo('textbox', 'Body', 'Shift+Tab');
    // The button goes before the paragraph.
    await press('Alt+ArrowUp');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Order order').first().waitFor();
    await preview.frameLocator('iframe').getByText('For firstName: NAME').first().waitFor();

    await press('Control+s');
    await page.getByText('Saved.').first().waitFor();
    const saved = await dashboard.api<{ steps: { controlValues: object }[] }>('GET', '/v2/workflows/order-shipped');
    expect(saved.steps[0]!.controlValues).toEqual({
      subject: 'Order {{ payload.order }}',
      body: expect.any(String) as string,
    });
    expect(JSON.parse((saved.steps[0]!.controlValues as { body: string }).body)).toEqual({
      type: 'doc',
      content: [
        {
          type: 'heading',
          attrs: { level: 1 },
          content: [
            { type: 'text', text: 'Hello ' },
            { type: 'variable', attrs: { id: 'payload.name' } },
          ],
        },
        { type: 'button', attrs: { text: 'Track it', url: 'https://x.test/{{ payload.order }}', alignment: 'left' } },
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'For ' },
            { type: 'variable', attrs: { id: 'subscriber.firstName' } },
            { type: 'text', text: ': {{ payload.name | upcase }}' },
          ],
        },
        { type: 'paragraph' },
      ],
    });

    await tabTo('button', 'Test run', 'Shift+Tab');
    await press('Enter');
    await page.getByRole('combobox', { name: 'Subscriber', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('ada');
    await press('Tab');
    await page.keyboard.type('ada@x.test');
    await tabTo('textbox', 'Payload');
    await press('Control+a');
    await page.keyboard.type('{"order": "42", "name": "Ada"}');
    await tabTo('button', 'Dry run');
    await press('Enter');
    await page.getByText('Would be sent').first().waitFor();
    expect(await outbox()).toEqual([]);
    await tabTo('button', 'Send');
    await press('Enter');
    await page.getByText('The trigger is accepted.').first().waitFor();
    await until(async () => (await outbox()).length > 0);
    const mails = await outbox();
    expect(mails).toEqual([
      expect.objectContaining({ subject: 'Order 42', html: expect.stringContaining('Hello Ada') as string }),
    ]);
    expect(mails[0]!.html).toContain('href="https://x.test/42"');
    await press('Escape');
  });
});
