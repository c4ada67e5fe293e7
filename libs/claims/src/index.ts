export * from './apart';
export * from './batcher';
export * from './claim-leases';
export * from './claim-runner';
export * from './fair-turns';
export * from './isolation';
export * from './line';
