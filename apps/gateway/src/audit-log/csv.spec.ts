import { csvCell } from './csv';

describe('csvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+15005550006', "'+15005550006"],
    ['@cmd', "'@cmd"],
    ['-1', "'-1"],
    ['\tx', "'\tx"],
    ['', ''],
  ])('writes the text %j as the CSV cell %s', (text, cell) => expect(csvCell(text)).toBe(cell));
});
