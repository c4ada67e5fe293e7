import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { isDisjointWith, JS, NFA } from 'refa';

/**
 * Rejects an expression whose search starts again inside of what it has just read: `/<body[^>]*>/` on `<body<body<body`
 * reads to the end of the text from every `<body`. `regexp/no-super-linear-move` finds this for runs of one character.
 */
export default {
  meta: {
    type: 'problem',
    messages: {
      restarts:
        '`{{quantifier}}` also matches `{{start}}`, where the search starts again: quadratic time. Exclude a character ' +
        'of it, or use indexOf or split.',
    },
  },
  create: (context) => ({
    'Literal[regex]'(node) {
      const { pattern, flags } = node.regex;
      if (flags.includes('y')) return;
      const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
      visitRegExpAST(new RegExpParser().parsePattern(pattern, 0, pattern.length, modes), {
        onQuantifierEnter(quantifier) {
          const start = neighbours(quantifier, (at, all) => all.slice(0, at));
          const isAnchored = !flags.includes('m') && start.some(isLineStart);
          const canFail = neighbours(quantifier, (at, all) => all.slice(at + 1)).some((each) => each.min !== 0);
          if (quantifier.max !== Infinity || start.length === 0 || isAnchored || !canFail) return;
          const words = start.map((each) => (isLineStart(each) ? '\\n' : each.raw)).join('');
          if (isDisjointWith(automaton(words, flags), automaton(`(?:${quantifier.element.raw})+`, flags))) return;
          context.report({ node, messageId: 'restarts', data: { quantifier: quantifier.raw, start: words } });
        },
      });
    },
  }),
};

/** What is before or after an element in its alternative and in those around it. */
function neighbours(element, sliceOf) {
  const { parent } = element;
  if (!parent) return [];
  const beside = parent.type === 'Alternative' ? sliceOf(parent.elements.indexOf(element), parent.elements) : [];
  return [...neighbours(parent, sliceOf), ...beside];
}

const isLineStart = ({ type, kind }) => type === 'Assertion' && kind === 'start';

function automaton(source, flags) {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({ backreferences: 'disable' });
  return NFA.fromRegex(expression, { maxCharacter }, { assertions: 'ignore' });
}
