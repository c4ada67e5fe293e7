export * from './core.module';
export * from './environments/environment-admin';
export * from './gateway';
export * from './run-gateway';
export * from './sessions/sign-in-token';
export * from './openapi/describe-gateway';
