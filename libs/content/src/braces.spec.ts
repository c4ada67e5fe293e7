import { mapBraces } from './braces';

describe('mapBraces', () => {
  const marked = (text: string): string => mapBraces(text, (braces) => `<${braces}>`);

  it.each([
    ['a {{ b }} c {% d %} e', 'a <{{ b }}> c <{% d %}> e'],
    ['{{}}{%%}', '<{{}}><{%%}>'],
    ['{{ a %} b }}', '<{{ a %}> b }}'],
    ['{{ {% a }} b', '<{{ {% a }}> b'],
    ['{ { a } } {', '{ { a } } {'],
    ['{{ a } } {% b', '{{ a } } {% b'],
    ['{%}', '{%}'],
    ['{{ a\n}}', '<{{ a\n}}>'],
  ])('maps the outputs and tags of %s', (text, expected) => {
    expect(marked(text)).toBe(expected);
    expect(mapBraces(text, (braces) => braces)).toBe(text);
  });
});
