/**
 * One preset for every project. Libraries are read from `src/` (the `@clarion/source` export condition), so no build
 * comes before a test. Nest 12, the OpenAPI validator and the parser of the HTML sanitiser are ESM only and jest on Node 20 cannot require that,
 * and the exporter of spans imports while it runs, which jest cannot do either: hence the ignore pattern.
 */
module.exports = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@clarion/source', 'node', 'node-addons'] },
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
  transformIgnorePatterns: [
    '/node_modules/(?!@nestjs/|@apidevtools/|@opentelemetry/otlp-exporter-base/|sanitize-html/node_modules/|htmlparser2/|domhandler/|domutils/|domelementtype/|dom-serializer/|entities/)',
  ],
};
