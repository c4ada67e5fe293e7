/**
 * Executes the part of Go's text/template that the chart uses: fields, variables, pipelines, parentheses, `if`, `else
 * if`, `range`, `with`, `define`, comments and trim markers. What it does not know is an error. A spec compares it with
 * Go where there is one.
 */
type Value = unknown;
type Fields = Record<string, Value>;
/** Functions of a template get their arguments; a value that is piped in is the last of them. */
export type Functions = Record<string, (...values: never[]) => Value>;

type Term =
  | { kind: 'literal'; value: Value }
  | { kind: 'field'; variable?: string; path: string[] }
  | { kind: 'function'; name: string }
  | { kind: 'pipeline'; pipeline: Pipeline };
/** Each command is a list of terms; the result of one command is the last argument of the next. */
type Pipeline = Term[][];
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'output'; pipeline: Pipeline }
  | { kind: 'declare'; name: string; pipeline: Pipeline }
  | { kind: 'if' | 'with'; pipeline: Pipeline; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; names: string[]; pipeline: Pipeline; body: Node[]; otherwise: Node[] };

export class Templates {
  private readonly defined = new Map<string, Node[]>();

  constructor(private readonly functions: Functions) {}

  /** Parses a file, keeps the templates that it defines, and returns the rest of it. */
  parse(text: string): Node[] {
    const parser = new Parser(text, this.defined);
    const { nodes, end } = parser.block();
    if (end) throw new Error(`"${end}" closes nothing`);
    return nodes;
  }

  render(nodes: Node[], data: Value): string {
    return this.run(nodes, data, new Map([['$', data]]));
  }

  /** What `include` and `template` do. */
  include(name: string, data: Value): string {
    const nodes = this.defined.get(name);
    if (!nodes) throw new Error(`there is no template "${name}"`);
    return this.render(nodes, data);
  }

  private run(nodes: Node[], dot: Value, outer: ReadonlyMap<string, Value>): string {
    const variables = new Map(outer);
    return nodes.map((node) => this.runNode(node, dot, variables)).join('');
  }

  private runNode(node: Node, dot: Value, variables: Map<string, Value>): string {
    if (node.kind === 'text') return node.text;
    const value = this.evaluate(node.pipeline, dot, variables);
    switch (node.kind) {
      case 'output':
        if (value === undefined || value === null) throw new Error('a value that is not set is printed');
        return String(value);
      case 'declare':
        variables.set(node.name, value);
        return '';
      case 'if':
        return this.run(isTrue(value) ? node.body : node.otherwise, dot, variables);
      case 'with':
        return isTrue(value) ? this.run(node.body, value, variables) : this.run(node.otherwise, dot, variables);
      case 'range': {
        const entries = entriesOf(value);
        if (entries.length === 0) return this.run(node.otherwise, dot, variables);
        const [first, second] = node.names;
        return entries
          .map(([key, item]) => {
            const inner = new Map(variables);
            if (first) inner.set(first, second ? key : item);
            if (second) inner.set(second, item);
            return this.run(node.body, item, inner);
          })
          .join('');
      }
    }
  }

  private evaluate(pipeline: Pipeline, dot: Value, variables: ReadonlyMap<string, Value>): Value {
    let piped: Value[] = [];
    for (const [head, ...rest] of pipeline) {
      const values = [...rest.map((term) => this.evaluateTerm(term, dot, variables)), ...piped];
      const callee = head!.kind === 'function' ? this.functionOf(head!.name) : this.evaluateTerm(head!, dot, variables);
      if (typeof callee === 'function') piped = [(callee as (...all: Value[]) => Value)(...values)];
      else if (values.length > 0) throw new Error('arguments are given to what is not a function');
      else piped = [callee];
    }
    return piped[0];
  }

  private evaluateTerm(term: Term, dot: Value, variables: ReadonlyMap<string, Value>): Value {
    switch (term.kind) {
      case 'literal':
        return term.value;
      case 'pipeline':
        return this.evaluate(term.pipeline, dot, variables);
      case 'function':
        return this.evaluate([[term]], dot, variables);
      case 'field': {
        const { variable, path } = term;
        if (variable && !variables.has(variable)) throw new Error(`there is no variable ${variable}`);
        let value = variable ? variables.get(variable) : dot;
        for (const name of path) {
          if (value === undefined || value === null)
            throw new Error(`.${path.join('.')}: there is nothing before .${name}`);
          value = (value as Fields)[name];
        }
        return value;
      }
    }
  }

  private functionOf(name: string): Value {
    const found = this.functions[name];
    if (!found) throw new Error(`there is no function "${name}"`);
    return found;
  }
}

/** Empty texts, lists and maps are false, as are zero and nothing. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A map is read in the order of its keys. */
function entriesOf(value: Value): [Value, Value][] {
  if (Array.isArray(value)) return (value as Value[]).map((item, at) => [at, item]);
  return Object.entries((value ?? {}) as Fields).sort(([one], [other]) => (one < other ? -1 : 1));
}

const ACTION = /\{\{(?:"(?:[^"\\]|\\.)*"|\/\*[^]*?\*\/|[^"{}]|\}(?!\}))*\}\}/g;

