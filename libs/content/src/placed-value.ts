import { escapeHtml } from './escape';
import type { CssPlace, HtmlPlace } from './html-place';

/** Letters, digits and signs of one plain value: `#fff`, `1.5em`, `rgb(0, 0, 0)`, `Arial, sans-serif`. */
const CSS_VALUE = /^[\p{L}\p{N}#%.,()+ _-]*$/u;
/** An address that no CSS parser ends early, also inside `url()`. */
const CSS_URL = /^https?:\/\/[^\s"'()\\<>{};,]*$/i;
const CSS_WORD = /^[\p{L}\p{N}_-]*$/u;
/** A word, a number, a color or a function: no list. */
const CSS_ATOM = /^(?:[\p{L}\p{N}#%._-]|\([\p{L}\p{N}#%.,+ _-]*\))*$/u;

/** True when the text is the same anywhere in CSS: it begins and ends nothing. */
export const isCssAtom = (text: string): boolean => CSS_ATOM.test(text) || CSS_URL.test(text);

const isPlain = (text: string, place: CssPlace): boolean =>
  place === 'value' ? CSS_VALUE.test(text) || CSS_URL.test(text) : CSS_WORD.test(text);

/** Entities for everything that ends a value without quotes. */
const unquoted = (text: string): string => escapeHtml(text).replace(/[\s=`]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What would be another attribute, declaration or rule is left out, unless it is CSS of the author. */
export function placedValue(text: string, place: HtmlPlace, isAuthored: () => boolean): string {
  const cssText = (css: CssPlace): string => (isPlain(text, css) || isAuthored() ? text : '');
  switch (place.kind) {
    case 'text':
      return escapeHtml(text);
    case 'style attribute':
      return escapeHtml(cssText(place.css));
    case 'style element':
      return cssText(place.css);
    case 'unquoted': {
      const value = unquoted(place.css ? cssText(place.css) : text);
      // Without any value the next attribute would be read as the value.
      return value === '' && !place.isBegun ? '""' : value;
    }
    case 'tag name':
      // The level of a heading; or the text after a `<` that begins no tag.
      if (place.isBegun) return /^\d$/.test(text) ? text : '';
      return /^[a-z/!?]/i.test(text) ? '' : escapeHtml(text);
    case 'attribute name':
      return place.isBegun && CSS_WORD.test(text) ? text : '';
  }
}
