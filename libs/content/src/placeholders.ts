import type { PlacedValues } from './email-outline';
import type { OutlineValue } from './outline';

/** Written before the placeholder of a whole URL, so that the placeholder is a URL, too. */
const SCHEME = 'https://';

/** Words that no author can have written, because they contain a random secret. Each place has its own. */
export class Placeholders {
  readonly pattern: RegExp;
  /** The numbers of the placeholders in the body and the layout: their values are seen in the HTML. */
  readonly shown: number[] = [];
  readonly inserts: number[] = [];
  private valueOf: number[] = [];
  private urls = new Set<number>();
  private readonly indexes = new Map<string, number>();

  constructor(
    private readonly secret: string,
    private readonly values: OutlineValue[],
    private readonly empty: number[],
  ) {
    this.pattern = new RegExp(`zq${secret}x(\\d+)z`, 'g');
  }

  /** Begins again; these placeholders become URLs. */
  restart(urls: number[]): void {
    this.urls = new Set(urls);
    this.valueOf = [];
    this.shown.length = 0;
    this.inserts.length = 0;
  }

  /** The text for the next place of this value. */
  of(value: OutlineValue, isShown: boolean): string {
    const key = JSON.stringify([value.path, value.fallback ?? null]);
    const index = this.indexes.get(key) ?? this.values.push(value) - 1;
    this.indexes.set(key, index);
    this.inserts[index] = (this.inserts[index] ?? 0) + 1;
    const number = this.valueOf.push(index) - 1;
    if (this.empty.includes(index)) return '';
    if (isShown) this.shown.push(number);
    return `${this.isUrl(number) ? SCHEME : ''}zq${this.secret}x${number}z`;
  }

  isUrl(number: number): boolean {
    return this.urls.has(number);
  }

  /** True when the text contains the secret in any spelling. */
  isPartOf(text: string): boolean {
    return text.toLowerCase().includes(this.secret);
  }

  in(text: string): number[] {
    return [...text.matchAll(this.pattern)].map(([, number]) => Number(number));
  }

  remove(text: string): string {
    return text.replaceAll(this.pattern, '');
  }

  split(text: string): PlacedValues {
    const literals: string[] = [];
    const values: number[] = [];
    let from = 0;
    for (const match of text.matchAll(this.pattern)) {
      const number = Number(match[1]);
      const literal = text.slice(from, match.index);
      // Without its scheme the placeholder of a URL is left in the text, where `isPartOf` finds it.
      if (this.isUrl(number) && !literal.endsWith(SCHEME)) return { literals: [text], values: [] };
      literals.push(this.isUrl(number) ? literal.slice(0, -SCHEME.length) : literal);
      values.push(this.valueOf[number]!);
      from = match.index + match[0].length;
    }
    return { literals: [...literals, text.slice(from)], values };
  }

  /** The indexes of the values that are URLs; undefined when a value is a URL at one place and a word at another. */
  urlValues(): number[] | undefined {
    const urls = new Set([...this.urls].map((number) => this.valueOf[number]!));
    const isMixed = this.valueOf.some((index, number) => urls.has(index) && !this.isUrl(number));
    return isMixed ? undefined : [...urls];
  }
}
