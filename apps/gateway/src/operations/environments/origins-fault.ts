/** Why a list of origins is invalid; undefined if it is valid. A browser sends an origin in exactly this form. */
export function originsFault(origins: string[] | null): string | undefined {
  const wrong = origins?.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return undefined;
  return `must be origins such as https://app.example.com or http://localhost:3000, without a path; ${wrong} is not`;
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && origin === text;
}
