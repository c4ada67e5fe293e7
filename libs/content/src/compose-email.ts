import type { EmailBlockDto } from '@clarion/contracts';
import type { Json, JsonObject } from '@clarion/contracts/core';
import { compile } from 'html-to-text';
import type { ComposedEmail } from './composed-messages';
import { isEmailBlocks } from './email-blocks';
import { pageHtml, readBody } from './email-body';
import { escapeHtml } from './escape';
import { checkNesting, emailUrl, sanitizeEmail } from './html';

export type EmailOptions = { layoutHtml?: string; disableOutputSanitization?: boolean };

const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'title', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** `layoutHtml` is the rendered layout with the HTML of the body. Throws for HTML that is nested too deeply. */
export function composeEmail(
  controls: JsonObject,
  { layoutHtml, disableOutputSanitization = controls['disableOutputSanitization'] === true }: EmailOptions = {},
): ComposedEmail {
  const body = readBody(controls['body']);
  const written = layoutHtml ?? pageHtml(body);
  checkNesting(written);
  const html = disableOutputSanitization ? written : sanitizeEmail(written);
  const preheader = oneLine(controls['preheader']);
  return {
    subject: oneLine(controls['subject']),
    html: preheader === '' ? html : withPreheader(html, preheader),
    text: toText(html),
    ...(preheader !== '' && { preheader }),
    ...(isEmailBlocks(body) && { blocks: body.map(withSafeUrl) }),
  };
}

function withSafeUrl({ url, ...block }: EmailBlockDto): EmailBlockDto {
  const safe = emailUrl(url);
  return safe === undefined ? block : { ...block, url: safe };
}

/** Mail programs show the first text of the body beside the subject. */
function withPreheader(html: string, preheader: string): string {
  const hidden = `<span style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}</span>`;
  const tag = html.search(/<body\b/i);
  const at = tag < 0 ? 0 : html.indexOf('>', tag) + 1;
  return html.slice(0, at) + hidden + html.slice(at);
}

/** Headers are single lines: a value must not start another header. */
const oneLine = (value: Json | undefined): string =>
  typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim() : '';
