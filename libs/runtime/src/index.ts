export * from './environment-contents';
export * from './render-budgets';
export * from './resources';
export * from './run-role';
export * from './stores';
