export * from './catalogue';
export * from './connect';
export * from './credential-fields';
export { checkCredentials, type CredentialCheck, type UncheckedCredentials } from './credentials';
export * from './described-fields';
export * from './event-set-up';
export * from './events';
export * from './provider';
export * from './registry';
