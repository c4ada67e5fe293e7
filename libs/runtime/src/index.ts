export * from './environment-contents';
export * from './persistence.module';
export * from './render-budgets';
export * from './resources';
export * from './resources.module';
export * from './role';
export * from './stores';
