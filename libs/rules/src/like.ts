import { Work } from './work';

/**
 * LIKE as in SQL: `%` matches any text, `_` any single character, `\` escapes them. A pattern without `%` and `_`
 * matches anywhere in the text. No regular expression is used, because tenants write both sides. Throws when the work
 * exceeds the budget.
 */
export function isLike(text: string, pattern: string, work = new Work()): boolean {
  const tokens = tokensOf(pattern);
  if (!tokens.every((token) => typeof token === 'string')) {
    work.spend(text.length / 16);
    return matches([...text], tokens, work);
  }
  work.spendOnSearch(text, pattern);
  return text.includes(tokens.join(''));
}

const ANY_TEXT = Symbol('%');
const ANY_CHARACTER = Symbol('_');
type Token = string | typeof ANY_TEXT | typeof ANY_CHARACTER;

/** Character comparisons that cost as much as one step of a rule. */
const COMPARISONS = 32;

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    const next = characters[at + 1];
    if (character === '\\' && next !== undefined && '%_\\'.includes(next)) {
      tokens.push(next);
      at++;
    } else tokens.push(character === '%' ? ANY_TEXT : character === '_' ? ANY_CHARACTER : character);
  }
  return tokens;
}

/** On a mismatch only the last `%` matches one more character, so the work is at most text times pattern. */
function matches(text: string[], tokens: Token[], work: Work): boolean {
  let at = 0;
  let token = 0;
  let resume: { at: number; token: number } | undefined;
  for (let comparisons = 0; at < text.length; comparisons++) {
    if (comparisons % COMPARISONS === 0) work.spend(1);
    if (tokens[token] === ANY_TEXT) resume = { at, token: ++token };
    else if (tokens[token] === ANY_CHARACTER || tokens[token] === text[at]) {
      at++;
      token++;
    } else if (resume) {
      resume.at++;
      ({ at, token } = resume);
    } else return false;
  }
  while (tokens[token] === ANY_TEXT) token++;
  return token === tokens.length;
}
