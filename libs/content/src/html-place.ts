/** Follows HTML while it is written, to know at which place the next value is. */
export type HtmlPlace =
  /** Text, comments, and attributes with quotes: entities are all that a value needs. */
  | { kind: 'text' }
  /** Inside a tag, outside the values of its attributes. `isBegun` when the name has characters already. */
  | { kind: 'tag name' | 'attribute name'; isBegun: boolean }
  /** The value of an attribute without quotes. */
  | { kind: 'unquoted'; isBegun: boolean; css?: CssPlace }
  /** A style attribute with quotes, and the content of a style element. */
  | { kind: 'style attribute' | 'style element'; css: CssPlace };

/** In CSS: after the colon of a declaration, or anywhere else. */
export type CssPlace = 'value' | 'elsewhere';

type State =
  | 'text'
  | 'opened'
  | 'declaration'
  | 'comment'
  | 'ignored'
  | 'raw'
  | 'tag name'
  | 'in tag'
  | 'attribute name'
  | 'after name'
  | 'before value'
  | 'double quoted'
  | 'single quoted'
  | 'unquoted';

const TEXT: HtmlPlace = { kind: 'text' };

/** Elements whose content has no tags, to all parsers. */
const RAW = new Set(['style', 'script', 'title', 'textarea']);

