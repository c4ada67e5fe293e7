import { namesIn, type Prose, proseOf, readSources, testTitles } from './sources';

/**
 * Words that a reader from another country stumbles over, and subjects that hide who acts. CONTRIBUTING says what to
 * write instead: the actor (the worker, the caller, another engine) and the standard term (lease, permit, retry).
 */
const AVOIDED: readonly RegExp[] = [
  /\b(nobody|somebody|anybody|everybody|whoever|whomever)\b/i,
  // "a lease of its own", but not "the rows of its own environment"
  /\b(of|on) (its|their|his|her) own\b(?=[.,;:)'"]|$| (and|or|is|are|was|in|with)\b)/i,
  /\bwhat became of\b/i,
  /\bwhatever (is|was|comes|has|else|finished|fails|happens)\b/i,
  /\bmourn/i,
  /\bpatience\b/i,
  /\briddle\b/i,
  /\b(out of|in) the house\b/i,
  /\b(the|a|before the|at the) doors?\b/i,
  /\bby another way\b/i,
  /\blet(s|ting)? go\b/i,
  /\bcould not be done\b/i,
];

/** Matches every text with one of them. What must follow a word is left out: quotes and code end a text too. */
const MAY_BE_AVOIDED = new RegExp(AVOIDED.map(({ source }) => source.replace(/\(\?=.*$/, '')).join('|'), 'i');

/** The same in names of the code. */
const AVOIDED_NAMES = /letGo|patien(t|ce)|mourn|riddle|nobody|somebody|anybody|everybody|who(m)?ever/i;

/** This file has to name the words that it looks for. */
const EXEMPT = ['tools/repository-specs/src/plain-english.spec.ts', 'CODE_OF_CONDUCT.md'];

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** Code in backticks is quoted, not written; a string without a space is data, such as the id of a subscriber. */
const isProse = ({ kind, text }: Prose): boolean => kind === 'comment' || /\s/.test(text.trim());
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));

function avoidedWords(pieces: readonly Prose[]): string[] {
  return pieces.filter(isProse).flatMap(({ line, text: written }) =>
    AVOIDED.flatMap((pattern) => {
      const text = withoutCode(written);
      const match = pattern.exec(text);
      return match ? [`${line + lineOf(text, match.index) - 1}: "${match[0]}"`] : [];
    }),
  );
}

/** A verb in the third person, a name, or a part that is filled in; then something that it acts on. */
const SENTENCE = /^([a-z]+s|never|neither|an?|the|[A-Z$%]\S*)\b\S* \S+|[$%]/;

describe('plain technical English', () => {
  it('begins every test title with a verb in the third person or with the name of its subject', () => {
    const titles = readSources('.spec.ts', 'libs/providers/test/contract.ts').flatMap((source) =>
      testTitles(source).map(({ line, title }) => ({ at: `${source.path}:${line}`, title })),
    );
    expect(titles.length).toBeGreaterThan(2_000);
    expect(titles.filter(({ title }) => !SENTENCE.test(title))).toEqual([]);
  });

  it.each(['are dropped', 'without a message', 'of another account are others', 'retries'])(
    'rejects the fragment "%s" as a title',
    (title) => {
      expect(title).not.toMatch(SENTENCE);
    },
  );

  it('names the actor in every comment, message and test title of the code', () => {
    const code = readSources('.ts', '.tsx', '.mjs', '.cjs').filter(({ path }) => !EXEMPT.includes(path));
    expect(code.length).toBeGreaterThan(500);
    const suspects = code.filter(({ text }) => MAY_BE_AVOIDED.test(text));
    expect(suspects.length).toBeGreaterThan(0);
    const found = suspects.flatMap((source) => avoidedWords(proseOf(source)).map((word) => `${source.path}:${word}`));
    expect(found).toEqual([]);
  });

  it('uses these words in no name of the code either', () => {
    const code = readSources('.ts', '.tsx', '.mjs', '.cjs').filter(({ path }) => !EXEMPT.includes(path));
    expect(code.flatMap((source) => namesIn(source, AVOIDED_NAMES))).toEqual([]);
    const text = "const nobody = { letGo: 'nobody' }; // letGo";
    expect(namesIn({ path: 'a.ts', text }, AVOIDED_NAMES)).toEqual(['a.ts:1: nobody', 'a.ts:1: letGo']);
  });

  it('names the actor in every document', () => {
    const documents = readSources('.md', '.yaml', '.yml').filter(({ path }) => !EXEMPT.includes(path));
    expect(documents.length).toBeGreaterThan(10);
    const found = documents.flatMap(({ path, text }) =>
      avoidedWords(text.split('\n').map((line, index) => ({ kind: 'comment', line: index + 1, text: line }))).map(
        (word) => `${path}:${word}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('finds an avoided word in a comment, a title and a message', () => {
    const text = [
      '/** Whoever waits. */',
      "it('takes a turn of its own', () => undefined);",
      'log.warn(`${id} is a riddle`);',
    ].join('\n');
    expect(text.split('\n').every((line) => MAY_BE_AVOIDED.test(line))).toBe(true);
    expect(avoidedWords(proseOf({ path: 'a.ts', text }))).toEqual(['1: "Whoever"', '2: "of its own"', '3: "riddle"']);
  });
});
