import { Output, type Template, TokenKind } from 'liquidjs';
import type { Outline, OutlineValue } from './outline';
import { HtmlPlaces } from './html-place';
import { parsed } from './templates';

/** More values than this are left to Liquid. */
const MOST_VALUES = 200;

/** Liquid computes these for lists, texts and objects. */
const COMPUTED = new Set(['size', 'first', 'last']);

/**
 * The outline of a template that only inserts values, with no filter but `default: "text"`, and in HTML only where
 * escaping is enough; null for every other template. Throws when it does not compile. Runs in the render process.
 */
export function readOutline(text: string): Outline | null {
  const outline: Outline = { literals: [''], values: [] };
  const places = new HtmlPlaces();
  for (const template of parsed(text)) {
    if (template instanceof Output) {
      const value = valueOf(template);
      if (!value || places.place.kind !== 'text' || outline.values.push(value) > MOST_VALUES) return null;
      outline.literals.push('');
    } else {
      const literal = literalOf(template);
      if (literal === undefined) return null;
      places.write(literal);
      outline.literals[outline.literals.length - 1] += literal;
    }
  }
  return outline;
}

/** The text between tags and outputs; undefined for a tag. The library does not export this class. */
function literalOf(template: Template): string | undefined {
  const { str } = template as Template & { str?: unknown };
  return template.token.kind === TokenKind.HTML && typeof str === 'string' ? str : undefined;
}

type ParsedToken = { kind?: TokenKind; content?: unknown; variable?: unknown; props?: ParsedToken[] };

function valueOf({ value: { initial, filters } }: Output): OutlineValue | undefined {
  const tokens = initial.postfix as ParsedToken[];
  const [token] = tokens;
  if (tokens.length !== 1 || token?.kind !== TokenKind.PropertyAccess || token.variable !== undefined) return undefined;
  const path = (token.props ?? []).map(({ content }) => content);
  if (!path.every((key): key is string => typeof key === 'string' && !COMPUTED.has(key))) return undefined;
  // The last filter is `outputEscape`, which Liquid adds.
  const [filter, ...others] = filters.slice(0, -1);
  if (!filter) return { path };
  const [argument, ...more] = filter.args as ParsedToken[];
  const isText = argument?.kind === TokenKind.Quoted && typeof argument.content === 'string';
  if (filter.name !== 'default' || others.length > 0 || more.length > 0 || !isText) return undefined;
  return { path, fallback: argument.content as string };
}
