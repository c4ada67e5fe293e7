/** The helpers for specs of adapters, without database helpers. */
export * from './corpus';
export * from './fake-provider';
export * from './fake-smtp';
export * from './hostile-urls';
export * from './provider-stage';
export * from './self-signed';
export * from './until';
