export * from './catalogue';
export * from './credential-fields';
export { checkCredentials, type CredentialCheck, type UncheckedCredentials } from './credentials';
export * from './described-fields';
export * from './events';
export * from './provider';
export * from './registry';
