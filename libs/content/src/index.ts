export type { ComposedEmail, ComposedInApp } from './composed-messages';
export * from './email';
export * from './in-app';
export * from './template-renderer';
export type { PayloadCheck, PayloadFault } from './payload-check';
export { type Rendering, type TemplateFault } from './templates';
export * from './texts';
export { trackedHtml } from './tracked-html';
export * from './variables';
