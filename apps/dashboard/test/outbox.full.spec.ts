import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

describe('the outbox', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
    const body = '<h1>Thanks</h1><script>document.title = "run"</script><img src="https://x.test/a.png">';
    await dashboard.api('POST', '/v2/workflows', {
      name: 'Order',
      workflowId: 'order',
      steps: [
        { name: 'Mail', type: 'email', controlValues: { subject: 'Order {{payload.n}}', body } },
        { name: 'Text', type: 'sms', controlValues: { body: 'Order {{payload.n}} is on its way' } },
      ],
    });
  });
  afterAll(() => dashboard.close());

  const trigger = (n: number) =>
    dashboard.api('POST', '/v1/events/trigger', {
      name: 'order',
      to: { subscriberId: 'ada', email: 'ada@x.test', phone: '+15550100' },
      payload: { n },
    });

  it('shows new messages by itself and is operated by keyboard alone', async () => {
    const { page } = dashboard;
    await page.goto('/outbox');
    await page.getByText('The outbox is empty').first().waitFor();
    await trigger(1);
    await page.getByText('2 messages').first().waitFor();
    const list = page.getByRole('list', { name: 'Messages' });

    await page.keyboard.press('j');
    await page.waitForURL('**/outbox?message=*');
    const first = new URL(page.url()).searchParams.get('message');
    await page.keyboard.press('j');
    await page.waitForFunction((id) => !location.search.includes(id!), first);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.searchParams.get('message') === null);

    await list.getByRole('button', { name: /Order 1 is on its way/ }).press('Enter');
    await page.getByRole('tabpanel').getByText('Order 1 is on its way').first().waitFor();
    await list.getByRole('button', { name: /ada@x.test/ }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Thanks' }).waitFor();
    await page.getByRole('button', { name: 'Load remote images' }).waitFor();
    await soon(async () => expect(await page.title()).toBe('Outbox · Clarion'));
    await page.getByRole('button', { name: 'Phone' }).click();
    await page.waitForURL('**width=phone*');
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByRole('region', { name: 'Source' }).waitFor();
    await page.getByRole('link', { name: 'Show the notification' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
  });

  it('shows the list or the message on a phone, searches, and is emptied after a question', async () => {
    const { page, openPage } = dashboard;
    const phone = await openPage({ viewport: { width: 320, height: 640 } });
    await phone.goto('/outbox');
    const list = phone.getByRole('list', { name: 'Messages' });
    await list.getByRole('button').first().click();
    await phone.getByRole('button', { name: 'Back to the list' }).waitFor();
    await list.waitFor({ state: 'hidden' });
    await phone.context().close();

    await page.goto('/outbox?search=on%20its%20WAY');
    await page.getByText('1 message', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Empty' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Empty' }).click();
    await page.getByText('No message matches').first().waitFor();
    // The frame refuses the remote picture, and the browser says so.
    expect(dashboard.problems.filter((problem) => !problem.startsWith('Loading the image'))).toEqual([]);
  });
});
