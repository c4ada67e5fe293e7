import { CaptureTag, Context, Drop, EchoTag, type Emitter, type Liquid, type Value } from 'liquidjs';
import { escapeHtml, escapeHtmlOnce } from './escape';

/**
 * What a text becomes, which decides how values are written into it:
 * - `text` (subjects, sms, chat, push, digest keys): as they are.
 * - `html` (bodies of emails): escaped, unless the last filter is `raw`.
 * - `layout`: as `html`, and `content` is the HTML of the step.
 * - `feed` (in-app texts in which the author writes no tag): a value is escaped only when it holds a `<`. Such texts are shown
 *   as text by some clients and as HTML by others, and are the same in both as long as they hold no tag.
 */
export type TextMode = 'text' | 'html' | 'layout' | 'feed';

/** What a template is rendered in; the mode goes with it to the filters and tags. */
export class TextContext extends Context {
  constructor(
    variables: object,
    readonly mode: TextMode,
    engine: Liquid,
  ) {
    super(variables, engine.options, { sync: true }, { liquid: engine });
  }
}

const escapes = (context: Context): boolean => context instanceof TextContext && context.mode !== 'text';

/** HTML that is written as it is: the values in it were escaped when it was made. */
export class Html extends Drop {
  constructor(private readonly html: string) {
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

type Place = { context: Context };

/** How a value is written: lists and objects as JSON with single quotes, so that they fit inside an attribute. */
export function print(this: Place, value: unknown): string {
  if (value instanceof Html) return String(value);
  const text = textOf(this, value);
  if (!escapes(this.context)) return text;
  return (this.context as TextContext).mode === 'feed' && !text.includes('<') ? text : escapeHtml(text);
}

function textOf({ context }: Place, value: unknown): string {
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

type Handler = (this: Place, ...values: unknown[]) => unknown;
type HtmlFilter = (place: Place, value: unknown, original: (value: unknown) => string) => Html;

/** What is HTML afterwards. A value that is HTML already is not escaped again. */
const MAKING_HTML = new Map<string, HtmlFilter>([
  ['raw', (place, value) => (value instanceof Html ? value : new Html(textOf(place, value)))],
  ['escape', escaped],
  ['xml_escape', escaped],
  ['escape_once', (place, value) => (value instanceof Html ? value : new Html(escapeHtmlOnce(textOf(place, value))))],
  // A value that has tags is HTML, so its entities are meant.
  ['strip_html', (_place, value, original) => new Html(escapeHtmlOnce(original(plainOf(value))))],
  ['newline_to_br', (place, value, original) => new Html(original(String(escaped(place, value))))],
]);

function escaped(place: Place, value: unknown): Html {
  return value instanceof Html ? value : new Html(escapeHtml(textOf(place, value)));
}

/** These keep tags whole. What cuts (`truncate`, `slice`) or decodes makes text of HTML that has tags. */
const KEEPING_TAGS = new Set([
  ...['append', 'prepend', 'strip', 'lstrip', 'rstrip', 'strip_newlines', 'upcase', 'downcase', 'capitalize'],
  ...['replace', 'replace_first', 'replace_last', 'normalize_whitespace'],
]);
const DECODING = new Set(['url_decode', 'base64_decode', 'split', 'json', 'jsonify', 'inspect']);
/** Their first argument is looked for and never written. */
const SEARCHING = new Set(['replace', 'replace_first', 'replace_last']);

/**
 * A filter that tells HTML from text. What makes HTML says so, and the output does not escape it again. Where HTML and text meet
 * (`append`, `replace`), the text is escaped first and the result is HTML.
 */
export function htmlAware(name: string, handler: Handler): Handler {
  const makeHtml = MAKING_HTML.get(name);
  return function (value, ...others) {
    const apply = (...given: unknown[]): unknown => handler.apply(this, given);
    if (!escapes(this.context)) return apply(value, ...others);
    if (makeHtml) return makeHtml(this, value, apply as (value: unknown) => string);
    // Gives one of its values back, as it is.
    if (name === 'default') return apply(value, ...others);
    if (![value, ...others].some((member) => member instanceof Html)) return apply(value, ...others);
    const isText = typeof value === 'string' || value instanceof Html;
    const keepsHtml = KEEPING_TAGS.has(name) || (!DECODING.has(name) && !String(value).includes('<'));
    if (!isText || !keepsHtml) return apply(plainOf(value), ...others.map(plainOf));
    const safe = others.map((other, at) => (at === 0 && SEARCHING.has(name) ? plainOf(other) : asHtml(other)));
    const result = apply(asHtml(value), ...safe);
    return typeof result === 'string' ? new Html(result) : result;
  };
}

/** What is captured is made of the author's HTML and of values that are escaped. */
class HtmlCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    if (!escapes(context)) return;
    const scope = context.bottom() as Record<string, unknown>;
    const text = scope[this.variable];
    // Without such a character it is the same as text, and compares like one.
    if (typeof text === 'string' && /[&<>"']/.test(text)) scope[this.variable] = new Html(text);
  }
}

/** As `{{ }}` prints: the one of the library no longer knows HTML when it prints. */
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
