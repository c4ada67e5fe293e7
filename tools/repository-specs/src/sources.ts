import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const WORKSPACE = resolve(__dirname, '../../..');
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', '.cache', '.clarion', 'coverage', 'tmp']);

/** A text file of the repository. `path` is relative to its root, with forward slashes. */
export type Source = { path: string; text: string };

/** Every file with one of the endings, in the order of the paths. */
export function readSources(...endings: string[]): Source[] {
  return pathsBelow(WORKSPACE)
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path: relative(WORKSPACE, path), text: readFileSync(path, 'utf8') }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? pathsBelow(path) : entry.isFile() ? [path] : [];
  });
}

export const isSpec = ({ path }: Source): boolean =>
  /\.spec\.ts$|^(apps|libs|tools)\/[^/]+\/test\/|^apps\/e2e\/|^libs\/testing\/|^tools\/[^/]+-specs\//.test(path);

/** A piece of text that people read: a comment, a string or a part of a template. `line` counts from 1. */
export type Prose = { kind: 'comment' | 'string'; line: number; text: string };

export function proseOf({ path, text }: Source): Prose[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const found = new Map<number, Prose>();
  const addComments = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? [])
      found.set(pos, { kind: 'comment', line: lineAt(pos), text: text.slice(pos, end) });
  };
  const visit = (node: ts.Node): void => {
    addComments(ts.getLeadingCommentRanges(text, node.pos));
    addComments(ts.getTrailingCommentRanges(text, node.end));
    const isImport = ts.isImportDeclaration(node.parent ?? node) || ts.isExportDeclaration(node.parent ?? node);
    if ((ts.isStringLiteralLike(node) || isTemplatePart(node)) && !isImport)
      found.set(node.getStart(file), { kind: 'string', line: lineAt(node.getStart(file)), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found.values()];
}

const isTemplatePart = (node: ts.Node): node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail =>
  ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** The identifiers of a file that match, with their lines. */
export function namesIn({ path, text }: Source, pattern: RegExp): string[] {
  if (!pattern.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): string[] =>
    ts.isIdentifier(node) && pattern.test(node.text)
      ? [`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}: ${node.text}`]
      : node.getChildren(file).flatMap(visit);
  return visit(file);
}

/** Relative imports and re-exports of a file, resolved to paths of the repository without their ending. */
export function relativeImports({ path, text }: Source): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name));
}

/** The titles of the tests of a file, with the line of each. Parts that are filled in at run time are left as code. */
export function testTitles({ path, text }: Source): { line: number; title: string }[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: { line: number; title: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test)(\.each\b|$)/.test(node.expression.getText(file))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        const line = file.getLineAndCharacterOfPosition(title.getStart(file)).line + 1;
        found.push({ line, title: title.getText(file).slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
