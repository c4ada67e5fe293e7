import type { JsonObject } from '@clarion/contracts';
import { composeEmail } from './compose-email';
import { renderEmails } from './email';
import { type EmailItem, TemplateRenderer } from './template-renderer';

describe('composeEmail', () => {
  it('keeps an HTML body unchanged and derives the plain text from it', () => {
    const body =
      '<h1>Hello</h1><p>See <a href="https://example.com/a">the page</a> &amp; more</p><ul><li>one</li></ul>';
    expect(composeEmail({ subject: 'S', body })).toEqual({
      subject: 'S',
      html: body,
      text: 'Hello\n\nSee the page [https://example.com/a] & more\n\n * one',
    });
  });

  it('puts the hidden preheader first into the HTML body and leaves it out of the text', () => {
    const { html, text, preheader } = composeEmail({
      subject: 'S',
      preheader: 'Soon <3',
      body: '<html><head><title>T</title></head><body class="a"><p>Hi</p></body></html>',
    });
    expect(html).toMatch(/<body class="a"><span style="display:none[^"]*">Soon &lt;3<\/span><p>Hi<\/p><\/body>/);
    expect({ text, preheader }).toEqual({ text: 'Hi', preheader: 'Soon <3' });
    expect(composeEmail({ subject: 'S', preheader: 'P', body: 'b' }).html).toMatch(/^<span [^>]*>P<\/span>b$/);
  });

  it('replaces line breaks in the subject', () => {
    expect(composeEmail({ subject: ' Hi\r\nBcc: a@example.com\0\u2028x ', body: 'b' }).subject).toBe(
      'Hi Bcc: a@example.com x',
    );
  });

  it('sanitizes the HTML unless disableOutputSanitization is set', () => {
    const body = '<p onclick="x()">a</p><script>alert(1)</script>';
    expect(composeEmail({ body }).html).toBe('<p>a</p>');
    expect(composeEmail({ body, disableOutputSanitization: true }).html).toBe(body);
    expect(composeEmail({ body }, { disableOutputSanitization: true }).html).toBe(body);
    expect(composeEmail({ body: 'x' }, { layoutHtml: body }).html).toBe('<p>a</p>');
  });

  it('makes an HTML page of blocks and returns the blocks', () => {
    const blocks: JsonObject[] = [
      { type: 'text', content: 'Hi <b>\nthere', styles: { textAlign: 'right' } },
      { type: 'button', content: 'Open', url: 'https://example.com/?a=1&b="2"' },
      { type: 'button', content: 'Bad', url: 'javascript:alert(1)' },
    ];
    for (const body of [blocks, JSON.stringify(blocks)]) {
      const email = composeEmail({ subject: 'S', body });
      expect(email.html).toMatch(/^<!DOCTYPE html>\n<html>.*<meta name="viewport"/s);
      expect(email.html).toContain('text-align:right">Hi &lt;b&gt;<br />there</p>');
      expect(email.html).toMatch(
        /<a href="https:\/\/example\.com\/\?a=1&amp;b=&quot;2&quot;" target="_blank"[^>]*>Open<\/a>/,
      );
      expect(email.html).not.toContain('javascript');
      expect(email.text).toBe('Hi <b>\nthere\n\nOpen [https://example.com/?a=1&b="2"]\n\nBad');
      expect(email.blocks).toEqual([blocks[0], blocks[1], { type: 'button', content: 'Bad' }]);
    }
  });

  it.each([
    '[1, 2]',
    '{"type":"text"}',
    '{{x}}',
    '[]',
    '{"type":"doc"}',
    `{"type":"doc","content":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  ])('treats the body %.20s as HTML, not as blocks or a document', (body) => {
    expect(composeEmail({ body }, { disableOutputSanitization: true }).html).toBe(body);
  });
});

describe('renderEmails', () => {
  const renderer = new TemplateRenderer();
  afterAll(() => renderer.close());

  const doc = (...content: JsonObject[]): JsonObject => ({ type: 'doc', content });
  const text = (words: string, ...marks: JsonObject[]): JsonObject => ({ type: 'text', text: words, marks });
  const variable = (id: string, fallback?: string): JsonObject => ({
    type: 'variable',
    attrs: { id, ...(fallback !== undefined && { fallback }) },
  });
  const paragraph = (...content: JsonObject[]): JsonObject => ({ type: 'paragraph', content });

  const htmlOf = async (body: JsonObject, variables: JsonObject = {}, layout?: EmailItem['layout']) => {
    const [rendered] = await renderEmails(renderer, [
      { environmentId: 'e', controls: { subject: 'S', body }, variables, layout },
    ]);
    if (!rendered!.ok) throw new Error(rendered!.fault.message);
    return rendered!.email.html;
  };

  it('writes templates that take turns in a batch as JSON once, to find out which are the same', async () => {
    let reads = 0;
    const templates = ['a', 'b'].map((subject): JsonObject => {
      const controls = { body: 'Hello {{n}}' };
      const counted = { enumerable: true, get: () => ((reads += 1), subject) };
      return Object.defineProperty(controls, 'subject', counted);
    });
    const items = Array.from({ length: 50 }, (_, n) => ({
      ...{ environmentId: 'e', controls: templates[n % 2]!, layout: null, escapeHtml: true, variables: { n } },
    }));
    expect((await renderer.fillEmails(items)).at(-1)).toMatchObject({ subject: 'b', html: 'Hello 49' });
    expect(reads).toBeLessThan(10);
  });

  it('renders HTML and its layout and never treats a value as a template', async () => {
    const controls = { subject: 'Hi {{payload.name}}', preheader: '{{payload.name}}', body: '<p>{{payload.name}}</p>' };
    const variables = { payload: { name: 'Ada {{1 | plus: 1}}' }, env: { name: 'Dev' } };
    const layout = '<div>{{content}}</div><i>{{env.name}}</i>';
    const hidden = '<span style="display:none;max-height:0;overflow:hidden;mso-hide:all">Ada {{1 | plus: 1}}</span>';
    const email = (html: string, text: string) => ({
      ok: true,
      email: { subject: 'Hi Ada {{1 | plus: 1}}', preheader: 'Ada {{1 | plus: 1}}', html: hidden + html, text },
    });
    const framed = email('<div><p>Ada {{1 | plus: 1}}</p></div><i>Dev</i>', 'Ada {{1 | plus: 1}}\n\nDev');
    expect(
      await renderEmails(renderer, [
        { environmentId: 'e', controls, variables, layout },
        { environmentId: 'e', controls, variables },
        { environmentId: 'e', controls, variables, layout: null },
        { environmentId: 'e', controls, variables, layout: { email: { body: layout, editorType: 'html' } } },
        { environmentId: 'e', controls, variables, layout: { body: layout } },
      ]),
    ).toEqual([
      framed,
      email('<p>Ada {{1 | plus: 1}}</p>', 'Ada {{1 | plus: 1}}'),
      email('<p>Ada {{1 | plus: 1}}</p>', 'Ada {{1 | plus: 1}}'),
      framed,
      framed,
    ]);
  });

  it.each([
    ['once for a whole batch of emails', '{{n | plus: 0}}', 1],
    ['not at all for a batch of emails that only insert values', '{{n}}', 0],
  ])('calls the render processes %s', async (_, body, calls) => {
    const compose = jest.spyOn(renderer, 'composeEmails');
    const items = Array.from({ length: 30 }, (_item, n) => ({
      environmentId: 'e',
      controls: { subject: 'S', body },
      variables: { n },
      layout: n % 2 ? '<b>{{content}}</b>' : null,
    }));
    const rendered = await renderEmails(renderer, items);
    expect(compose).toHaveBeenCalledTimes(calls);
    compose.mockRestore();
    expect(rendered.map((one) => one.ok && one.email.html)).toEqual(
      items.map((_item, n) => (n % 2 ? `<b>${n}</b>` : `${n}`)),
    );
  });

  it('gives each failing email a fault with its path and renders the other emails of the batch', async () => {
    const item = (body: string, layout?: string): EmailItem => ({
      environmentId: 'e',
      controls: { subject: 's', body },
      variables: {},
      layout,
    });
    expect(
      await renderEmails(renderer, [
        item('{% a %}', '{{content}}'),
        item('b', '{% c %}'),
        item('<b>'.repeat(1_000)),
        { environmentId: 'e', controls: { subject: '{{nothing}}', body: '{{nothing}}' }, variables: {} },
        item('d', '<i>{{content}}</i>'),
      ]),
    ).toEqual([
      { ok: false, fault: { path: 'body', message: expect.stringContaining('"a"') } },
      { ok: false, fault: { path: 'layout', message: expect.stringContaining('"c"') } },
      { ok: false, fault: { path: 'body', message: 'is nested too deeply' } },
      { ok: false, fault: { path: 'body', message: 'is empty, and so is the subject' } },
      { ok: true, email: { subject: 's', html: '<i>d</i>', text: 'd' } },
    ]);
  });

  it('renders the texts of blocks one by one, so that a quote in a value does not break the JSON', async () => {
    const body = JSON.stringify([{ type: 'text', content: 'Hi {{payload.name | default: "you"}}' }]);
    const variables = { payload: { name: '"}] <i>' } };
    const [rendered] = await renderEmails(renderer, [
      { environmentId: 'e', controls: { subject: 'S', body }, variables },
    ]);
    expect(rendered).toMatchObject({
      ok: true,
      email: { blocks: [{ type: 'text', content: 'Hi "}] <i>' }], text: 'Hi "}] <i>' },
    });
  });

  it.each<[string, JsonObject, string]>([
    ['marks', paragraph(text('a', { type: 'bold' }, { type: 'italic' })), '<em><strong>a</strong></em>'],
    [
      'a heading',
      { type: 'heading', attrs: { level: 2, textAlign: 'center' }, content: [text('a')] },
      'text-align:center">a</h2>',
    ],
    ['a variable', paragraph(text('Hi '), variable('payload.name')), '>Hi A&amp;B</p>'],
    ['a variable without value', paragraph(variable('payload.none', 'some "one"')), ">some 'one'</p>"],
    ['a template in a text', paragraph(text('{{payload.name | downcase}}')), '>a&amp;b</p>'],
    [
      'a link',
      paragraph(text('l', { type: 'link', attrs: { href: 'https://example.com/?a=1&b=2' } })),
      '<a href="https://example.com/?a=1&amp;b=2" target="_blank">l</a>',
    ],
    [
      'a link by variable',
      paragraph(text('l', { type: 'link', attrs: { href: 'payload.url', isUrlVariable: true } })),
      '<a href="https://example.com/v" target="_blank">l</a>',
    ],
    [
      'a link that leads nowhere good',
      paragraph(text('l', { type: 'link', attrs: { href: 'javascript:x' } })),
      '>l</p>',
    ],
    [
      'a button',
      { type: 'button', attrs: { text: 'Go', url: 'payload.url', isUrlVariable: true, buttonColor: '#123456' } },
      'background-color:#123456;color:#ffffff">Go</a>',
    ],
    [
      'a style that is more than a value',
      { type: 'button', attrs: { text: 'Go', url: '/a', buttonColor: 'red;position:fixed' } },
      'text-decoration:none;color:#ffffff">Go</a>',
    ],
    [
      'an image',
      { type: 'image', attrs: { src: 'https://example.com/i.png', alt: 'I "x"', width: 100 } },
      '<img src="https://example.com/i.png" alt="I &quot;x&quot;" width="100" style="max-width:100%;height:auto" />',
    ],
    ['a list', { type: 'bulletList', content: [{ type: 'listItem', content: [text('a')] }] }, '<ul><li>a</li></ul>'],
    [
      'a numbered list',
      { type: 'orderedList', content: [{ type: 'listItem', content: [text('a')] }] },
      '<ol><li>a</li></ol>',
    ],
    ['a break', paragraph(text('a'), { type: 'hardBreak' }, text('b')), '>a<br />b</p>'],
    ['a quotation', { type: 'blockquote', content: [text('q')] }, '>q</blockquote>'],
    [
      'a section',
      { type: 'section', attrs: { backgroundColor: '#eee' }, content: [text('s')] },
      '<td style="background:#eee;padding:12px">s</td>',
    ],
    ['a space', { type: 'spacer', attrs: { height: 24 } }, 'height:24px'],
    ['a heading whose level is no number', { type: 'heading', attrs: { level: { toString: 1 } } }, '<h1 '],
    ['a space whose height is no number', { type: 'spacer', attrs: { height: [{ toString: 1 }] } }, 'height:16px'],
    ['a divider', { type: 'horizontalRule' }, '<hr '],
    [
      'HTML',
      { type: 'htmlCodeBlock', content: [text('<u>{{payload.name}}</u><script>x</script>')] },
      '<u>A&amp;B</u>\n',
    ],
    ['what it does not know by what is in it', { type: 'novelty', content: [text('inside')] }, 'inside'],
    [
      'a part for each entry of a list',
      {
        type: 'repeat',
        attrs: { each: 'steps.d.events' },
        content: [paragraph(variable('current.payload.n'), text('/{{current.payload.n}}/'))],
      },
      '>1/1/</p><p style="margin:0 0 16px">2/2/</p>',
    ],
    [
      'a part for each entry by the path of the list, and of lists in it',
      {
        type: 'repeat',
        attrs: { each: '{{ payload.orders }}' },
        content: [
          paragraph(variable('payload.orders.id'), text('/{{payload.orders.id | append: payload.orders.size}}/')),
          {
            type: 'repeat',
            attrs: { each: 'current.lines' },
            content: [paragraph(text('{{payload.orders.id}}.{{current.sku}}.'), variable('payload.orders.lines.sku'))],
          },
        ],
      },
      ['>o1/o12/', 'o1.a.a', 'o1.b.b', 'o2/o22/', 'o2.c.c</p>'].join('</p><p style="margin:0 0 16px">'),
    ],
  ])('converts %s of a document to HTML', async (_, node, expected) => {
    const variables = {
      payload: {
        name: 'A&B',
        url: 'https://example.com/v',
        orders: [
          { id: 'o1', lines: [{ sku: 'a' }, { sku: 'b' }] },
          { id: 'o2', lines: [{ sku: 'c' }] },
        ],
      },
      steps: { d: { events: [{ payload: { n: 1 } }, { payload: { n: 2 } }] } },
    };
    expect(await htmlOf(doc(node), variables)).toContain(expected);
  });

  it('rejects a document whose nested lists expand to too many nodes', async () => {
    const list = { type: 'repeat', attrs: { each: 'payload.many' }, content: [] as unknown[] };
    let nested: unknown = paragraph(text('x'));
    for (let depth = 0; depth < 6; depth += 1) nested = { ...list, content: [nested] };
    const item = {
      environmentId: 'e',
      controls: { subject: 's', body: JSON.stringify(doc(nested as JsonObject)) },
      variables: { payload: { many: Array.from({ length: 100 }, (_, index) => index) } },
    };
    const fault = { path: 'body', message: expect.stringContaining('more than 10000 nodes') as string };
    expect(await renderEmails(renderer, [item])).toEqual([{ ok: false, fault }]);
  });

  it('rejects a document whose nested lists expand to too many characters', async () => {
    const html = { type: 'htmlCodeBlock', content: [text(`{{ current }}${'x'.repeat(100_000)}`)] };
    const inner = { type: 'repeat', attrs: { each: 'payload.inner' }, content: [html] };
    const outer = { type: 'repeat', attrs: { each: 'payload.outer' }, content: [inner] };
    const item = {
      environmentId: 'e',
      controls: { subject: 's', body: JSON.stringify(doc(outer)) },
      variables: { payload: { outer: Array<number>(48).fill(1), inner: Array<number>(99).fill(1) } },
    };
    const fault = { path: 'body', message: expect.stringContaining('more than 2097152 characters') as string };
    expect(await renderEmails(renderer, [item])).toEqual([{ ok: false, fault }]);
    const frame = { ...item, controls: { subject: 's', body: 'b' }, layout: doc(outer) };
    expect(await renderEmails(renderer, [frame])).toEqual([{ ok: false, fault: { ...fault, path: 'layout' } }]);
  });

  it.each([
    ['the name of a list', { type: 'repeat', attrs: { each: `a${' '.repeat(100_000)}b` }, content: [text('x')] }],
    ['a variable', variable(`a${' '.repeat(100_000)}b`)],
    ['braces that are not closed', text('{'.repeat(100_000))],
  ])('reads a document with a long run of one character in %s within the time limit', async (_, node) => {
    const [rendered] = await renderEmails(renderer, [
      { environmentId: 'e', controls: { subject: 's', body: JSON.stringify(doc(node)) }, variables: {} },
    ]);
    expect(rendered).not.toMatchObject({ fault: { message: expect.stringContaining('too costly') as string } });
  });

  it('inserts the content into a layout that is a document', async () => {
    const layout = doc(
      { type: 'section', content: [paragraph(variable('content'))] },
      paragraph(text('by {{env.name}}')),
    );
    const html = await htmlOf(
      doc(paragraph(text('<step>'))),
      { env: { name: 'Dev' } },
      { email: { body: JSON.stringify(layout) } },
    );
    expect(html).toContain('<td style="padding:12px"><p style="margin:0 0 16px">&lt;step&gt;</p></td>');
    expect(html).toContain('by Dev');
    expect(await htmlOf(doc(paragraph(text('x'))), {}, doc(paragraph(text('{{ content }}'))))).toContain(
      '<p style="margin:0 0 16px">x</p>',
    );
  });
});
