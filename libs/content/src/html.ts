import sanitizeHtml from 'sanitize-html';

/** URL schemes that are allowed in links and images; in a browser, others can run code or hide the destination. */
const WEB_SCHEMES = ['http', 'https', 'mailto'];
const EMAIL_SCHEMES = [...WEB_SCHEMES, 'tel', 'cid'];

const STYLED = ['style', 'class', 'id', 'align', 'valign', 'width', 'height', 'bgcolor', 'background', 'border'];
const COMMON = ['title', 'dir', 'lang', 'role', 'hidden', 'aria-*'];
const LINK = ['href', 'target', 'name', 'rel'];
const IMAGE = ['src', 'srcset', 'alt', 'width', 'height'];
const LIST = { ol: ['start', 'type', 'reversed'], li: ['value'] };
const CELL = ['colspan', 'rowspan', 'headers', 'scope', 'abbr', 'nowrap'];

const words = (text: string): string[] => text.split(/\s+/);

const SHOWN_TAGS = words(
  `a abbr address b bdi bdo big blockquote br caption cite code col colgroup dd del dfn div dl dt em figcaption figure
  h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th
  thead time tr tt u ul var wbr`,
);

const EMAIL_TAGS = [
  ...SHOWN_TAGS,
  ...words(
    `html head title meta style body center font article aside footer header main nav section summary details map area`,
  ),
];

const EMAIL: sanitizeHtml.IOptions = {
  allowedTags: EMAIL_TAGS,
  // sanitize-html warns about `style` in browsers; responsive emails need it.
  allowVulnerableTags: true,
  allowedAttributes: {
    '*': [...STYLED, ...COMMON, 'data-*'],
    a: LINK,
    area: [...LINK, 'shape', 'coords', 'alt'],
    map: ['name'],
    img: [...IMAGE, 'hspace', 'vspace', 'usemap'],
    table: ['cellpadding', 'cellspacing', 'summary'],
    td: CELL,
    th: CELL,
    col: ['span'],
    colgroup: ['span'],
    font: ['color', 'face', 'size'],
    body: ['text', 'link', 'vlink', 'alink', 'leftmargin', 'topmargin', 'marginwidth', 'marginheight'],
    html: ['xmlns', 'xmlns:*'],
    meta: ['charset', 'name', 'content'],
    style: ['type', 'media'],
    hr: ['color', 'size', 'noshade'],
    ...LIST,
  },
  allowedSchemes: EMAIL_SCHEMES,
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'background'],
  allowProtocolRelative: false,
  // Parsing would serialize every style again without changing it.
  parseStyleAttributes: false,
};

/** In-app content is shown inside the tenant's product: no styles, which could cover the page. */
const IN_APP: sanitizeHtml.IOptions = {
  allowedTags: SHOWN_TAGS,
  allowedAttributes: { '*': COMMON, a: LINK, img: IMAGE, td: CELL, th: CELL, ...LIST },
  allowedSchemes: WEB_SCHEMES,
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
};

/** The maximum nesting depth: parsers take quadratic time. */
const MAX_NESTING = 500;
/** Elements that are closed implicitly, at the latest with their parent. */
const IMPLICITLY_CLOSED = new Set(
  words(
    'area base br col dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr track wbr',
  ),
);

/** Throws for HTML that is nested too deeply. */
export function checkNesting(html: string): void {
  let level = 0;
  for (const [, end, tag] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (IMPLICITLY_CLOSED.has(tag!.toLowerCase())) continue;
    level = Math.max(level + (end ? -1 : 1), 0);
    if (level > MAX_NESTING) throw new Error('is nested too deeply');
  }
}

/** Removes comments too, conditional ones included; restores the doctype. */
export function sanitizeEmail(html: string): string {
  const clean = sanitizeHtml(html, EMAIL);
  return /^\s*<!doctype/i.test(html) ? `<!DOCTYPE html>\n${clean.trimStart()}` : clean;
}

/** Most texts have no tag and are safe as they are. */
export function sanitizeInApp(text: string): string {
  if (!text.includes('<')) return text;
  checkNesting(text);
  return sanitizeHtml(text, IN_APP);
}

/** The trimmed URL; undefined when a browser could treat it as anything but a page. */
export function safeUrl(value: unknown, schemes: readonly string[] = WEB_SCHEMES): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = value.trim();
  // Browsers ignore line breaks and tabs and treat a backslash as a slash.
  if (/[\u0000-\u001f\u007f]/.test(url)) return undefined;
  if (/^\/(?![/\\])/.test(url)) return url;
  const scheme = /^([a-z]+):(?=\S)/i.exec(url)?.[1]?.toLowerCase();
  return scheme !== undefined && schemes.includes(scheme) ? url : undefined;
}

export const emailUrl = (value: unknown): string | undefined => safeUrl(value, EMAIL_SCHEMES);
