export * from './catalogue';
export * from './credential-fields';
export * from './credentials';
