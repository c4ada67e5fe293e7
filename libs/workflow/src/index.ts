export * from './engine';
export * from './fan-out';
export * from './ports';
export * from './recipient-channels';
export * from './sweeper';
export * from './timers';
