import { Novu } from '@novu/api';
import type {
  StepPreviewDto,
  TranslationDto,
  TranslationGroupDto,
  UploadedTranslationsDto,
  WorkflowDto,
} from '@clarion/contracts';
import { type Answer, callGateway, type Refusal, startGateway, type TestGateway } from './harness';

const EN = {
  greeting: 'Hello {{ subscriber.firstName }}',
  cart: { title: 'Your cart', count: '{{ payload.n }} items' },
};
const DE = { greeting: 'Hallo {{ subscriber.firstName }}', cart: { title: 'Dein Warenkorb' } };

function expectFault({ status, body }: Answer<unknown>, field: string, message: string): void {
  expect({ status, fields: Object.keys((body as Refusal).errors ?? {}) }).toEqual({ status: 422, fields: [field] });
  expect((body as Refusal).errors[field]!.messages.join('; ')).toContain(message);
}

describe('translations', () => {
  let gateway: TestGateway;
  let novu: Novu;

  beforeAll(async () => {
    gateway = await startGateway();
    novu = new Novu({ secretKey: gateway.key, serverURL: gateway.url, retryConfig: { strategy: 'none' } });
    await gateway.call('POST', '/v2/layouts', { layoutId: 'frame', name: 'Frame' });
    await gateway.call('PUT', '/v2/layouts/frame', {
      name: 'Frame',
      controlValues: { email: { body: '<b>{{ t.footer }}</b>{{content}}', editorType: 'html' } },
    });
    await gateway.call('POST', '/v2/workflows', {
      workflowId: 'cart',
      name: 'The cart',
      steps: [
        {
          name: 'Mail',
          type: 'email',
          stepId: 'mail',
          controlValues: { subject: '{{t.cart.title}}', body: '<p>{{ t.greeting }}: {{ t.cart.count }}</p>' },
        },
        { name: 'Text', type: 'sms', stepId: 'text', controlValues: { body: '{{ t.greeting }} {{ t.extra }}' } },
      ],
    });
  });
  afterAll(() => gateway.close());

  const create = (body: object) =>
    gateway.call('POST', '/v2/translations', {
      resourceType: 'workflow',
      resourceId: 'cart',
      locale: 'en_US',
      ...body,
    });
  const file = (fileName: string, content: unknown) => ({
    fileName,
    content: new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
  });
  const preview = (stepId: string, subscriber: object) =>
    gateway.call<StepPreviewDto>('POST', `/v2/workflows/cart/step/${stepId}/preview`, {
      previewPayload: { subscriber: { firstName: 'Ada', ...subscriber }, payload: { n: 3 } },
    });
  const form = async (path: string, parts: [string, string | Blob, string?][]): Promise<Answer> => {
    const body = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, fileName);
    }
    const headers = { authorization: `ApiKey ${gateway.key}` };
    const response = await fetch(gateway.url + path, { method: 'POST', headers, body });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as Answer['body'], text };
  };

  it('stores, reads and lists translations through the published SDK, and shows what is missing', async () => {
    const created = await novu.translations.create({
      resourceId: 'cart',
      resourceType: 'workflow',
      locale: 'en_US',
      content: EN,
    });
    expect(created).toMatchObject({ resourceId: 'cart', resourceType: 'workflow', locale: 'en_US', content: EN });
    const uploaded = await novu.translations.upload({
      resourceId: 'cart',
      resourceType: 'workflow',
      files: [
        file('de.json', DE),
        file('fr-FR.json', { greeting: 'Bonjour' }),
        file('notes.json', {}),
        file('es.json', '{"greeting": }'),
        file('it.json', { greeting: ['Ciao'] }),
        file('pl.json', { greeting: '{{ unclosed' }),
        file('DE.json', DE),
      ],
    });
    expect(uploaded).toEqual({
      totalFiles: 7,
      successfulUploads: 2,
      failedUploads: 5,
      errors: [
        expect.stringMatching(/^notes\.json: .*file name that is a locale/),
        expect.stringMatching(/^es\.json: .*not valid JSON/),
        expect.stringMatching(/^it\.json: the key greeting must be a text/),
        expect.stringMatching(/^DE\.json: .*second one for de/),
        expect.stringMatching(/^pl\.json: the key greeting .*not closed/),
      ],
    });
    const retrieve = (locale: string) =>
      novu.translations.retrieve({ resourceType: 'workflow', resourceId: 'cart', locale });
    expect((await retrieve('de')).content).toEqual(DE);
    expect((await retrieve('fr-fr')).locale).toBe('fr_FR');

    const { result: group } = await novu.translations.groups
      .retrieve('workflow', 'cart')
      .then((result) => ({ result }));
    expect(group).toMatchObject({
      resourceId: 'cart',
      resourceName: 'The cart',
      locales: ['de', 'en_US', 'fr_FR'],
      outdatedLocales: ['de', 'en_US', 'fr_FR'],
    });
    const { body } = await gateway.call<TranslationGroupDto>('GET', '/v2/translations/group/workflow/cart');
    expect(body.missing).toEqual([
      { locale: 'de', keys: ['cart.count', 'extra'] },
      { locale: 'en_US', keys: ['extra'] },
      { locale: 'fr_FR', keys: ['cart.count', 'cart.title', 'extra'] },
    ]);
    const workflow = await gateway.call<WorkflowDto>('GET', '/v2/workflows/cart');
    expect(workflow.body.steps[1]!.issues).toMatchObject({
      controls: { body: [{ message: 'the translation key "extra" has no text in the default locale' }] },
    });
    expect(workflow.body.steps[0]!.issues?.controls ?? {}).toEqual({});
  });

  it('refuses texts that were made from others than the stored ones', async () => {
    const texts = (greeting: string, revision?: string) =>
      gateway.call<TranslationDto>('POST', '/v2/translations', {
        ...{ resourceType: 'workflow', resourceId: 'cart', locale: 'nl', content: { greeting }, revision },
      });
    const first = await texts('Hallo', '');
    expect(first.status).toBe(200);
    expect((await texts('Dag', '')).status).toBe(409);
    const second = await texts('Dag', first.body.revision);
    expect(second.status).toBe(200);
    expect((await texts('Hoi', first.body.revision)).status).toBe(409);
    const stored = await gateway.call<TranslationDto>('GET', '/v2/translations/workflow/cart/nl');
    expect(stored.body).toMatchObject({ content: { greeting: 'Dag' }, revision: second.body.revision });
    expect((await texts('Hoi')).status).toBe(200);
    await gateway.call('DELETE', '/v2/translations/workflow/cart/nl');
  });

  it('previews and dry runs in the language of the subscriber, with the layout, and falls back', async () => {
    await create({ resourceType: 'layout', resourceId: 'frame', content: { footer: 'Bye' } });
    await create({ resourceType: 'layout', resourceId: 'frame', locale: 'de', content: { footer: 'Servus' } });
    expect((await preview('mail', { locale: 'de_AT' })).body.result.preview).toEqual({
      subject: 'Dein Warenkorb',
      body: '<b>Servus</b><p>Hallo Ada: 3 items</p>',
    });
    expect((await preview('mail', {})).body.result.preview).toEqual({
      subject: 'Your cart',
      body: '<b>Bye</b><p>Hello Ada: 3 items</p>',
    });
    expect((await preview('text', { locale: 'fr_FR' })).body).toMatchObject({
      result: { preview: { body: 'Bonjour extra' } },
      missingTranslations: ['extra'],
    });
    const layout = await gateway.call('POST', '/v2/layouts/frame/preview', {
      previewPayload: { content: 'C', subscriber: { locale: 'de_DE' } },
    });
    expect(layout.body).toMatchObject({ result: { preview: { body: '<b>Servus</b>C' } } });
    await gateway.call('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials: { apiKey: 'k', from: 'a@x.test', senderName: 'A' },
    });
    const dryRun = await gateway.call('POST', '/v1/events/trigger?dryRun=true', {
      name: 'cart',
      to: { subscriberId: 'ada', firstName: 'Ada', email: 'ada@x.test', locale: 'de_AT' },
      payload: { n: 2 },
    });
    expect(dryRun.text).toContain('Dein Warenkorb');
    expect(dryRun.text).toContain('<b>Servus</b><p>Hallo Ada: 2 items</p>');
  });

  it('exports and imports all texts of a locale, and lists what could not be stored', async () => {
    expect(await novu.translations.master.retrieve('de')).toEqual({
      workflows: { cart: DE },
      layouts: { frame: { footer: 'Servus' } },
    });
    expect((await gateway.call('GET', '/v2/translations/master-json')).body).toMatchObject({ workflows: { cart: EN } });
    const masterJson = {
      workflows: { cart: { greeting: 'Hej' }, unknown: { a: 'x' } },
      layouts: { frame: { footer: '{{ t.footer }}' } },
    };
    const imported = await novu.translations.master.import({ locale: 'sv', masterJson });
    expect(imported).toMatchObject({ success: false, successful: ['cart'], failed: ['unknown', 'frame'] });
    expect(imported.message).toMatch(
      /1 of 3 .*unknown: the workflow was not found; frame: .*names itself: footer -> footer/,
    );
    const uploaded = await novu.translations.master.upload({
      file: file('sv_SE.json', { workflows: { cart: { greeting: 'Hejsan' } } }),
    });
    expect(uploaded).toMatchObject({ success: true, successful: ['cart'] });
    for (const bad of [file('sv.txt', {}), file('sv.json', '[]'), file('sv.json', { flows: {} })]) {
      await expect(novu.translations.master.upload({ file: bad })).rejects.toMatchObject({ statusCode: 422 });
    }
  });

  it('deletes one locale and a whole group, and records each change', async () => {
    await novu.translations.delete({ resourceType: 'workflow', resourceId: 'cart', locale: 'sv_SE' });
    expect(await gateway.call('DELETE', '/v2/translations/workflow/cart/sv_SE')).toMatchObject({
      status: 404,
      body: { message: 'Translations of the workflow cart in sv_SE were not found' },
    });
    await novu.translations.groups.delete('layout', 'frame');
    expect(await gateway.call('GET', '/v2/translations/group/layout/frame')).toMatchObject({ status: 404 });
    const log = await gateway.call('GET', '/v1/audit-log?limit=100');
    expect(log.text).toContain('translation.created');
    expect(log.text).toContain('translation.deleted');
  });

  it.each([
    [{ content: { a: '{{ t.b }}', b: 'x {{ t.a | upcase }}' } }, 'content.a', 'names itself: a -> b -> a'],
    [{ content: { a: { b: 7 } } }, 'content.a.b', 'must be a text'],
    [{ content: { 'a b': 'x' } }, 'content.a b', 'is not a key'],
    [{ content: { a: '{% if %}' } }, 'content.a', ''],
    [{ content: { a: '{{ payload.x | nofilter }}' } }, 'content.a', 'undefined filter'],
    [{ content: { a: 'x', b: '{% include "x" %}' } }, 'content.b', 'tag "include" cannot be used'],
    [{ content: { b: { c: '{% if a %}{% render "x" %}{% endif %}' } } }, 'content.b.c', 'tag "render" cannot be used'],
    [{ content: { a: 'x'.repeat(131_072) } }, 'content', 'at most 131072'],
    [{ content: 'text' }, 'content', 'must be an object'],
    [{ content: {}, locale: 'english' }, 'locale', 'must be a locale'],
    [{ content: {}, resourceType: 'email' }, 'resourceType', 'must be one of: workflow, layout'],
  ])('refuses nonsense with 422 and names it: %#', async (body, field, message) => {
    expectFault(await create(body), field, message);
  });

  it('refuses a fallback that closes a cycle', async () => {
    await create({ locale: 'nl', content: { loop: 'x {{ t.other }}' } });
    expectFault(await create({ content: { ...EN, other: '{{ t.loop }}' } }), 'content.loop', 'names itself');
  });

  it('refuses forms that are no forms, have too many parts or are not expected', async () => {
    const blob = (text: string): Blob => new Blob([text]);
    const fields: [string, string][] = [
      ['resourceId', 'cart'],
      ['resourceType', 'workflow'],
    ];
    const path = '/v2/translations/upload';
    expectFault(await form(path, fields), 'files', '');
    expectFault(await form(path, [fields[1]!, ['files', blob('{}'), 'de.json']]), 'resourceId', '');
    const many = Array.from({ length: 51 }, (): [string, Blob, string] => ['files', blob('{}'), 'de.json']);
    expectFault(await form(path, [...fields, ...many]), 'files', '50');
    const parts = Array.from({ length: 200 }, (): [string, string] => ['x', 'y']);
    expect(await form(path, parts)).toMatchObject({ status: 400 });
    expect(await form(path, [...fields, ['files', blob('\xff'), 'de.json']])).toMatchObject({ status: 200 });
    const bytes = new Blob([new Uint8Array([0xff, 0xfe])]);
    expect(await form(path, [...fields, ['files', bytes, 'de.json']])).toMatchObject({
      status: 400,
      body: { message: 'The file de.json is not valid UTF-8' },
    });
    expect(await form('/v1/tenants', [['identifier', 'x']])).toMatchObject({ status: 415 });
    const raw = (contentType: string, body: string): Promise<Response> =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `ApiKey ${gateway.key}`, 'content-type': contentType },
        body,
      });
    expect((await raw('multipart/form-data', 'x')).status).toBe(400);
    expect((await raw('multipart/form-data; boundary=b', '--b\r\nnonsense')).status).toBe(400);
    expect((await raw('multipart/form-data; boundary=b', 'x'.repeat(9 * 1024 * 1024))).status).toBe(413);
    const upload = await gateway.call<UploadedTranslationsDto>('POST', path, {
      resourceId: 'cart',
      resourceType: 'workflow',
      files: [{ name: 'da.json', content: '{"greeting":"Hej"}' }],
    });
    expect(upload.body).toMatchObject({ successfulUploads: 1 });
  });

  it('shows nothing to another environment', async () => {
    const key = await gateway.secondKey();
    for (const [method, path] of [
      ['GET', '/v2/translations/workflow/cart/de'],
      ['GET', '/v2/translations/group/workflow/cart'],
      ['DELETE', '/v2/translations/workflow/cart'],
    ] as const) {
      expect(await callGateway(gateway.url, key, method, path)).toMatchObject({ status: 404 });
    }
    const master = await callGateway(gateway.url, key, 'GET', '/v2/translations/master-json?locale=de');
    expect(master.body).toEqual({ workflows: {}, layouts: {} });
  });

  it('uses another default locale of the environment', async () => {
    await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { defaultLocale: 'de' });
    expect((await preview('text', {})).body.result.preview).toEqual({ body: 'Hallo Ada extra' });
    expectFault(
      await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { defaultLocale: 'german' }),
      'defaultLocale',
      'must be a locale',
    );
  });

  it('does not block the event loop with texts that name each other thousands of times', async () => {
    const body = '{{t.k1}}'.repeat(600);
    const steps = [{ name: 'Text', type: 'in_app', stepId: 'text', controlValues: { body } }];
    await gateway.call('POST', '/v2/workflows', { workflowId: 'named', name: 'Named', steps });
    const content = { k1: `${'{{t.k2}}'.repeat(90)}{{t.gone}}`, k2: '{{t.k3}}'.repeat(90), k3: '' };
    expect((await create({ resourceId: 'named', content })).status).toBe(200);
    // In processor time: on a busy machine a turn of the event loop takes long without any work.
    const usedMs = (): number => process.cpuUsage().user / 1_000;
    let longestMs = 0;
    let last = usedMs();
    const ticking = setInterval(() => {
      longestMs = Math.max(longestMs, usedMs() - last);
      last = usedMs();
    }, 10);
    const [shown, event] = await Promise.all([
      gateway.call<StepPreviewDto>('POST', '/v2/workflows/named/step/text/preview', {
        previewPayload: { subscriber: { locale: 'en_US' } },
      }),
      gateway.call('POST', '/v1/events/trigger?dryRun=true', {
        name: 'named',
        to: { subscriberId: 'ada', phone: '+15550001111', locale: 'en_US' },
      }),
    ]);
    clearInterval(ticking);
    expect(shown.body).toMatchObject({
      result: { preview: { body: 'gone'.repeat(600) } },
      missingTranslations: ['gone'],
    });
    expect(event.status).toBe(201);
    // It took 14 s.
    expect(longestMs).toBeLessThan(2_000);
  });

  it('names the control that translations make too long, in a preview and in a dry run', async () => {
    const steps = [{ name: 'Text', type: 'in_app', stepId: 'text', controlValues: { body: '{{t.long}}'.repeat(30) } }];
    await gateway.call('POST', '/v2/workflows', { workflowId: 'long', name: 'Long', steps });
    await create({ resourceId: 'long', content: { long: 'x'.repeat(60_000) } });
    const reason = 'has more than 1048576 characters once its translations are written into it';
    const shown = await gateway.call('POST', '/v2/workflows/long/step/text/preview', {
      previewPayload: { subscriber: { locale: 'en_US' } },
    });
    expectFault(shown, 'controlValues.body', `body ${reason}`);
    const { text } = await gateway.call('POST', '/v1/events/trigger?dryRun=true', {
      name: 'long',
      to: { subscriberId: 'ada', phone: '+15550001111', locale: 'en_US' },
    });
    expect(text).toContain(reason);
  });
});
