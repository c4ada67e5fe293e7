import { readContent, type TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, type JsonObject, LIMITS, normalizedLocale } from '@clarion/contracts';

export type ContentFault = { path: string; message: string };

/** A content that may be stored. */
export type CheckedContent = { locale: string; content: JsonObject; texts: ReadonlyMap<string, string> };

/** The locale that the name of a file begins with; undefined when the name is not that of a translation. */
export function localeOfFile(name: string): string | undefined {
  const [, stem] = /^([A-Za-z0-9_-]{2,20})\.json$/i.exec(name) ?? [];
  return stem === undefined ? undefined : normalizedLocale(stem);
}

/** Checks the size and the keys of a content, before anything else reads its texts. */
export function checkShape(locale: string, content: JsonObject): CheckedContent | ContentFault {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes > LIMITS.translationBytes) {
    return { path: '', message: `has ${bytes} bytes; at most ${LIMITS.translationBytes} are allowed` };
  }
  const read = readContent(content);
  return read.ok ? { locale, content, texts: read.texts } : { path: read.key, message: read.message };
}

/** Checks each content: its templates, in render processes, in one call. Undefined for a content without a fault. */
export async function templateFaults(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  contents: CheckedContent[],
): Promise<(ContentFault | undefined)[]> {
  // The texts are members of one control, because the names of some controls are never templates.
  const faults = await renderer.templateFaults(
    environmentId,
    contents.map(({ texts }) => ({ texts: [...texts.values()] })),
  );
  return contents.map(({ texts }, index) => {
    const [fault] = faults[index]!;
    if (!fault) return undefined;
    const key = [...texts.keys()][Number(fault.path.split('.')[1])];
    return { path: key ?? '', message: fault.message };
  });
}

export const TOO_MANY_LOCALES: ContentFault = {
  path: '',
  message: `would be one of more than ${LIMITS.locales} locales`,
};

/** New contents of a workflow or a layout, with the contents that it has. */
export type ContentGroup = { stored: { locale: string; content: JsonObject }[]; added: CheckedContent[] };

/**
 * What new contents must not do together with the other locales: for each group and each new content of it the fault,
 * or undefined. Found in render processes. Two writers at a time may together store what neither may store alone: such
 * a text shows its key.
 */
export async function groupFaults(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  groups: ContentGroup[],
  standard: string,
): Promise<(ContentFault | undefined)[][]> {
  const fitting = groups.map(({ stored, added }) => {
    const locales = new Set(stored.map(({ locale }) => locale));
    return added.filter(({ locale }) => locales.add(locale).size <= LIMITS.locales);
  });
  const outcomes = await renderer.endlessKeys(
    environmentId,
    groups.map(({ stored }, index) => {
      const added = fitting[index]!;
      const kept = stored.filter((row) => !added.some(({ locale }) => locale === row.locale));
      return { stored: kept.map(entryOf), added: added.map(entryOf), standard };
    }),
  );
  return groups.map(({ added }, index) => {
    const outcome = outcomes[index]!;
    return added.map((content): ContentFault | undefined => {
      const at = fitting[index]!.indexOf(content);
      if (at < 0) return TOO_MANY_LOCALES;
      if (!outcome.ok) return { path: '', message: outcome.fault.message };
      const endless = outcome.result[at];
      return endless ? { path: endless.key, message: endless.message } : undefined;
    });
  });
}

const entryOf = ({ locale, content }: { locale: string; content: JsonObject }): [string, JsonObject] => [
  locale,
  content,
];

export class Room {
  private count: number;
  private readonly bytes: Map<string, number>;

  constructor(sizes: { locale: string; count: number; bytes: number }[]) {
    this.count = sizes.reduce((sum, { count }) => sum + count, 0);
    this.bytes = new Map(sizes.map(({ locale, bytes }) => [locale, bytes]));
  }

  /** A replaced content counts as an additional one, so an environment at its limit has to delete one first. */
  take({ locale, content }: CheckedContent): ContentFault | undefined {
    if (this.count >= LIMITS.translations) {
      return { path: '', message: `would be one of more than ${LIMITS.translations} translations of the environment` };
    }
    const bytes = (this.bytes.get(locale) ?? 0) + Buffer.byteLength(JSON.stringify(content));
    const most = LIMITS.masterJsonBytes;
    if (bytes > most) {
      return { path: '', message: `would make the texts of the environment in ${locale} larger than ${most} bytes` };
    }
    this.count += 1;
    this.bytes.set(locale, bytes);
    return undefined;
  }

  /** Gives back what a replaced content took. */
  release({ locale, content }: { locale: string; content: JsonObject }): void {
    this.count -= 1;
    this.bytes.set(locale, this.bytes.get(locale)! - Buffer.byteLength(JSON.stringify(content)));
  }
}

export const isFault = (checked: CheckedContent | ContentFault): checked is ContentFault => 'message' in checked;

export const describeFault = ({ path, message }: ContentFault): string =>
  path === '' ? `the content ${message}` : `the key ${path} ${message}`;
