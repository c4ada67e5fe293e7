export * from './egress';
export * from './egress-error';
export * from './provider-urls';
export * from './address-list';
