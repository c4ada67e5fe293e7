export * from './egress';
export * from './egress-error';
export type { EgressLimits, EgressRequest } from './http-exchange';
export * from './provider-urls';
export * from './address-list';