/** Whole tags without anything unusual and the text between them, which is faster than sign by sign. */
const PLAIN_TAGS =
  /(?:\/?(?!style|script|title|textarea)[a-z][a-z0-9]*(?:\s+[a-z-]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*\s*>[^<]*<)+/iy;

const isSpace = (sign: string): boolean =>
  sign === ' ' || sign === '\n' || sign === '\t' || sign === '\r' || sign === '\f';
const isLetter = (sign: string): boolean => (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');

export class HtmlPlaces {
  private state: State = 'text';
  /** The name of the tag, of the attribute, or what was read to recognize the end of the state. */
  private tag = '';
  private isEndTag = false;
  private attribute = '';
  private tail = '';
  private css = new CssReader();

  get place(): HtmlPlace {
    switch (this.state) {
      case 'opened':
        return { kind: 'tag name', isBegun: false };
      case 'tag name':
        return { kind: 'tag name', isBegun: true };
      case 'attribute name':
        return { kind: 'attribute name', isBegun: true };
      case 'in tag':
      case 'after name':
        return { kind: 'attribute name', isBegun: false };
      case 'before value':
      case 'unquoted':
        return {
          kind: 'unquoted',
          isBegun: this.state === 'unquoted',
          ...(this.isStyle && { css: this.css.place }),
        };
      case 'double quoted':
      case 'single quoted':
        return this.isStyle ? { kind: 'style attribute', css: this.css.place } : TEXT;
      case 'raw':
        return this.tag === 'style' ? { kind: 'style element', css: this.css.place } : TEXT;
      default:
        return TEXT;
    }
  }

  write(html: string): void {
    for (let at = 0; at < html.length;) at = this.read(html, at);
  }

  private get isStyle(): boolean {
    return this.attribute === 'style';
  }

  /** Reads one character, or as many as the state skips. Returns the index of the next one. */
  private read(html: string, at: number): number {
    const sign = html[at]!;
    switch (this.state) {
      case 'text': {
        const open = html.indexOf('<', at);
        if (open < 0) return html.length;
        this.to('opened');
        return open + 1;
      }
      case 'opened':
        PLAIN_TAGS.lastIndex = at;
        return PLAIN_TAGS.test(html) ? PLAIN_TAGS.lastIndex : this.readOpened(sign, at);
      case 'declaration':
        this.tail += sign;
        if (this.tail === '--') this.to('comment');
        else if (sign === '>') this.to('text');
        else if (this.tail.length === 2) this.state = 'ignored';
        return at + 1;
      case 'comment':
        return this.readComment(html, at);
      case 'ignored': {
        const close = html.indexOf('>', at);
        if (close < 0) return html.length;
        this.to('text');
        return close + 1;
      }
      case 'raw':
        return this.readRaw(html, at);
      case 'double quoted':
        return this.readQuoted(html, at, '"');
      case 'single quoted':
        return this.readQuoted(html, at, "'");
      default:
        this.readInTag(sign);
        return at + 1;
    }
  }

  private to(state: State): void {
    this.state = state;
    this.tail = '';
  }

  /** After `<`. */
  private readOpened(sign: string, at: number): number {
    if (isLetter(sign)) {
      this.tag = sign.toLowerCase();
      this.isEndTag = false;
      this.state = 'tag name';
    } else if (sign === '/') {
      this.tag = '';
      this.isEndTag = true;
      this.state = 'tag name';
    } else if (sign === '!') {
      this.to('declaration');
    } else if (sign === '?') {
      this.to('ignored');
    } else {
      this.to('text');
      return at;
    }
    return at + 1;
  }

  /** A conditional comment is read by some mail programs, so what follows its condition is no comment here. */
  private readComment(html: string, at: number): number {
    const sign = html[at]!;
    if (this.tail.length < 3) this.tail += sign;
    else this.tail = this.tail.slice(-2) + sign;
    if (this.tail === '[if') this.to('ignored');
    else if (this.tail.endsWith('-->') || this.tail === '>' || this.tail === '->') this.to('text');
    return at + 1;
  }

  /** The content of an element without tags, until its end tag. */
  private readRaw(html: string, at: number): number {
    if (this.tail === '') {
      const open = html.indexOf('<', at);
      if (this.tag === 'style') this.css.read(html.slice(at, open < 0 ? undefined : open));
      if (open < 0) return html.length;
      this.tail = '<';
      return open + 1;
    }
    const sign = html[at]!;
    const end = `</${this.tag}`;
    if (this.tail === end) {
      this.isEndTag = true;
      this.to(isSpace(sign) || sign === '/' || sign === '>' ? 'in tag' : 'raw');
      return at;
    }
    this.tail += sign.toLowerCase();
    if (end.startsWith(this.tail)) return at + 1;
    this.tail = '';
    return at;
  }

  private readQuoted(html: string, at: number, quote: string): number {
    const close = html.indexOf(quote, at);
    const end = close < 0 ? html.length : close;
    if (this.isStyle) this.css.read(html.slice(at, end));
    if (close < 0) return html.length;
    this.to('in tag');
    return close + 1;
  }

  private readInTag(sign: string): void {
    const { state } = this;
    if (sign === '>') return this.endTag();
    if (state === 'unquoted' || state === 'before value') return this.readValue(sign);
    if (isSpace(sign) || sign === '/') {
      if (state === 'tag name') this.state = 'in tag';
      else if (state === 'attribute name') this.state = sign === '/' ? 'in tag' : 'after name';
      return;
    }
    if (state === 'tag name') {
      this.tag += sign.toLowerCase();
    } else if (sign === '=' && state !== 'in tag') {
      this.state = 'before value';
      this.css = new CssReader();
    } else if (state === 'attribute name') {
      this.attribute += sign.toLowerCase();
    } else {
      this.attribute = sign.toLowerCase();
      this.state = 'attribute name';
    }
  }

  private readValue(sign: string): void {
    if (this.state === 'before value') {
      if (isSpace(sign)) return;
      if (sign === '"' || sign === "'") return this.to(sign === '"' ? 'double quoted' : 'single quoted');
      this.state = 'unquoted';
    }
    if (isSpace(sign)) this.state = 'in tag';
    else if (this.isStyle) this.css.read(sign);
  }

  private endTag(): void {
    const isRaw = !this.isEndTag && RAW.has(this.tag);
    this.to(isRaw ? 'raw' : 'text');
    this.css = new CssReader(isRaw);
    this.attribute = '';
  }
}

/** Knows whether the next sign of CSS belongs to the value of a declaration. */
class CssReader {
  /** What was read since the place was asked for. */
  private open = '';
  private blocks = 0;
  private isValue = false;

  /** A style element has blocks of declarations; a style attribute is one. */
  constructor(private readonly isSheet = false) {}

  get place(): CssPlace {
    for (const [sign] of this.open.matchAll(/[:;{}]/g)) {
      this.isValue = sign === ':';
      if (sign === '{') this.blocks += 1;
      else if (sign === '}') this.blocks = Math.max(this.blocks - 1, 0);
    }
    this.open = '';
    return this.isValue && (!this.isSheet || this.blocks > 0) ? 'value' : 'elsewhere';
  }

  read(css: string): void {
    this.open += css;
  }
}
