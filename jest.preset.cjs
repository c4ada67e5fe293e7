const { join } = require('node:path');

const TRANSFORMED = [
  '@nestjs/',
  '@opentelemetry/otlp-exporter-base/',
  'sanitize-html/node_modules/',
  'htmlparser2/',
  'domhandler/',
  'domutils/',
  'domelementtype/',
  'dom-serializer/',
  'entities/',
];

/**
 * The preset of every project. Libraries are read from `src/` (the `@clarion/source` export condition), so tests need
 * no build. Nest 12 and the parser of the HTML sanitiser are ES modules, which jest on Node 20 cannot require, and the
 * exporter of spans uses dynamic import, which jest cannot run either. Hence `TRANSFORMED`.
 */
module.exports = {
  cacheDirectory: join(__dirname, '.cache/jest'),
  testEnvironment: require.resolve('./tools/jest/environment.cjs'),
  runtime: require.resolve('./tools/jest/runtime.cjs'),
  testEnvironmentOptions: {
    customExportConditions: ['@clarion/source', 'node', 'node-addons'],
    globalsCleanup: 'off',
  },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  transform: {
    '^.+\\.[tj]s$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2023',
          keepClassNames: true,
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!${TRANSFORMED.join('|')})`],
};
