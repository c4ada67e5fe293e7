export * from './email';
export * from './in-app';
export * from './template-renderer';
export type { PayloadCheck, PayloadFault } from './payload-schema';
export { type Rendering, type TemplateFault } from './templates';
export * from './texts';
export * from './variables';
