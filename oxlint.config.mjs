/**
 * Oxlint runs the rules of eslint.config.mjs in a third of the processor time of ESLint, most of which is parsing.
 * `npm test` uses Oxlint; Nx checks single projects with ESLint, and editors show its messages.
 */
import rules from './eslint.config.mjs';

/** The rules of typescript-eslint that Oxlint has under the name of the rule of ESLint that they extend. */
const EXTENDED = new Set(['no-array-constructor', 'no-unused-expressions', 'no-unused-vars']);

/** The presets switch off rules that Oxlint does not have and that nothing switches on. */
const used = new Set(
  rules.flatMap((entry) => Object.entries(entry.rules ?? {}).flatMap(([name, to]) => (to === 'off' ? [] : name))),
);

const ignored = rules.filter(({ files, rules }) => !files && !rules).flatMap(({ ignores = [] }) => ignores);

export default {
  plugins: ['typescript'],
  jsPlugins: [
    './tools/lint-rules/plugin.mjs',
    { name: '@nx', specifier: '@nx/eslint-plugin' },
    { name: 'regexp', specifier: 'eslint-plugin-regexp' },
  ],
  categories: { correctness: 'off' },
  options: { reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ignored,
  overrides: rules.map(overrideOf),
};

function overrideOf({ files = ['**/*'], ignores = [], languageOptions = {}, rules = {} }) {
  return {
    files: files.flat(),
    excludeFiles: ignores,
    rules: Object.fromEntries(
      Object.entries(rules).flatMap(([name, options]) => (used.has(name) ? [[nameOf(name), options]] : [])),
    ),
    ...(languageOptions.globals && { globals: languageOptions.globals }),
    ...(languageOptions.sourceType === 'commonjs' && { env: { commonjs: true } }),
  };
}

function nameOf(name) {
  const own = name.replace(/^@typescript-eslint\//, '');
  return own === name || EXTENDED.has(own) ? own : `typescript/${own}`;
}
