export * from './environment-contents';
export * from './resources';
export * from './run-role';
export * from './stores';
