import { type FakeAnswer, type FakeProvider, startFakeProvider, until } from '@clarion/testing';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

describe('the pages of webhooks', () => {
  let dashboard: Dashboard;
  let receiver: FakeProvider;
  let page: Page;
  let answer: FakeAnswer = { status: 200, text: 'thanks' };

  beforeAll(async () => {
    receiver = await startFakeProvider();
    receiver.always('/hook', () => answer);
    dashboard = await startDashboard({ CLARION_EGRESS_ALLOW: '127.0.0.1' });
    ({ page } = dashboard);
    await dashboard.api('POST', '/v2/workflows', {
      name: 'Greeting',
      workflowId: 'greeting',
      steps: [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }],
    });
  });
  afterAll(async () => {
    await dashboard.close();
    await receiver.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const deliveries = () => page.getByRole('region', { name: 'List of deliveries' });

  it('creates an endpoint, shows its secret once, and shows how the endpoint answers a test', async () => {
    await page.goto('/webhooks');
    await page.getByText('No endpoints yet').first().waitFor();
    await button('New endpoint').click();
    await dialog().getByLabel('URL').fill('http://10.0.0.1/hook');
    await button('Create endpoint').click();
    await page.getByRole('alert').waitFor();
    await dialog().getByLabel('URL').fill(`${receiver.url}/hook`);
    await dialog().getByLabel('message.sent').click();
    await dialog().getByLabel('message.read').click();
    await dialog().getByRole('combobox', { name: 'Workflows', exact: true }).fill('greet');
    await dialog().getByRole('option', { name: 'Greeting', exact: true }).click();
    await dialog().getByRole('button', { name: 'Remove greeting', exact: true }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await button('Create endpoint').click();
    const secret = (await page.getByRole('region', { name: 'Signing secret' }).textContent())!;
    await button('Done').click();
    await page.getByRole('cell', { name: 'message.sent, message.read' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('link', { name: `${receiver.url}/hook` }).click();
    await button('Send test').click();
    await deliveries().getByText('Delivered').first().waitFor();
    await deliveries().getByText('thanks').first().waitFor();
    const { body, headers } = receiver.calls[0]!;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook_endpoint.test',
    });

    await button('Rotate secret').click();
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    await soon(async () =>
      expect(await page.getByRole('region', { name: 'Signing secret' }).textContent()).not.toBe(secret),
    );
    await button('Done').click();
    await page.getByText('signs beside the new one until').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('shows entries of the event log, links deliveries to them, and replays them by time', async () => {
    await dashboard.api('POST', '/v1/events/trigger', { name: 'greeting', to: 'ada' });
    await deliveries()
      .getByRole('link', { name: /^message\.sent/ })
      .waitFor();
    const before = receiver.calls.length;
    await button('Replay').click();
    await dialog().getByRole('button', { name: 'Replay' }).click();
    await dialog().getByText('of the event log are sent again').first().waitFor();
    await button('Done').click();
    await until(() => receiver.calls.length > before);

    await deliveries()
      .getByRole('link', { name: /^message\.sent/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Event log', selected: true }).waitFor();
    await page.getByRole('cell', { name: 'message.sent' }).waitFor();
    await page.getByRole('link', { name: 'ada' }).first().waitFor();
    await page.getByLabel('Type').selectOption('preference.updated');
    await page.getByText('No entry on this page').first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('type')).toBe('preference.updated'));
    await page.goto('/webhooks?tab=event-log');
    await page.getByRole('cell', { name: 'message.delivered' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('says why an endpoint was switched off, and switches it on again with what it missed', async () => {
    answer = { status: 410, text: 'moved away' };
    await page.goto('/webhooks');
    await page.getByRole('link', { name: `${receiver.url}/hook` }).click();
    await button('Send test').click();
    await page.getByText('Clarion switched this endpoint off').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await dashboard.api('POST', '/v1/events/trigger', { name: 'greeting', to: 'bob' });
    answer = { status: 200, text: 'back' };
    const before = receiver.calls.length;
    await button('Switch on').click();
    await dialog().getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('The endpoint is on.').first().waitFor();
    await until(() => receiver.calls.slice(before).some(({ body }) => body.includes('bob')));

    await button('Delete').click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').first().waitFor();
    expect(await dashboard.api('GET', '/v1/webhook-endpoints')).toEqual({ data: [] });
    await page.goto('/webhooks/01980000-0000-7000-8000-000000000000');
    await page.getByText('This endpoint does not exist').first().waitFor();
    expect(dashboard.problems.filter((problem) => !/status of (404|422|400)/.test(problem))).toEqual([]);
  });
});
