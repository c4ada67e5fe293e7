export * from './bulk-actions';
export * from './fan-out';
export * from './ports';
export * from './recipient-channels';
export * from './sweeper';
export * from './timers';
export * from './workflow.module';
