import { CaptureTag, Context, Drop, EchoTag, type Emitter, type Liquid, type Value } from 'liquidjs';
import { mapBraces } from './braces';
import { escapeHtml, escapeHtmlOnce, unescapeHtml } from './escape';
import type { HtmlPlaces } from './html-place';
import { isCssAtom, placedValue } from './placed-value';

/**
 * What a text becomes. Decides how values are written into it:
 * - `text` (subjects, sms, chat, push, digest keys): as they are.
 * - `html` (bodies of emails): escaped, unless the last filter is `raw`. At a place where escaping is not enough (a
 *   tag, an attribute without quotes, CSS) a value that is more than one plain value is left out.
 * - `layout`: as `html`, and `content` is the HTML of the step.
 * - `feed` (in-app texts without a tag of the author): a value is escaped only when it contains a `<`. Some clients
 *   show such texts as text and others as HTML; without a tag both show the same.
 */
export type TextMode = 'text' | 'html' | 'layout' | 'feed';

/** The Liquid context of one rendering; passes the mode, and the place of the next value, to filters and tags. */
export class TextContext extends Context {
  /** Where the open emitter is in the HTML. */
  places?: HtmlPlaces;
  /** How many captures are open, and how many values in captures were more than an atom of CSS. */
  private captures = 0;
  private captured = 0;
  private authored?: Set<string>;

  constructor(
    private readonly template: string,
    variables: object,
    readonly mode: TextMode,
    engine: Liquid,
  ) {
    super(variables, engine.options, { sync: true }, { liquid: engine });
  }

  /** The value as it is written at the current place. `html` is set when it is HTML already. */
  write(text: string, html?: Html): string {
    if (html?.isRaw) return text;
    const plain = html ? unescapeHtml(text) : text;
    if (this.captures > 0 && !isCssAtom(plain)) this.captured += 1;
    const place = this.places?.place ?? { kind: 'text' };
    if (place.kind === 'text') {
      const isReadable = html !== undefined || (this.mode === 'feed' && !text.includes('<'));
      return isReadable ? text : escapeHtml(text);
    }
    return placedValue(plain, place, () => this.styles.has(plain));
  }

  /** Renders a capture. Remembers its text if it contains nothing but what the author wrote, and atoms. */
  *capture(rendering: Iterable<unknown>, textOf: () => unknown): Generator<unknown, void, string> {
    const { captured } = this;
    this.captures += 1;
    yield* rendering as Generator<unknown, void, string>;
    this.captures -= 1;
    const text = textOf();
    if (typeof text === 'string' && this.captured === captured) this.styles.add(unescapeHtml(text));
  }

  /** What may be CSS of the author: texts between quotes in the template, and captures. */
  private get styles(): Set<string> {
    return (this.authored ??= quotedIn(this.template));
  }
}

function quotedIn(template: string): Set<string> {
  const quoted = new Set<string>();
  mapBraces(template, (braces) => {
    for (const [, double, single] of braces.matchAll(/"([^"]*)"|'([^']*)'/g)) quoted.add(double ?? single!);
    return '';
  });
  return quoted;
}

const escapes = (context: Context): boolean => context instanceof TextContext && context.mode !== 'text';

/** HTML that is not escaped again: the values in it were escaped when it was made. */
export class Html extends Drop {
  /** `isRaw`: the author says that it is fine as it is, at any place. */
  constructor(
    private readonly html: string,
    readonly isRaw = false,
  ) {
    super();
  }

  get size(): number {
    return this.html.length;
  }

  override valueOf(): string {
    return this.html;
  }

  override toString(): string {
    return this.html;
  }
}

type FilterScope = { context: Context };

/** Writes a value: lists and objects as JSON with single quotes, so that they fit inside an attribute. */
export function print(this: FilterScope, value: unknown): string {
  const html = value instanceof Html ? value : undefined;
  const text = html ? String(html) : textOf(this, value);
  return escapes(this.context) ? (this.context as TextContext).write(text, html) : text;
}

function textOf({ context }: FilterScope, value: unknown): string {
  const plain = plainOf(value);
  if (plain === undefined || plain === null) return '';
  if (typeof plain !== 'object') return String(plain);
  const json = JSON.stringify(plain, (_, member: unknown) => {
    context.memoryLimit.use(typeof member === 'string' ? member.length : 1);
    return member;
  });
  return json.replaceAll('"', "'");
}