class Parser {
  private readonly parts: { text?: string; action?: string }[] = [];
  private at = 0;

  constructor(
    text: string,
    private readonly defined: Map<string, Node[]>,
  ) {
    let from = 0;
    let trimsNext = false;
    const addText = (raw: string, trimsEnd: boolean): void => {
      const begun = trimsNext ? raw.trimStart() : raw;
      this.parts.push({ text: trimsEnd ? begun.trimEnd() : begun });
    };
    for (const found of text.matchAll(ACTION)) {
      const [whole] = found;
      addText(text.slice(from, found.index), /^\{\{-\s/.test(whole));
      trimsNext = /\s-\}\}$/.test(whole);
      this.parts.push({
        action: whole
          .replace(/^\{\{(-\s)?/, '')
          .replace(/(\s-)?\}\}$/, '')
          .trim(),
      });
      from = found.index + whole.length;
    }
    addText(text.slice(from), false);
  }

  /** Up to `end` or `else`, which it returns, or to the end of the text. */
  block(): { nodes: Node[]; end?: string } {
    const nodes: Node[] = [];
    while (this.at < this.parts.length) {
      const { text, action = '' } = this.parts[this.at++]!;
      if (text !== undefined) nodes.push({ kind: 'text', text });
      else if (action === 'end' || /^else\b/.test(action)) return { nodes, end: action };
      else if (!action.startsWith('/*')) nodes.push(...this.node(action));
    }
    return { nodes };
  }

  private node(action: string): Node[] {
    const [, keyword, rest = ''] = /^(if|with|range|define)\s+(\S[^]*)$/.exec(action) ?? [];
    if (keyword === 'define') {
      const { nodes, end } = this.block();
      if (end !== 'end') throw new Error(`${action} is not closed`);
      this.defined.set(JSON.parse(rest) as string, nodes);
      return [];
    }
    if (keyword === 'if' || keyword === 'with') return [this.branch(keyword, rest)];
    if (keyword === 'range') {
      const [, list, source] = /^(\$\w+(?:\s*,\s*\$\w+)?)\s*:=\s*(\S[^]*)$/.exec(rest) ?? [undefined, '', rest];
      const names = list!.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
      return [{ kind: 'range', names, pipeline: parsePipeline(source!), ...this.bodies('range', action) }];
    }
    const [, name, source] = /^(\$\w+)\s*:=\s*(\S[^]*)$/.exec(action) ?? [];
    if (name) return [{ kind: 'declare', name, pipeline: parsePipeline(source!) }];
    return [{ kind: 'output', pipeline: parsePipeline(action) }];
  }

  private branch(kind: 'if' | 'with', condition: string): Node {
    return { kind, pipeline: parsePipeline(condition), ...this.bodies(kind, condition) };
  }

  private bodies(kind: string, opened: string): { body: Node[]; otherwise: Node[] } {
    const { nodes: body, end } = this.block();
    if (end === 'end') return { body, otherwise: [] };
    const [, condition] = /^else\s+if\s+(\S[^]*)$/.exec(end ?? '') ?? [];
    if (condition && kind === 'if') return { body, otherwise: [this.branch('if', condition)] };
    if (end !== 'else') throw new Error(`"${opened}" is not closed`);
    const { nodes: otherwise, end: last } = this.block();
    if (last !== 'end') throw new Error(`"${opened}" is not closed`);
    return { body, otherwise };
  }
}

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(`[^`]*`)|(-?\d+(?:\.\d+)?)|([$]?\w*(?:\.\w+)+|[$]\w*|\.|\w+)|([()|]))/y;

function parsePipeline(source: string): Pipeline {
  TOKEN.lastIndex = 0;
  const stack: Pipeline[] = [[[]]];
  while (source.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(source);
    if (!found) throw new Error(`"${source}" is not understood at "${source.slice(at)}"`);
    const [, text, raw, number, word, sign] = found;
    const command = stack.at(-1)!.at(-1)!;
    if (text !== undefined) command.push({ kind: 'literal', value: JSON.parse(text) as string });
    else if (raw !== undefined) command.push({ kind: 'literal', value: raw.slice(1, -1) });
    else if (number !== undefined) command.push({ kind: 'literal', value: Number(number) });
    else if (word !== undefined) command.push(termOf(word));
    else if (sign === '|') stack.at(-1)!.push([]);
    else if (sign === '(') {
      const pipeline: Pipeline = [[]];
      command.push({ kind: 'pipeline', pipeline });
      stack.push(pipeline);
    } else if (stack.length > 1) stack.pop();
    else throw new Error(`"${source}" closes a parenthesis that is not open`);
  }
  if (stack.length > 1 || stack[0]!.some((command) => command.length === 0))
    throw new Error(`"${source}" is not complete`);
  return stack[0]!;
}

const CONSTANTS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['nil', null],
]);

function termOf(word: string): Term {
  if (CONSTANTS.has(word)) return { kind: 'literal', value: CONSTANTS.get(word) };
  if (!/[.$]/.test(word)) return { kind: 'function', name: word };
  const [variable, ...path] = word.split('.');
  return { kind: 'field', variable: variable || undefined, path: path.filter((name) => name !== '') };
}
