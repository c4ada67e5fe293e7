export * from './builders';
export * from './test-database';
export * from './test-queue';
export * from './statements';
