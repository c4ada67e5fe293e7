export * from './data-dir';
export * from './embedded-postgres';
export * from './embedded-redis';
export * from './embedded-server-error';
export * from './port-check';
export * from './secret-file';
export { type ServerProcess, startServer } from './server-process';
