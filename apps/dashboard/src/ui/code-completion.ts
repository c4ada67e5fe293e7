import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

type Word = { name: string; description: string; example: string };

export type CodeWords = { variables: readonly Word[]; filters: readonly Word[] };

const TAGS = ['if', 'elsif', 'else', 'endif', 'unless', 'endunless', 'for', 'endfor', 'case', 'when', 'endcase'].concat(
  ['assign', 'capture', 'endcapture', 'comment', 'endcomment', 'raw', 'endraw'],
);

const completion = (type: string, { name, description, example }: Word): Completion => ({
  label: name,
  type,
  detail: description,
  info: example,
});

/** Completes filters behind a bar, tags behind `{%` and variables in all other places of a tag or an output. */
export function completeLiquid(context: CompletionContext, words?: CodeWords): CompletionResult | null {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 500), context.pos);
  const open = /\{[{%]-?(.*)/s.exec(before.split(/[%}]\}/).at(-1)!);
  if (!open || !words) return null;
  const inside = open[1]!;
  const filter = /\|\s*([\w]*)$/.exec(inside);
  if (filter)
    return result(
      context,
      filter[1]!,
      words.filters.map((word) => completion('function', word)),
    );
  const tag = open[0].startsWith('{%') ? /^\s*([a-z]*)$/.exec(inside) : null;
  if (tag)
    return result(
      context,
      tag[1]!,
      TAGS.map((label) => ({ label, type: 'keyword' })),
    );
  const typed = /(?<![\w.])[\w.]*$/.exec(inside)![0];
  if (typed === '' && !context.explicit && !/\{\{-?\s?$/.test(before)) return null;
  return result(
    context,
    typed,
    words.variables.map((word) => completion('variable', word)),
  );
}

const result = (context: CompletionContext, typed: string, options: Completion[]): CompletionResult => ({
  from: context.pos - typed.length,
  options,
  validFor: /^[\w.]*$/,
});
