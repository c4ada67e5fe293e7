export * from './resources';
export * from './run-role';
