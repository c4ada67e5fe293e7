export * from './engine';
export * from './jobs';
export * from './producer';
