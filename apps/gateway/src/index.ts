export * from './edge/dependencies';
export * from './operations/environments/environment-admin';
export * from './gateway';
export * from './run-gateway';
export * from './edge/sessions/sign-in-token';
