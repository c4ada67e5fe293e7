export * from './email';
export * from './in-app';
export * from './template-renderer';
export { type Rendering, templateFaults, type TemplateFault, variablesOf } from './templates';
export * from './texts';
export * from './variables';
export * from './within-time';
