/** The in-memory store of the engine and the workers: for the simulation, and for specs without servers. */
export * from '../until';
export * from './memory-rows';
export * from './memory-store';
export * from './random';
export * from './store-ports';
export * from './witness';
export * from './world';
