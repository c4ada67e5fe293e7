import { createRequire } from 'node:module';
import tseslint from 'typescript-eslint';
import noQuadraticSearch from './no-quadratic-search.mjs';

const { builtinRules } = createRequire(import.meta.url)('eslint/use-at-your-own-risk');
const typescript = tseslint.plugin.rules;

/**
 * Our own rule, and those that Oxlint does not have or has without an option that we use. ESLint and Oxlint load them
 * under the same names, so that a comment that allows a line holds for both.
 */
export default {
  meta: { name: 'clarion' },
  rules: {
    'no-quadratic-search': noQuadraticSearch,
    'no-restricted-syntax': builtinRules.get('no-restricted-syntax'),
    'no-restricted-imports': typescript['no-restricted-imports'],
    'consistent-type-imports': withDecoratorMetadata(typescript['consistent-type-imports']),
  },
};

/** The rule asks the parser whether the tsconfig emits metadata. It does, but Oxlint does not say so. */
function withDecoratorMetadata(rule) {
  const maps = { esTreeNodeToTSNodeMap: new Map(), tsNodeToESTreeNodeMap: new Map() };
  const parserServices = { value: { ...maps, emitDecoratorMetadata: true, experimentalDecorators: true } };
  const create = (context) => {
    if (context.sourceCode.parserServices.emitDecoratorMetadata !== undefined) return rule.create(context);
    const sourceCode = { value: Object.create(context.sourceCode, { parserServices }) };
    return rule.create(Object.create(context, { sourceCode }));
  };
  return { ...rule, create };
}
