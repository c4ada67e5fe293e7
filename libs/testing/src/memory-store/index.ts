/** The in-memory store of the engine and the workers: for the simulation, and for specs without servers. */
export * from './ended-claims';
export * from './memory-rows';
export * from './memory-store';
export * from './random';
export * from './witness';
export * from './world';
