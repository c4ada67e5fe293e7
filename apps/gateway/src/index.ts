export * from './core.module';
export * from './environments/environment-admin';
export * from './environments/key-input';
export * from './gateway';
export * from './holds/holds-of';
export * from './run-gateway';
export * from './sessions/sign-in-token';
export * from './openapi/describe-gateway';
