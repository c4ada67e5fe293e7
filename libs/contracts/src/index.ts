export * from './vocabulary';
export * from './ids';
export * from './json';
export * from './errors';
