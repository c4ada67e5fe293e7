import { type FakeProvider, startFakeProvider, until } from '@clarion/testing';
import type { Locator, Page } from 'playwright-core';
import { type Dashboard, soon, startDashboard, tabTo } from './harness';

const FULL = { status: 400, json: { errors: [{ message: 'The mailbox is full' }] } };
const FAILED = 4;

/** The way of an on-call engineer at night: alert, find, understand, replay, verify, with the keyboard alone. */
describe('a night with failed messages, by keyboard', () => {
  let provider: FakeProvider;
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    provider = await startFakeProvider();
    dashboard = await startDashboard({
      CLARION_EGRESS_ALLOW: '127.0.0.1',
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: provider.url }),
    });
    ({ page } = dashboard);
    const { api } = dashboard;
    await api('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials: { apiKey: 'SG.key', from: 'hello@x.test', senderName: 'Clarion' },
    });
    await api('POST', '/v2/workflows', {
      name: 'Orders',
      workflowId: 'orders',
      steps: [{ name: 'Mail', type: 'email', controlValues: { subject: 'Order {{payload.id}}', body: 'Thanks' } }],
    });
    provider.always('/v3/mail/send', FULL);
    const events = Array.from({ length: FAILED }, (_, id) => ({
      name: 'orders',
      to: { subscriberId: `s-${id}`, email: `s${id}@x.test` },
      payload: { id },
    }));
    await api('POST', '/v1/events/trigger/bulk', { events });
    await ended((totals) => totals.failed === FAILED);
    provider.reset();
  });
  afterAll(async () => {
    await dashboard.close();
    await provider.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  const focused = (target: Locator) => target.and(page.locator(':focus')).waitFor();

  let presses = 0;

  /** Presses what is reached with Tab, or what has the focus. */
  async function press(target?: Locator, key = 'Enter'): Promise<void> {
    if (target) await tabTo(target);
    presses += 1;
    await page.keyboard.press(key);
  }

  async function go(name: string): Promise<void> {
    await press(page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name, exact: true }));
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  function endOf(way: string): void {
    process.stdout.write(`From a page to the end of ${way}: ${presses} presses.\n`);
    expect(presses).toBeLessThanOrEqual(6);
    presses = 0;
  }

  type Totals = { failed: number; delivered: number };

  async function ended(hold: (totals: Totals) => boolean): Promise<void> {
    await until(async () => hold((await dashboard.api<{ totals: Totals }>('GET', '/v1/overview')).totals));
  }

  it('finds the failures, understands and replays them, and sees that they arrived', async () => {
    await page.goto('/overview');
    await page.getByRole('link', { name: /mailbox is full/i }).waitFor();
    await tabTo(page.getByRole('link', { name: /mailbox is full/i }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/activity?**reason=**');
    await page.getByText(`${FAILED} notifications, the oldest is shown.`).first().waitFor();

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Orders to/ }).waitFor();
    await page.getByText('The mailbox is full').first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/activity?**reason=**');

    await page.getByText(`${FAILED} notifications, the oldest is shown.`).first().waitFor();
    await tabTo(page.getByRole('checkbox', { name: 'Select all' }));
    await page.keyboard.press('Space');
    await page.getByText(`${FAILED} notifications selected`).first().waitFor();
    await tabTo(button('Replay'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Replay notifications' });
    await dialog.getByRole('button', { name: `Replay ${FAILED}` }).waitFor();
    await tabTo(button(`Replay ${FAILED}`));
    await page.keyboard.press('Enter');
    await dialog.getByText(`Finished. ${FAILED} replayed.`).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await ended((totals) => totals.delivered === FAILED);
    await page.keyboard.press('/');
    await page.keyboard.type('s1@x.test');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Activity' }).waitFor();
    await page.goto('/overview');
    await page.getByText(`${FAILED} accepted = ${FAILED} delivered + 0 failed`).first().waitFor();
    expect(provider.calls.filter(({ path }) => path.startsWith('/v3/mail/send'))).toHaveLength(FAILED);
    expect(dashboard.problems).toEqual([]);
  });

  it('switches the environment on every page, and says which one it shows', async () => {
    await dashboard.api('POST', '/v1/environments', { name: 'Live', kind: 'production' });
    await page.goto('/overview');
    const main = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await main.first().waitFor();
    const paths = await Promise.all((await main.all()).map((link) => link.getAttribute('href')));
    expect(paths.length).toBeGreaterThan(10);
    const chosen = page.getByRole('combobox', { name: 'Environment', exact: true });
    for (const path of [...paths, '/workflows/orders']) {
      await page.goto(path!);
      await chosen.selectOption({ label: 'Live (production)' });
      await page.waitForURL((url) => url.searchParams.has('environment'));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await soon(() => expect(new URL(page.url()).pathname).toBe(`/${path!.split('/')[1]}`));
      await soon(async () => expect(await chosen.locator('option:checked').innerText()).toBe('Live (production)'));
      await soon(async () => expect(await page.getByRole('link', { name: 'Orders', exact: true }).count()).toBe(0));
      await page.goBack();
      await page.waitForURL((url) => !url.searchParams.has('environment'));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await soon(async () =>
        expect(await chosen.locator('option:checked').innerText()).toBe('Development (development)'),
      );
    }
  });

  it('shows a hold on every page with who, why and how many wait, until it is released', async () => {
    for (const [path, name] of [
      ['/settings?tab=environments', 'Hold Development'],
      ['/integrations', 'Hold Email'],
      ['/integrations', 'Pause SendGrid'],
      ['/overview', 'Hold Email'],
      ['/workflows/orders', 'Hold'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name, exact: true }).click();
      const question = page.getByRole('dialog', { name: /^(Hold|Pause) .+ in Development\?$/ });
      await question.getByRole('textbox', { name: 'Reason', exact: true }).fill('Check the templates');
      if (name !== 'Hold') await question.getByRole('button', { name: 'Cancel', exact: true }).click();
      else await question.getByRole('button', { name: 'Hold', exact: true }).click();
      await question.waitFor({ state: 'detached' });
    }
    await dashboard.api('POST', '/v1/events/trigger', { name: 'orders', to: 's-1', payload: { id: 9 } });
    const hold = page.getByRole('region', { name: 'On hold', exact: true });
    for (const path of ['/workflows', '/activity']) {
      await page.goto(path);
      await hold.getByText('Workflow Orders is held.').waitFor();
      await hold.getByText('1 step waits.').waitFor();
      await soon(async () => expect(await hold.textContent()).toContain('“Check the templates”'));
    }
    await page.getByRole('button', { name: '1 hold, steps wait', exact: true }).click();
    await soon(async () => expect(await hold.evaluate((element) => element === document.activeElement)).toBe(true));
    await hold.getByRole('button', { name: 'Release', exact: true }).click();
    await hold.waitFor({ state: 'detached' });
    await ended((totals) => totals.delivered === FAILED + 1);
  });

  it('has on a phone five tabs, and theme, help and sign out under More', async () => {
    const phone = await dashboard.openPage({ viewport: { width: 390, height: 844 } });
    await phone.goto('/no/such/page');
    await phone.getByRole('heading', { level: 1, name: 'Page not found', exact: true }).waitFor();
    await phone.goto('/overview');
    const tabs = phone.getByRole('navigation', { name: 'Main', exact: true });
    await tabs.getByRole('link', { name: 'Activity', exact: true }).click();
    await phone.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await soon(async () => expect(await phone.getByRole('button', { name: 'Sign out' }).count()).toBe(0));
    await tabs.getByRole('button', { name: 'More', exact: true }).click();
    const more = phone.getByRole('dialog', { name: 'More', exact: true });
    await more.getByRole('combobox', { name: 'Theme', exact: true }).waitFor();
    await more.getByRole('link', { name: 'Execution details', exact: true }).waitFor();
    await more.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await more.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await phone.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await phone.context().close();
  });

  it('asks before it sends in production', async () => {
    const environments = await dashboard.api<{ _id: string; kind: string }[]>('GET', '/v1/environments');
    const { _id } = environments.find(({ kind }) => kind === 'production')!;
    await page.goto(`/workflows?environment=${_id}`);
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Code');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Add step' }).first().click();
    await page.getByRole('menuitem', { name: 'In-app' }).click();
    await page.getByRole('textbox', { name: 'Body' }).fill('Your code');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'Test run' }).click();
    await page.getByRole('combobox', { name: 'Subscriber', exact: true }).fill('ada');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Send in Live?' });
    await question.getByText('This happens in production, in the environment Live.').waitFor();
    await question.getByRole('button', { name: 'Keep' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await question.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The trigger is accepted.').first().waitFor();
  });

  it('corrects a wrong address, and the replay arrives there', async () => {
    provider.next('/v3/mail/send', { status: 400, json: { errors: [{ message: 'No such domain' }] } });
    const to = { subscriberId: 'typo', email: 'typo@x.tset' };
    await dashboard.api('POST', '/v1/events/trigger', { name: 'orders', to, payload: { id: 1 } });
    await until(async () => {
      const { data } = await dashboard.api<{ data: object[] }>('GET', '/v1/activity?subscriber=typo&status=failed');
      return data.length === 1;
    });
    await page.goto('/activity?subscriber=typo');
    await page.getByText('1 notification, the oldest is shown.').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('No such domain').first().waitFor();
    const notification = page.url();
    await tabTo(page.getByRole('link', { name: 'typo@x.tset' }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await tabTo(button('Edit'));
    await page.keyboard.press('Enter');
    await tabTo(field('Email'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('typo@x.test');
    await page.keyboard.press('Enter');
    await page.getByText('The subscriber is saved.').first().waitFor();
    await page.goBack();
    await page.waitForURL(notification);
    await page.getByRole('button', { name: 'Replay', exact: true }).waitFor();
    await tabTo(button('Replay'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Replay 1', exact: true }).waitFor();
    await tabTo(button('Replay 1'));
    await page.keyboard.press('Enter');
    await page.getByText('Finished. 1 replayed.').first().waitFor();
    await until(() => JSON.stringify(provider.calls.at(-1)).includes('typo@x.test'));
  });

  it('leads a product manager from a first email over its translation to a publish and its undo', async () => {
    await dashboard.api('POST', '/v1/environments', { name: 'Shop', kind: 'production' });
    await page.goto('/workflows');
    // With the keyboard alone; each way counts what is entered or pressed, and not what is typed.
    await press(button('New workflow'));
    await focused(field('Name'));
    await page.keyboard.type('Parcel sent');
    await press();
    await page.waitForURL('**/workflows/parcel-sent');
    await press(button('Add step'));
    await page.getByRole('menuitem', { name: 'Email', exact: true }).waitFor();
    await page.keyboard.type('Em');
    await press();
    await page.waitForURL('**step=email**');
    await tabTo(field('Subject'));
    await page.keyboard.type('{{ t.subject }}');
    await tabTo(field('Body'));
    await page.keyboard.type('# {{ t.hello }} {{ subscriber.firstName }}');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/but');
    await page.getByRole('option', { name: 'Button', exact: true }).waitFor();
    await press();
    await tabTo(field('Button text'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Track it');
    await press(undefined, 'Control+s');
    await page.getByText('Saved.').first().waitFor();
    endOf('a first email');

    await page.goto('/translations');
    for (const [key, text] of [
      ['subject', 'Your parcel is on its way'],
      ['hello', 'Hello'],
    ] as const) {
      await tabTo(button('New key'));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New key', exact: true });
      await focused(dialog.getByRole('combobox', { name: 'Workflow or layout', exact: true }));
      await page.keyboard.type('parcel');
      await dialog.getByRole('option', { name: 'Parcel sent', exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await tabTo(dialog.getByRole('textbox', { name: 'Key', exact: true }));
      await page.keyboard.type(key);
      await tabTo(dialog.getByRole('textbox', { name: 'Text in en_US', exact: true }));
      await page.keyboard.type(text);
      await tabTo(dialog.getByRole('button', { name: 'Add', exact: true }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
    await press(button('Add locale'));
    await focused(page.getByRole('combobox', { name: 'Locale', exact: true }));
    await page.keyboard.type('germany');
    const locales = page.getByRole('dialog', { name: 'Add locale', exact: true }).getByRole('option');
    await soon(async () => expect(await locales.allInnerTexts()).toEqual(['de_DE · German (Germany)']));
    // Any locale may be written here, so Enter takes what an arrow key chose.
    await page.keyboard.press('ArrowDown');
    await press();
    await press(button('Add'));
    await page.getByRole('dialog', { name: 'Add locale', exact: true }).waitFor({ state: 'detached' });
    endOf('another locale');
    await go('Translations');
    const cell = page.getByRole('row', { name: 'subject' }).getByRole('gridcell');
    await tabTo(cell.first());
    await page.keyboard.press('ArrowRight');
    await press();
    await field('subject, de_DE').waitFor();
    await page.keyboard.type('Ihr Paket ist unterwegs');
    await page.keyboard.press('Tab');
    await field('hello, de_DE').waitFor();
    await page.keyboard.type('Hallo');
    await press();
    await page.getByText('2 texts in 2 locales, 0 missing').first().waitFor();
    endOf('a translation');

    await page.goto('/workflows/parcel-sent?step=email');
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await preview.getByRole('combobox', { name: 'Locale', exact: true }).fill('de_DE');
    await preview.getByText('Ihr Paket ist unterwegs').first().waitFor();
    await preview.frameLocator('iframe').getByText('Hallo firstName').first().waitFor();

    await go('Promotion');
    await tabTo(page.getByRole('combobox', { name: 'To', exact: true }));
    await page.keyboard.type('Shop');
    await press(button('Choose none'));
    await press(page.getByLabel('Publish workflow parcel-sent'), 'Space');
    await press(button('Publish 1'));
    const question = page.getByRole('dialog', { name: 'Publish 1 resource to Shop?', exact: true });
    await question.getByText('This happens in production, in the environment Shop.').waitFor();
    await press(question.getByRole('button', { name: 'Publish', exact: true }));
    await page.getByText('1 resource published to Shop.').first().waitFor();
    await page.getByRole('cell', { name: 'parcel-sent created', exact: true }).waitFor();
    endOf('a publish');
    await press(button('Undo'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }));
    await page.getByText('The publish is undone.').first().waitFor();
    await page.getByText('Undone', { exact: true }).waitFor();
    endOf('an undo');

    await go('Workflows');
    await press(page.getByRole('link', { name: 'Parcel sent', exact: true }));
    await press(button('Hold'));
    await page.getByRole('dialog', { name: 'Hold Parcel sent in Development?', exact: true }).waitFor();
    await tabTo(field('Reason'));
    await page.keyboard.type('A wrong text');
    await press();
    const hold = page.getByRole('region', { name: 'On hold', exact: true });
    await hold.getByText('Workflow Parcel sent is held.').waitFor();
    endOf('a hold');
    await press(hold.getByRole('button', { name: 'Release', exact: true }));
    await hold.waitFor({ state: 'detached' });
  });

  it('keeps the progress of a replay in sight on every page, with the way to stop it', async () => {
    provider.always('/v3/mail/send', FULL);
    const events = Array.from({ length: 30 }, (_, id) => ({
      name: 'orders',
      to: { subscriberId: `many-${id}`, email: `many${id}@x.test` },
      payload: { id },
    }));
    await dashboard.api('POST', '/v1/events/trigger/bulk', { events });
    const all = '/v1/activity?status=failed&limit=100';
    await until(async () => (await dashboard.api<{ data: object[] }>('GET', all)).data.length >= events.length);
    await page.goto('/activity?status=failed');
    await page.getByRole('checkbox', { name: 'Select all', exact: true }).check();
    await button('Replay').click();
    const dialog = page.getByRole('dialog', { name: 'Replay notifications', exact: true });
    await dialog.getByText('In the environment Development (development).').waitFor();
    await dialog.getByLabel('Rate').fill('1');
    await dialog.getByRole('button', { name: /^Replay \d+$/ }).click();
    await dialog.getByRole('progressbar').waitFor();
    await page.keyboard.press('Escape');
    const window = page.getByRole('region', { name: 'Replay in progress', exact: true });
    await window.getByText('Running.').waitFor();
    await page.getByRole('link', { name: 'Topics', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor();
    await window.getByRole('button', { name: 'Stop', exact: true }).click();
    await window.getByText('Stopped.').waitFor();
    await window.getByRole('button', { name: 'Close', exact: true }).click();
    await window.waitFor({ state: 'detached' });
  });
});
