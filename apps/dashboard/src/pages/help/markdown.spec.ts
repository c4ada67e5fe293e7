import { renderMarkdown } from './markdown';

const html = (...lines: string[]): string => renderMarkdown(lines.join('\n'), (address) => `/help/${address}`).html;

describe('a document as HTML', () => {
  it('takes the first heading as the title, and gives the others the anchors of GitHub', () => {
    const lines = ['# The `title`', '', '## Keys, and *their* scopes', '', '```sh', '# a comment', '```'];
    const { title, html: body } = renderMarkdown(lines.join('\n'), () => undefined);
    expect(title).toBe('The title');
    expect(body).toBe(
      '<h2 id="keys-and-their-scopes">Keys, and <em>their</em> scopes</h2>\n' +
        '<pre tabindex="0"><code># a comment</code></pre>',
    );
  });

  it('escapes text and code, and never reads what is inside of code', () => {
    expect(html('a <b> & `**c** <d> [e](f)`')).toBe('<p>a &lt;b&gt; &amp; <code>**c** &lt;d&gt; [e](f)</code></p>');
    expect(html('[x](" onclick=y)')).toBe('<p>[x](&quot; onclick=y)</p>');
  });

  it('makes links where the address is known, also around code', () => {
    expect(html('see [`doctor`](night.md#doctor), **now**')).toBe(
      '<p>see <a href="/help/night.md#doctor"><code>doctor</code></a>, <strong>now</strong></p>',
    );
    expect(renderMarkdown('[x](y)', () => undefined).html).toBe('<p>x</p>');
  });

  it('makes lists in lists, with code inside of an item', () => {
    expect(html('- one', '  more', '- two', '  - deep', '', '- three')).toBe(
      '<ul><li>one\nmore</li><li>two\n<ul><li>deep</li></ul></li><li>three</li></ul>',
    );
    expect(html('1. run', '', '   ```sh', '   ls', '   ```', '', 'end')).toBe(
      '<ol><li>run\n<pre tabindex="0"><code>ls</code></pre></li></ol>\n<p>end</p>',
    );
  });

  it('makes tables whose cells may hold a bar', () => {
    expect(html('| a | b |', '| --- | ---: |', '| `x` | y \\| z |')).toBe(
      '<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th>a</th><th>b</th></tr>' +
        '</thead><tbody><tr><td><code>x</code></td><td>y | z</td></tr></tbody></table></div>',
    );
  });

  it('makes quotes', () => {
    expect(html('> one', '> two')).toBe('<blockquote><p>one\ntwo</p></blockquote>');
  });
});
