import { readStrict } from './strict-html';

describe('readStrict', () => {
  it('reads tags, attributes, texts, comments and the content of title and style', () => {
    const html =
      '<!DOCTYPE html><title>T</title><STYLE>p > a{}</STYLE><!-- <b> --><a Href="x>y" id=1 hidden title=\'"\'>t<br/></A >';
    expect(readStrict(html)).toEqual([
      { kind: 'other', text: '<!DOCTYPE html>' },
      { kind: 'open', tag: 'title', attributes: [] },
      { kind: 'text', text: 'T', inside: 'title' },
      { kind: 'close', tag: 'title' },
      { kind: 'open', tag: 'style', attributes: [] },
      { kind: 'other', text: 'p > a{}' },
      { kind: 'close', tag: 'style' },
      { kind: 'other', text: '<!-- <b> -->' },
      {
        kind: 'open',
        tag: 'a',
        attributes: [
          { name: 'href', value: 'x>y', isQuoted: true },
          { name: 'id', value: '1', isQuoted: false },
          { name: 'hidden', value: '', isQuoted: false },
          { name: 'title', value: '"', isQuoted: true },
        ],
      },
      { kind: 'text', text: 't' },
      { kind: 'open', tag: 'br', attributes: [] },
      { kind: 'close', tag: 'a' },
    ]);
  });

  it.each([
    ...[
      'a < b',
      '<',
      '</',
      '</p',
      '<p',
      '<p class="x>',
      '<a href="x"title="y">',
      '<a href=">',
      '<p =x>',
      '<p/x>',
      '</p x>',
    ],
    ...['<!-->', '<!--->', '<!-- a', '<!-- a --!> b -->', '<!x>', '<?x?>', '<![CDATA[x]]>', '<o:p>', '<p\0>'],
    ...[
      '<script>',
      '<textarea>',
      '<iframe>',
      '<svg>',
      '<title>a<b></title>',
      '<title>',
      '<title/>x',
      '<style>a</title>',
    ],
  ])('returns nothing for %s, which parsers may read in different ways', (html) => {
    expect(readStrict(html)).toBeUndefined();
  });
});
