import { trackedHtml } from './tracked-html';

const linkFor = (url: string): string | undefined =>
  url.startsWith('https://own.test/') ? undefined : `https://own.test/t/c/${Buffer.from(url).toString('base64url')}`;
const tracked = (url: string): string => `https://own.test/t/c/${Buffer.from(url).toString('base64url')}`;
const withLinks = (html: string): string => trackedHtml(html, { linkFor });

describe('trackedHtml', () => {
  it('replaces the web addresses of links, with entities decoded', () => {
    expect(withLinks('<a class="b" href="https://x.test/?a=1&amp;b=2">x</a>')).toBe(
      `<a class="b" href="${tracked('https://x.test/?a=1&b=2')}">x</a>`,
    );
    expect(withLinks(`<map><area href='HTTP://x.test/'></map>`)).toBe(
      `<map><area href="${tracked('HTTP://x.test/')}"></map>`,
    );
  });

  it.each([
    '<a data-no-track href="https://x.test/">x</a>',
    '<a href="https://x.test/" data-no-track="">x</a>',
    '<a href="mailto:a@x.test">x</a>',
    '<a href="tel:+1555">x</a>',
    '<a href="#top">x</a>',
    '<a href="/path">x</a>',
    '<a href="https://own.test/u/abc">x</a>',
    '<a href="https://">x</a>',
    `<a href="https://x.test/${'y'.repeat(1_500)}">x</a>`,
    '<a name="anchor">x</a>',
    '<abbr href="https://x.test/">x</abbr>',
    '<p>href="https://x.test/"</p>',
    '<img src="https://x.test/a.png">',
  ])('leaves alone: %s', (html) => expect(withLinks(html)).toBe(html));

  it('tracks the first 1000 links', () => {
    const link = '<a href="https://x.test/">x</a>';
    expect(withLinks(link.repeat(1_200))).toBe(withLinks(link).repeat(1_000) + link.repeat(200));
  });

  it('puts the picture at the end of the body', () => {
    const pixel = 'https://own.test/t/o/a?b&c';
    const picture = '<img src="https://own.test/t/o/a?b&amp;c" width="1" height="1" alt="" style="border:0" />';
    expect(trackedHtml('<p>x</p>', { pixel })).toBe(`<p>x</p>${picture}`);
    expect(trackedHtml('<html><body><p>x</p></body></html>', { pixel })).toBe(
      `<html><body><p>x</p>${picture}</body></html>`,
    );
  });

  it('takes linear time for tags that do not end', () => {
    const begin = performance.now();
    withLinks('<a href="'.repeat(200_000));
    withLinks(`<a${' '.repeat(500_000)}`);
    withLinks(`<a ${'href= '.repeat(100_000)}>`);
    expect(performance.now() - begin).toBeLessThan(30_000);
  });
});
