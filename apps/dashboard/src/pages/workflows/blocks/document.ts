import type { Fragment, Mark, Node } from 'prosemirror-model';
import { type EmailDocument, isObject } from './body-value';
import { type Rest, schema, textSchema } from './schema';

/** The document of the editor. What the schema does not know, or knows with other content, becomes an opaque node. */
export function readDocument({ type: _, content, ...rest }: EmailDocument): Node {
  const blocks = content.map((json) => {
    const node = readNode(json, false);
    return node.type.isInGroup('block') ? node : schema.nodes['opaque']!.create({ json });
  });
  return schema.nodes['doc']!.createAndFill({ rest }, blocks)!;
}

function readNode(json: unknown, isInline: boolean): Node {
  const opaque = (): Node => schema.nodes[isInline ? 'opaqueInline' : 'opaque']!.create({ json });
  if (!isObject(json)) return opaque();
  const { type, content, marks, text, ...rest } = json;
  const nodeType = schema.nodes[String(type)];
  const isPlain = content === undefined || Array.isArray(content);
  if (!nodeType || nodeType.isInline !== isInline || !isPlain || String(type).startsWith('opaque')) return opaque();
  const readMarks = Array.isArray(marks) ? marks.map(readMark) : [];
  if (type === 'text') {
    const isText = typeof text === 'string' && text !== '' && Object.keys(rest).length === 0;
    return isText ? schema.text(text, readMarks) : opaque();
  }
  if (text !== undefined || (!isInline && marks !== undefined)) return opaque();
  try {
    const children = (content ?? []).map((child) => readNode(child, nodeType.inlineContent));
    return nodeType.createChecked({ rest }, children, readMarks);
  } catch {
    return opaque();
  }
}

function readMark(json: unknown): Mark {
  const { type, ...rest } = isObject(json) ? json : {};
  const known = schema.marks[String(type)];
  return known && type !== 'opaqueMark' ? known.create({ rest }) : schema.marks['opaqueMark']!.create({ json });
}

export function writeDocument(doc: Node): EmailDocument {
  return { type: 'doc', ...(doc.attrs['rest'] as Rest), content: doc.children.map(writeNode) };
}

function writeNode(node: Node): unknown {
  const { json, rest } = node.attrs as { json?: unknown; rest?: Rest };
  if (node.type.name.startsWith('opaque')) return json;
  const marks = node.marks.map(writeMark);
  return {
    type: node.type.name,
    ...rest,
    ...(node.childCount > 0 && { content: node.children.map(writeNode) }),
    ...(marks.length > 0 && { marks }),
    ...(node.isText && { text: node.text }),
  };
}

const writeMark = ({ type, attrs }: Mark): unknown =>
  type.name === 'opaqueMark' ? attrs['json'] : { type: type.name, ...(attrs['rest'] as Rest) };

/** A path between braces. Filters and tags are no paths, so they stay as they are written. */
const PATH = String.raw`\{\{\s*[a-z]\w*(?:\.[\w-]+)+\s*\}\}`;
export const TYPED_PATH = new RegExp(`${PATH}$`, 'i');
const PATHS = new RegExp(`(${PATH})`, 'i');

/** The lines of a text, in which the paths between braces are variables. */
export function readText(text: string): Node {
  const { doc, paragraph, variable } = textSchema.nodes;
  const inline = (part: string, index: number): Node[] => {
    if (index % 2 === 0) return part === '' ? [] : [textSchema.text(part)];
    return [variable!.create({ rest: { attrs: { id: pathIn(part) } }, source: part })];
  };
  const lines = text.split('\n').map((line) => paragraph!.create(null, line.split(PATHS).flatMap(inline)));
  return doc!.create(null, lines);
}

export const pathIn = (braces: string): string => braces.slice(2, -2).trim();

export const writeText = (content: Fragment): string => content.textBetween(0, content.size, '\n');