const plainOf = (value: unknown): unknown => (value instanceof Drop ? value.valueOf() : value);

const asHtml = (value: unknown): unknown =>
  typeof value === 'string' ? escapeHtml(value) : value instanceof Html ? String(value) : value;

type Handler = (this: FilterScope, ...values: unknown[]) => unknown;
type HtmlFilter = (scope: FilterScope, value: unknown, original: (value: unknown) => string) => Html;

/** Filters that return HTML. A value that is HTML already is not escaped again. */
const MAKING_HTML = new Map<string, HtmlFilter>([
  ['raw', (scope, value) => new Html(value instanceof Html ? String(value) : textOf(scope, value), true)],
  ['escape', escaped],
  ['xml_escape', escaped],
  ['escape_once', (scope, value) => (value instanceof Html ? value : new Html(escapeHtmlOnce(textOf(scope, value))))],
  // A value with tags is HTML, so its entities are kept.
  ['strip_html', (_place, value, original) => new Html(escapeHtmlOnce(original(plainOf(value))))],
  ['newline_to_br', (scope, value, original) => new Html(original(String(escaped(scope, value))))],
]);

function escaped(scope: FilterScope, value: unknown): Html {
  return value instanceof Html ? value : new Html(escapeHtml(textOf(scope, value)));
}

/** Filters that keep tags intact. Filters that cut or decode return text when the HTML contains tags. */
const KEEPING_TAGS = new Set([
  ...['append', 'prepend', 'strip', 'lstrip', 'rstrip', 'strip_newlines', 'upcase', 'downcase', 'capitalize'],
  ...['replace', 'replace_first', 'replace_last', 'normalize_whitespace'],
]);
const DECODING = new Set(['url_decode', 'base64_decode', 'split', 'json', 'jsonify', 'inspect']);
/** Filters whose first argument is searched for and never written. */
const SEARCHING = new Set(['replace', 'replace_first', 'replace_last']);

/** HTML results are marked as `Html` and not escaped again. Text that is joined with HTML is escaped first. */
export function htmlAware(name: string, handler: Handler): Handler {
  const makeHtml = MAKING_HTML.get(name);
  return function (value, ...others) {
    const apply = (...given: unknown[]): unknown => handler.apply(this, given);
    if (!escapes(this.context)) return apply(value, ...others);
    if (makeHtml) return makeHtml(this, value, apply as (value: unknown) => string);
    // Returns one of its arguments unchanged.
    if (name === 'default') return apply(value, ...others);
    if (![value, ...others].some((member) => member instanceof Html)) return apply(value, ...others);
    const isText = typeof value === 'string' || value instanceof Html;
    const keepsHtml = KEEPING_TAGS.has(name) || (!DECODING.has(name) && !String(value).includes('<'));
    if (!isText || !keepsHtml) return apply(plainOf(value), ...others.map(plainOf));
    const safe = others.map((other, at) => (at === 0 && SEARCHING.has(name) ? plainOf(other) : asHtml(other)));
    const result = apply(asHtml(value), ...safe);
    const isRaw = [value, ...others].every((member) => member instanceof Html && member.isRaw);
    return typeof result === 'string' ? new Html(result, isRaw) : result;
  };
}

/** A capture contains the author's HTML and escaped values, so it is HTML. */
class HtmlCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    if (!escapes(context)) return yield* super.render(context);
    const scope = context.bottom() as Record<string, unknown>;
    yield* (context as TextContext).capture(super.render(context), () => scope[this.variable]);
    const text = scope[this.variable];
    // Without these characters HTML and text are equal, and a string compares as the author expects.
    if (typeof text === 'string' && /[&<>"']/.test(text)) scope[this.variable] = new Html(text);
  }
}

/** Prints as `{{ }}` does. The tag of the library converts the value to a string first, which loses `Html`. */
class HtmlEcho extends EchoTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { value } = this as unknown as { value?: Value };
    if (value) emitter.write(print.call({ context }, yield value.value(context, false)));
  }
}

export function registerHtmlTags(engine: Liquid): void {
  engine.registerTag('capture', HtmlCapture);
  engine.registerTag('echo', HtmlEcho);
}
