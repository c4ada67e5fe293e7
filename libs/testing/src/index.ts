export * from './builders';
export * from './test-database';
export * from './test-queue';
export * from './statements';
export * from './fake-provider';
export * from './fake-smtp';
export * from './provider-stage';
export * from './round-trips';
