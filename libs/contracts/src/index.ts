export * from './vocabulary';
export * from './ids';
