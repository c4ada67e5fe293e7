import type { JsonObject, OutboxListDto, StepPreviewDto } from '@clarion/contracts';
import { type Clarion, startClarion, type StepInput } from './harness';

const HOSTILE = `<img src=x onerror="alert(1)"> & {{payload.secret}}`;

/** A preview and a message are rendered by the same code. This spec compares their results. */
describe('step preview', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ demoProviders: true });
    for (const [layoutId, body] of Object.entries(LAYOUTS)) {
      await clarion.callOk('POST', '/v2/layouts', { layoutId, name: layoutId });
      const controlValues = { email: { body, editorType: 'html' } };
      await clarion.callOk('PUT', `/v2/layouts/${layoutId}`, { name: layoutId, controlValues });
    }
  });
  afterAll(() => clarion.close());

  const variable = (id: string) => ({ type: 'variable', attrs: { id } });
  const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
  const doc = (...content: object[]) => ({ type: 'doc', content });
  const text = (content: string) => ({ type: 'text', text: content });

  const LAYOUTS = {
    framed:
      '<!DOCTYPE html><html><body><h1>{{subscriber.firstName}}</h1>{{content}}<p>{{payload.hostile}}</p></body></html>',
    blocks: JSON.stringify(doc(paragraph(variable('content')), paragraph(text('by {{workflow.name}}')))),
  };

  const REPEATED = doc(
    paragraph(text('Order {{payload.hostile}}')),
    {
      type: 'repeat',
      attrs: { each: 'payload.items' },
      content: [
        paragraph(variable('payload.items.name'), text(': {{payload.items.name | upcase}}/{{current.name}}')),
        {
          type: 'repeat',
          attrs: { each: 'payload.items.parts' },
          content: [paragraph(variable('payload.items.parts.no'), text('-{{current.no}}'))],
        },
      ],
    },
    { type: 'htmlCodeBlock', content: [text('<u title="{{payload.hostile}}">{{payload.hostile}}</u>')] },
    { type: 'button', attrs: { text: 'Go {{payload.hostile}}', url: 'https://x.test/{{payload.n}}' } },
  );

  const EMAILS: Record<string, JsonObject> = {
    html: { subject: 'S {{payload.hostile}}', body: '<p onclick="x">{{payload.hostile}}{{payload.hostile | raw}}</p>' },
    'html-in-a-layout': {
      subject: 'S',
      body: '<p>{{payload.n}}</p>',
      layoutId: 'framed',
      preheader: 'P {{payload.n}}',
    },
    blocks: { subject: 'S', body: REPEATED as unknown as JsonObject, layoutId: null },
    'blocks-as-text': { subject: 'S', body: JSON.stringify(REPEATED), layoutId: 'framed' },
    'blocks-in-blocks': { subject: 'S', body: JSON.stringify(REPEATED), layoutId: 'blocks' },
    'a-list-of-blocks': {
      subject: 'S',
      body: [{ type: 'text', content: '{{payload.hostile}}' }] as unknown as JsonObject,
      layoutId: 'framed',
    },
    'not-sanitised': { subject: 'S', body: '<p>{{payload.hostile}}</p><!-- x -->', disableOutputSanitization: true },
  };

  const payload = {
    hostile: HOSTILE,
    secret: 'SECRET',
    n: 7,
    items: [
      { name: 'chair', parts: [{ no: 'c1' }, { no: 'c2' }] },
      { name: '<b>table</b>', parts: [{ no: 't1' }] },
    ],
  };
  const ADA = { subscriberId: 'ada', firstName: 'Ada <i>', email: 'ada@x.test', phone: '+15550001111' };

  async function previewAndRun(name: string, step: StepInput & { type: string }) {
    await clarion.workflow(name, [step]);
    const workflow = await clarion.callOk<{ steps: { stepId: string }[] }>('GET', `/v2/workflows/${name}`);
    const path = `/v2/workflows/${name}/step/${workflow.steps[0]!.stepId}/preview`;
    const previewPayload = { payload, subscriber: ADA };
    const { result } = await clarion.callOk<StepPreviewDto>('POST', path, { previewPayload });
    const { transactionId } = await clarion.run(name, ADA, { payload });
    return { preview: result.preview as JsonObject, transactionId };
  }

  it.each(Object.keys(EMAILS))('previews an email exactly as it is sent: %s', async (name) => {
    const { preview, transactionId } = await previewAndRun(`email-${name}`, {
      type: 'email',
      controlValues: EMAILS[name]!,
    });
    const { data } = await clarion.callOk<OutboxListDto>('GET', `/v1/outbox?transactionId=${transactionId}`);
    const sent = await clarion.callOk<{ html: string; subject: string }>('GET', `/v1/outbox/${data[0]!._id}`);
    expect(preview).toEqual({ subject: sent.subject, body: sent.html });
    expect(sent.html).not.toContain('SECRET');
    if (name.startsWith('blocks')) {
      expect(sent.html).toContain('chair: CHAIR/chair</p>');
      expect(sent.html).toContain('c2-c2</p>');
      expect(sent.html).toContain('&lt;b&gt;table&lt;/b&gt;: &lt;B&gt;TABLE');
      expect(sent.html).toContain('t1-t1</p>');
    }
    if (name !== 'html') expect(sent.html).not.toContain('<img');
  });

  it('previews an in-app message exactly as it is stored', async () => {
    const controlValues = {
      subject: 'S {{payload.hostile}}',
      body: '<b onclick="x">{{payload.hostile}}</b>',
      avatar: 'javascript:alert(1)',
      primaryAction: { label: 'L {{payload.n}}', redirect: { url: '/o/{{payload.n}}', target: '_self' } },
      data: { n: '{{payload.n}}' },
    };
    const { preview, transactionId } = await previewAndRun('in-app', { type: 'in_app', controlValues });
    const { data } = await clarion.callOk<{ data: JsonObject[] }>('GET', `/v1/messages?transactionId=${transactionId}`);
    const { subject, content, cta } = data[0] as {
      subject: string;
      content: string;
      cta: { action: { buttons: { content: string; url: string; target: string }[] } };
    };
    const [button] = cta.action.buttons;
    expect(preview).toEqual({
      subject,
      body: content,
      primaryAction: { label: button!.content, redirect: { url: button!.url, target: button!.target } },
      data: { n: '7' },
    });
    expect(content).not.toContain('<img');
  });

  it('previews an SMS exactly as it is sent, without escaping', async () => {
    const { preview, transactionId } = await previewAndRun('sms', {
      type: 'sms',
      controlValues: { body: '{{payload.hostile}} {{subscriber.firstName}}' },
    });
    const { data } = await clarion.callOk<OutboxListDto>('GET', `/v1/outbox?transactionId=${transactionId}`);
    expect(preview).toEqual({ body: data[0]!.text });
    expect(data[0]!.text).toBe(`${HOSTILE} Ada <i>`);
  });

  it('refuses a document whose lists expand to hundreds of megabytes, in a preview and in a message', async () => {
    const html = { type: 'htmlCodeBlock', content: [text(`{{ current }}${'x'.repeat(100_000)}`)] };
    const inner = { type: 'repeat', attrs: { each: 'payload.inner' }, content: [html] };
    const body = JSON.stringify(doc({ type: 'repeat', attrs: { each: 'payload.outer' }, content: [inner] }));
    const long = { outer: Array<number>(48).fill(1), inner: Array<number>(99).fill(1) };
    const reason = 'has more than 2097152 characters once its repeated parts are written out';
    await clarion.workflow('expanding', [{ type: 'email', stepId: 'mail', controlValues: { subject: 'S', body } }]);

    const preview = await clarion.call<{ errors: Record<string, { messages: string[] }> }>(
      'POST',
      '/v2/workflows/expanding/step/mail/preview',
      { previewPayload: { payload: long, subscriber: ADA } },
    );
    expect(preview.status).toBe(422);
    expect(preview.body.errors['controlValues.body']!.messages).toEqual([`body ${reason}`]);

    const { jobs } = await clarion.run('expanding', ADA, { payload: long });
    expect(jobs!.map(({ type, status }) => `${type} ${status}`)).toEqual(['email failed']);
    const failure = jobs![0]!.executionDetails!.find(({ status }) => status === 'Failed');
    expect(failure).toMatchObject({ isRetry: false, raw: expect.stringContaining(reason) as string });
  });

  it('answers 422 to a preview with an unknown layout', async () => {
    await clarion.workflow('no-layout', [
      { type: 'email', controlValues: { subject: 'S', body: 'B', layoutId: 'none' } },
    ]);
    const { steps } = await clarion.callOk<{ steps: { stepId: string }[] }>('GET', '/v2/workflows/no-layout');
    const path = `/v2/workflows/no-layout/step/${steps[0]!.stepId}/preview`;
    const answer = await clarion.call<{ errors: object }>('POST', path, {});
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['controlValues.layoutId']);
  });
});
