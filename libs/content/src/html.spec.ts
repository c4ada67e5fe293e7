import { checkNesting, emailUrl, safeUrl, sanitizeEmail, sanitizeInApp } from './html';

describe('safeUrl', () => {
  it.each([
    'https://example.com/a?b=1&c=d e',
    'HTTP://example.com',
    'mailto:a@example.com',
    '/orders/1',
    ' https://example.com/trimmed ',
  ])('accepts the URL %j', (url) => {
    expect(safeUrl(url)).toBe(url.trim());
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https:',
    'orders/1',
    '',
    7,
    null,
  ])('rejects the URL %j', (url) => {
    expect(safeUrl(url)).toBeUndefined();
  });

  it('allows more URL schemes in emails', () => {
    expect(emailUrl('tel:+123')).toBe('tel:+123');
    expect(emailUrl('cid:logo')).toBe('cid:logo');
    expect(safeUrl('tel:+123')).toBeUndefined();
    expect(emailUrl('javascript:alert(1)')).toBeUndefined();
  });
});

describe('sanitizeEmail', () => {
  it('keeps the tags and attributes that emails need', () => {
    const html =
      '<!DOCTYPE html>\n<html lang="en"><head><title>T</title><style>a { color: red }</style></head>' +
      '<body bgcolor="#fff"><table width="100%" cellpadding="0"><tr><td colspan="2" style="color:red">' +
      '<a href="https://example.com/?a=1&amp;b=2" target="_blank">x</a><a href="tel:+1">t</a>' +
      '<font color="red">f</font><center>c</center></td></tr></table></body></html>';
    expect(sanitizeEmail(html)).toBe(html);
    expect(sanitizeEmail('<img src="cid:logo" alt="L" />')).toBe('<img src="cid:logo" alt="L" />');
  });

  it.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<p onclick="alert(1)" onload=x>a</p>', '<p>a</p>'],
    ['<iframe src="https://example.com"></iframe>a', 'a'],
    ['<form action="https://example.com"><input name="a">a</form>', 'a'],
    ['<object data="x"></object><embed src="x">a', 'a'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="jav&#x09;ascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="//evil.example">a</a>', '<a>a</a>'],
    ['<img src="data:image/png;base64,AA" alt="x" />', '<img alt="x" />'],
    ['<td background="javascript:x">a</td>', '<td>a</td>'],
    [
      '<meta http-equiv="refresh" content="0;url=https://evil.example" />a',
      '<meta content="0;url=https://evil.example" />a',
    ],
    ['<base href="https://evil.example">a', 'a'],
    ['<svg><script>alert(1)</script></svg>a', 'a'],
    ['<!-- [if x]><script>alert(1)</script><![endif] -->a', 'a'],
  ])('removes active content from %s', (html, expected) => {
    expect(sanitizeEmail(html)).toBe(expected);
  });
});

describe('sanitizeInApp', () => {
  it('keeps simple formatting and removes styles and active content', () => {
    expect(
      sanitizeInApp(
        '<b style="position:fixed" onclick="x()">Hi</b> <a href="https://example.com" target="_blank">x</a>' +
          '<style>*{display:none}</style><script>alert(1)</script><a href="javascript:x">y</a>',
      ),
    ).toBe('<b>Hi</b> <a href="https://example.com" target="_blank">x</a><a>y</a>');
  });

  it('returns a text without tags unchanged', () => {
    expect(sanitizeInApp('Tom & Jerry > "all" &lt;b&gt;')).toBe('Tom & Jerry > "all" &lt;b&gt;');
  });
});

describe('checkNesting', () => {
  it.each([
    ['a long list without end tags', '<ul>' + '<li>a'.repeat(5_000)],
    ['many paragraphs and breaks', '<p>a<br>'.repeat(5_000)],
    ['a long table', `<table>${'<tr><td><b>a</b></td></tr>'.repeat(5_000)}</table>`],
  ])('accepts %s', (_, html) => {
    expect(() => checkNesting(html)).not.toThrow();
  });

  it.each([
    ['<b>'.repeat(1_000)],
    ['<ul><li>'.repeat(1_000)],
    ['<DIV>'.repeat(600) + 'x' + '</DIV>'.repeat(600)],
    ['</b>'.repeat(1_000) + '<b>'.repeat(1_000)],
  ])('rejects HTML that is nested too deeply', (html) => {
    expect(() => checkNesting(html)).toThrow('is nested too deeply');
  });
});
