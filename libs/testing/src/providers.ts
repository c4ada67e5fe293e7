/** What specs of adapters need, and nothing that opens a database. */
export * from './fake-provider';
export * from './fake-smtp';
export * from './hostile-urls';
export * from './provider-stage';
export * from './self-signed';
