const DOTS = '••••';
/** The last characters of a shorter secret would reveal too much of it. */
const SHORTEST_WITH_END = 16;

/** Copying a mask may add white space before it. */
export const isMask = (text: string): boolean => text.trimStart().startsWith(DOTS);

/** A secret as a caller sees it that may not read it. */
export function maskText(text: string): string {
  if (text === '') return '';
  return text.length < SHORTEST_WITH_END ? DOTS : DOTS + text.slice(-4);
}

/** A URL whose query may hold a token, as a caller sees it that may not read it. */
export const maskQuery = (url: string): string => {
  const [address, ...query] = url.split('?');
  return [address, ...query.map((part) => part.replace(/=[^&#]+/g, `=${DOTS}`))].join('?');
};
