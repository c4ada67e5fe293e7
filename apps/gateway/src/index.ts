export * from './core.module';
export * from './environments/environment-admin';
export * from './environments/key-input';
export * from './gateway';
export * from './run-gateway';
export * from './openapi/describe-gateway';
