export * from './control-schemas';
export * from './described';
export * from './liquid-filters';
export * from './operators';
export * from './overrides';
export * from './step-controls';
export * from './step-examples';
export * from './variables';
