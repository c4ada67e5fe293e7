export * from './config/config';
export * from './crypto/api-keys';
export * from './crypto/secret-box';
export * from './logging/logger';
