export * from './data-source';
export * from './database';
export * from './database-errors';
export * from './entities';
export * from './maintenance';
export * from './migrate';
export * from './partitions';
