import { until } from '@clarion/testing';
import { accessibilityFaultsEverywhere, type Dashboard, soon, startDashboard } from './harness';

const READ_KEY_NAME = 'read only';

describe('the pages of subscribers', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
    const { api } = dashboard;
    await api('POST', '/v2/subscribers', {
      subscriberId: 'ada/1',
      firstName: 'Ada',
      lastName: '<img src=x onerror=alert(1)>',
      email: 'ada@x.test',
      phone: '+15550100',
      timezone: 'UTC',
      data: { plan: 'pro' },
    });
    await api('POST', '/v2/subscribers', { subscriberId: 'bob', email: 'bob@x.test' });
    await api('POST', '/v2/workflows', {
      name: 'Order confirmed',
      workflowId: 'order-confirmed',
      steps: [{ name: 'Mail', stepId: 'mail', type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } }],
    });
  });
  afterAll(() => dashboard.close());

  it('finds a subscriber by any part, keeps the search in the address and creates a subscriber', async () => {
    const { page } = dashboard;
    await page.goto('/subscribers');
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('ADA@');
    await page.waitForURL('**/subscribers?search=ADA*');
    await page.getByText('1 subscriber', { exact: true }).waitFor();
    // A name with markup is text.
    await page.getByRole('link', { name: 'Ada <img src=x onerror=alert(1)>' }).waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);

    await page.getByRole('button', { name: 'New subscriber' }).click();
    await page.getByRole('textbox', { name: 'subscriberId' }).fill('carl');
    await page.getByRole('textbox', { name: 'Email' }).fill('not an address');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('carl@x.test');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'carl' }).waitFor();
    await soon(() => expect(new URL(page.url()).pathname).toBe('/subscribers/carl'));
  });

  it('answers why a person did not get a message, with each rule in order', async () => {
    const { page, api } = dashboard;
    await page.goto('/subscribers/ada%2F1');
    await page.getByRole('button', { name: 'Why not?' }).click();
    await page.getByRole('combobox', { name: 'Workflow', exact: true }).fill('order-confirmed');
    await page.getByText('The message would be sent.').first().waitFor();
    const rules = page.getByRole('region', { name: 'Step mail' }).getByRole('listitem');
    await rules.first().waitFor();
    await soon(async () =>
      expect((await rules.allInnerTexts()).filter((text) => !text.startsWith('Passed'))).toEqual([]),
    );
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);

    await api('POST', '/v1/suppressions', { channel: 'email', address: 'ada@x.test' });
    await page.reload();
    await page.getByText('No message would be sent.').first().waitFor();
    const last = rules.last();
    await soon(async () => expect(await last.innerText()).toMatch(/^Stopped[^]*Suppression[^]*ada@x\.test/));
    // A step stops at its first rule; the blockers name all of them, and what to do.
    const setEmail = (email: boolean) =>
      api('PATCH', '/v2/subscribers/ada%2F1/preferences', { workflowId: 'order-confirmed', channels: { email } });
    await setEmail(false);
    await page.reload();
    const blockers = page.getByRole('list', { name: 'What stops it', exact: true }).getByRole('listitem');
    await blockers.nth(1).waitFor();
    await soon(async () =>
      expect(await blockers.allInnerTexts()).toEqual([
        expect.stringMatching(/^Preferences of mail\n[^]*The subscriber has to switch the channel on\./),
        expect.stringMatching(/^Suppression of mail\n[^]*Lift the suppression/),
      ]),
    );
    await setEmail(true);

    await page.getByLabel('Time', { exact: true }).fill('2024-01-01T12:00');
    await page.getByText('No event of this workflow was accepted').first().waitFor();
    await soon(() => expect(new URL(page.url()).searchParams.get('at')).toBe('2024-01-01T11:00:00.000Z'));
    await page.getByText('Suppressed', { exact: true }).waitFor();
    await api('DELETE', '/v1/suppressions/email/ada%40x.test');
  });

  it('edits preferences and topics, shows the timeline, and says what a deletion affects', async () => {
    const { page, api } = dashboard;
    await api('POST', '/v1/events/trigger', { name: 'order-confirmed', to: 'bob' });
    // The timeline is read once.
    await until(async () => (await api<{ data: [] }>('GET', '/v1/activity?subscriber=bob')).data.length > 0);
    await page.goto('/subscribers/bob');
    const group = page.getByRole('group', { name: 'Order confirmed' });
    await group.getByLabel('Email').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Turn (on|off)$/ })
      .click();
    await page.getByText('The preference is saved.').first().waitFor();
    expect(await api('GET', '/v2/subscribers/bob/preferences')).toMatchObject({
      workflows: [{ channels: { email: false } }],
    });
    const audited = await api<{ data: object[] }>('GET', '/v1/audit-log?resourceId=bob');
    expect(audited.data).toMatchObject([
      {
        action: 'subscriber.updated',
        actor: { type: 'key' },
        before: { preferences: [{ workflowId: 'order-confirmed', channels: { email: true } }] },
        after: { preferences: [{ workflowId: 'order-confirmed', channels: { email: false } }] },
      },
    ]);
    await page.getByLabel('Topic key').fill('news');
    await page.getByRole('button', { name: 'Add to topic' }).click();
    await page.getByRole('link', { name: 'news' }).waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('cell', { name: 'Order confirmed' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 topic subscription').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/subscribers');
    expect(await api('GET', '/v2/subscribers?subscriberId=bob')).toMatchObject({ data: [] });
  });

  it('shows chat endpoints, exports what is stored, and erases after the id is typed', async () => {
    const { page, api } = dashboard;
    await api('POST', '/v2/subscribers', { subscriberId: 'dora', email: 'dora@x.test' });
    await api('POST', '/v1/integrations', {
      ...{ providerId: 'slack', channel: 'chat', identifier: 'slack', active: false },
      credentials: { clientId: '1.2', secretKey: 's' },
    });
    await api('POST', '/v1/channel-connections', {
      ...{ identifier: 'acme', integrationIdentifier: 'slack', subscriberId: 'dora' },
      ...{ workspace: { id: 'T1', name: 'Acme' }, auth: { accessToken: 'xoxb-not-shown' } },
    });
    await api('POST', '/v1/channel-endpoints', {
      ...{ identifier: 'general', integrationIdentifier: 'slack', connectionIdentifier: 'acme', subscriberId: 'dora' },
      ...{ type: 'slack_channel', endpoint: { channelId: 'C0123456789' } },
    });
    await page.goto('/subscribers/dora');
    await page.getByText('channelId C0123456789, through slack, with acme').first().waitFor();
    const chat = page.getByRole('region', { name: 'Chat endpoints', exact: true });
    await soon(async () => expect(await chat.innerText()).toContain('Acme Slack acme'));
    expect(await page.content()).not.toContain('xoxb-not-shown');
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete endpoint general' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No chat endpoint').first().waitFor();

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export data' }).click();
    expect((await saved).suggestedFilename()).toBe('dora.json');
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByLabel('Type dora to confirm').fill('dora');
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('Keep this receipt.').first().waitFor();
    expect(await accessibilityFaultsEverywhere(page)).toEqual([]);
    const [receipt] = (
      await api<{ data: { resource: { id: string } }[] }>('GET', '/v1/audit-log?action=subscriber.erased')
    ).data;
    await page.getByText(receipt!.resource.id).first().waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL('**/subscribers');
    expect(await api('GET', '/v2/subscribers?subscriberId=dora')).toMatchObject({ data: [] });
  });

  it('shows a read key no controls that change something, but the question', async () => {
    const { api, openPage } = dashboard;
    const { _id } = await api<{ _id: string }>('GET', '/v1/environments/me');
    const body = { name: READ_KEY_NAME, scope: 'read' };
    const { key } = await api<{ key: string }>('POST', `/v1/environments/${_id}/api-keys`, body);
    const page = await openPage({ key });
    await page.goto('/subscribers/ada%2F1?why=order-confirmed');
    await page.getByText('The message would be sent.').first().waitFor();
    await soon(async () =>
      expect(await page.getByRole('button', { name: /Delete|Edit|Erase|Export|Add to topic/ }).count()).toBe(0),
    );
    await page.context().close();
  });

  it('says when a subscriber does not exist, and leaves no error in the console', async () => {
    const { page } = dashboard;
    await page.goto('/subscribers/missing');
    await page.getByText('There is no subscriber').first().waitFor();
    // The browser reports the expected error responses by itself.
    expect(dashboard.problems.filter((problem) => !/status of (404|422|409)/.test(problem))).toEqual([]);
  });
});
