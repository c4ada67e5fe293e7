import { escapeHtml, unescapeHtml } from './escape';

export type Tracking = {
  /** The address that replaces a link; undefined leaves the link as it is. Without the function no link is replaced. */
  linkFor?: (url: string) => string | undefined;
  /** The address of an invisible picture. */
  pixel?: string;
};

/** Longer addresses are not tracked: some mail programs cut long links off. */
const MOST_TRACKED_CHARACTERS = 1_500;

/** The links after these are not tracked: each is signed, and takes several hundred characters more. */
const MOST_TRACKED_LINKS = 1_000;

// A tag ends at the next angle bracket, so the search takes linear time; a tag with a bracket in a value is left alone.
const LINK = /<(?:a|area)\b[^<>]*>/gi;
const HREF = /(\shref=)(?:"([^"]*)"|'([^']*)')/i;
const OPTED_OUT = /\sdata-no-track(?=[\s=/>])/i;

/** Links with the attribute `data-no-track` and addresses other than http(s) are left alone. */
export function trackedHtml(html: string, { linkFor, pixel }: Tracking): string {
  let links = 0;
  const linked = linkFor
    ? html.replace(LINK, (tag) => ((links += 1) > MOST_TRACKED_LINKS ? tag : trackedTag(tag, linkFor)))
    : html;
  return pixel === undefined ? linked : withPixel(linked, pixel);
}

function trackedTag(tag: string, linkFor: (url: string) => string | undefined): string {
  if (OPTED_OUT.test(tag)) return tag;
  return tag.replace(HREF, (attribute, name: string, quoted?: string, apostrophed?: string) => {
    // The sanitizer writes no other entities.
    const url = unescapeHtml(quoted ?? apostrophed ?? '').trim();
    const isTracked = /^https?:\/\//i.test(url) && url.length <= MOST_TRACKED_CHARACTERS && URL.canParse(url);
    const tracked = isTracked ? linkFor(url) : undefined;
    return tracked === undefined ? attribute : `${name}"${escapeHtml(tracked)}"`;
  });
}

function withPixel(html: string, address: string): string {
  const picture = `<img src="${escapeHtml(address)}" width="1" height="1" alt="" style="border:0" />`;
  const end = Math.max(html.lastIndexOf('</body>'), html.lastIndexOf('</BODY>'));
  return end < 0 ? html + picture : html.slice(0, end) + picture + html.slice(end);
}
