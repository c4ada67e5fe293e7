import { withoutTrailingSlashes } from './trailing-slashes';

describe('withoutTrailingSlashes', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example//b///', 'https://a.example//b'],
    ['///', ''],
  ])('reads %p as %p', (url, expected) => {
    expect(withoutTrailingSlashes(url)).toBe(expected);
  });

  it('reads a million slashes that are not at the end', () => {
    const url = `${'/'.repeat(1_000_000)}x`;
    expect(withoutTrailingSlashes(url)).toBe(url);
  });
});
