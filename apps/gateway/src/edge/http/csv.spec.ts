import { csvOf } from './csv';

describe('csvOf', () => {
  const { head, line } = csvOf<string>({ first: (text) => text, second: () => null });

  it('writes a line of names', () => expect(head).toBe('"first","second"\r\n'));

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', 'a,b'],
    ['say "hi"', 'say ""hi""'],
    ['=HYPERLINK("http://x")', `'=HYPERLINK(""http://x"")`],
    ['+15005550006', "'+15005550006"],
    ['@cmd', "'@cmd"],
    ['-1', "'-1"],
    ['＝1', "'＝1"],
    ['\t=1', "\t'=1"],
    ['  =1', "  '=1"],
    ['x;=1', "x;'=1"],
    ['x,+1', "x,'+1"],
    ['x|@a', "x|'@a"],
    ['x\t-1', "x\t'-1"],
    ['x\r\n=1', "x\r\n'=1"],
    ['x"=1', `x""'=1`],
    ['x;=1; =2', "x;'=1; '=2"],
    ['email failed: a - b, c=1 at 2026-01-02', 'email failed: a - b, c=1 at 2026-01-02'],
  ])('quotes the text %j and lets no part of it be a formula', (text, cell) => {
    expect(line(text)).toBe(`"${cell}",""\r\n`);
  });

  it('reads a long run of blanks once', () => {
    const text = `x${' '.repeat(1_000_000)}y`;
    expect(line(text)).toBe(`"${text}",""\r\n`);
  });
});
