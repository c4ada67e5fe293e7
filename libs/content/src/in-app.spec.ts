import { composeInApp, renderInApps } from './in-app';
import { TemplateRenderer } from './template-renderer';

describe('composeInApp', () => {
  it('composes a message from all controls', () => {
    expect(
      composeInApp({
        subject: 'Order',
        body: 'Your <b>order</b> is here',
        avatar: 'https://example.com/a.png',
        redirect: { url: '/orders/1', target: '_self' },
        primaryAction: { label: 'Open', redirect: { url: 'https://example.com/o', target: '_blank' } },
        secondaryAction: { label: 'Later' },
        data: { order: '1', html: '<i>' },
        skip: {},
      }),
    ).toEqual({
      subject: 'Order',
      content: 'Your <b>order</b> is here',
      avatar: 'https://example.com/a.png',
      cta: {
        type: 'redirect',
        data: { url: '/orders/1', target: '_self' },
        action: {
          status: 'pending',
          result: {},
          buttons: [
            { type: 'primary', content: 'Open', url: 'https://example.com/o', target: '_blank' },
            { type: 'secondary', content: 'Later' },
          ],
        },
      },
      data: { order: '1', html: '<i>' },
    });
  });

  it('writes the text that a button has after a click, without unsafe HTML', () => {
    const primaryAction = { label: 'Join', resultContent: 'You have <b>joined</b><script>x()</script>' };
    expect(
      composeInApp({ body: 'b', primaryAction, secondaryAction: { label: 'No', resultContent: '' } }),
    ).toMatchObject({
      cta: {
        action: {
          buttons: [
            { type: 'primary', content: 'Join', resultContent: 'You have <b>joined</b>' },
            { type: 'secondary', content: 'No' },
          ],
        },
      },
    });
  });

  it('leaves out fields whose controls are missing', () => {
    expect(composeInApp({ body: 'b' })).toEqual({ content: 'b', cta: {} });
    expect(composeInApp({ subject: 's', avatar: '', redirect: { url: '' }, primaryAction: { label: '' } })).toEqual({
      subject: 's',
      content: '',
      cta: {},
    });
  });

  it('drops URLs that a browser should not open', () => {
    const redirect = { url: 'javascript:alert(1)', target: '_self' };
    expect(
      composeInApp({ body: 'b', avatar: 'data:image/svg+xml,x', redirect, primaryAction: { label: 'Go', redirect } }),
    ).toEqual({
      content: 'b',
      cta: { action: { status: 'pending', result: {}, buttons: [{ type: 'primary', content: 'Go' }] } },
    });
  });

  it('sanitizes texts unless disableOutputSanitization is set', () => {
    const evil = 'a<script>alert(1)</script>';
    const controls = { subject: evil, body: evil, primaryAction: { label: evil } };
    expect(composeInApp(controls)).toMatchObject({
      subject: 'a',
      content: 'a',
      cta: { action: { buttons: [{ content: 'a' }] } },
    });
    expect(composeInApp({ ...controls, disableOutputSanitization: true })).toMatchObject({
      subject: evil,
      content: evil,
    });
  });
});

describe('renderInApps', () => {
  const renderer = new TemplateRenderer();
  afterAll(() => renderer.close());

  it('renders and composes each item, with and without HTML', async () => {
    const item = (body: string, name = 'Ada') => ({
      environmentId: 'e',
      controls: { body },
      variables: { name },
    });
    const content = (text: string) => ({ ok: true, message: { content: text, cta: {} } });
    expect(
      await renderInApps(renderer, [
        item('Hi {{name}} & co'),
        item('<b onclick="x">{{name}}</b>', '<script>x</script>Ada'),
        item('{% oops %}'),
        item('{{name}}', ' '),
        item('<b>'.repeat(1_000)),
        item('plain'),
        item('<i>{{name}}</i>'),
      ]),
    ).toEqual([
      content('Hi Ada & co'),
      content('<b>&lt;script&gt;x&lt;/script&gt;Ada</b>'),
      { ok: false, fault: { path: 'body', message: expect.stringContaining('oops') } },
      { ok: false, fault: { path: 'body', message: 'is empty' } },
      { ok: false, fault: { path: 'body', message: 'is nested too deeply' } },
      content('plain'),
      content('<i>Ada</i>'),
    ]);
  });
});
