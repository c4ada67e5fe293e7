const encoded = (text: string): string => `%${text.charCodeAt(0).toString(16)}`;

/** Ways to write one path that a router and a policy may interpret differently. */
export const SPELLINGS: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'one letter percent-encoded': (path) => path.replace(/[a-z]/, encoded),
  'every letter percent-encoded': (path) => path.replace(/[a-z]/g, encoded),
  'percent-encoded twice': (path) => path.replace(/[a-z]/, (letter) => `%25${encoded(letter).slice(1)}`),
  'a percent-encoded slash': (path) => path.replace(/(?<=.)\//, '%2f'),
  'a double slash in front': (path) => `/${path}`,
  'double slashes': (path) => path.replaceAll('/', '//'),
  'a trailing slash': (path) => `${path}/`,
  'capital letters': (path) => path.toUpperCase(),
  'one capital letter': (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  'a dot segment': (path) => `/.${path}`,
  'two dots': (path) => `/docs/..${path}`,
  'percent-encoded dots': (path) => `/docs/%2e%2e${path}`,
  'a backslash': (path) => path.replace(/(?<=.)\//, '\\'),
  'a semicolon': (path) => `${path};a=b`,
  'a semicolon inside': (path) => path.replace(/(?<=.)\//, ';a=b/'),
  'a fragment': (path) => `${path}#fragment`,
  'a space': (path) => `${path}%20`,
  'a NUL': (path) => `${path}%00`,
  'half a percent escape': (path) => `${path}%`,
  'the absolute form': (path) => `http://clarion.example${path}`,
  'the absolute form in capitals': (path) => `HTTPS://CLARION.EXAMPLE${path}`,
  'a star in front': (path) => `*${path}`,
};

/** Spellings that are not a path and are answered with 400. */
export const NO_PATHS = ['the absolute form', 'the absolute form in capitals', 'a star in front'];
