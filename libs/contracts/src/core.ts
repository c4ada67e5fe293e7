/** Everything except the DTO classes, for code that handles no requests. It loads much faster than the index. */
export * from './brands';
export * from './collections';
export * from './contexts';
export * from './errors';
export * from './execution-details';
export * from './ids';
export * from './json';
export * from './limits';
export * from './outbound-ports';
export * from './provider-ids';
export * from './redis-url';
export * from './step-types';
export * from './subscriber-preferences';
export * from './trace-context';
export * from './vocabulary';
export * from './with-timeout';
export * from './workflow-definition';
